import AsyncOperations
import Foundation

private struct Feed: Sendable {}

private func fetchFeed() async throws -> Feed { Feed() }

private func overview() async throws -> Feed {
  //@ let queue = OperationQueue()
  return feed
}

private func shutDown(_ downloads: AsyncOperationQueue) async {
  //@ signal(SIGINT, SIG_IGN)
}

private func width() -> OperationQueue {
  //@ let downloads = AsyncOperationQueue()
  return downloads
}
