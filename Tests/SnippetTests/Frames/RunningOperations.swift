import AsyncOperations
import Foundation

private struct Feed: Sendable {}

private func fetchFeed() async throws -> Feed { Feed() }

private func overview() async throws -> Feed {
  //@ let queue = OperationQueue()
  return feed
}

private struct Crawler: Sendable {
  func stop() {}
}

private enum Shared {
  struct Image: Sendable {}

  private static func render(_ url: URL) async throws -> Image { Image() }

  //@ actor Thumbnails {
}

private func drain(_ downloads: AsyncOperationQueue) async {
  //@ for case let job as AsyncOperation in downloads.operations where job.state == .pending {
}

private func shutDown(_ downloads: AsyncOperationQueue, _ crawler: Crawler) async {
  //@ let (stops, stop) = AsyncStream<Void>.makeStream()
}

private func width() -> OperationQueue {
  //@ let downloads = AsyncOperationQueue()
  return downloads
}
