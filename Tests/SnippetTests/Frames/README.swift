import Foundation
import RowOperations

#if canImport(PackageDescription)
  import PackageDescription

  private func dependencies() -> [Package.Dependency] {
    [
      //= .package(url: "<the address of this repository>", branch: "main")
    ]
  }
#endif

private struct Photo: Identifiable {
  let id: Int
}

private struct UIImage {}

#if !canImport(UIKit)
  extension IndexPath {
    fileprivate var row: Int { self[1] }
  }
#endif

private final class PhotoCell {
  func show(_ image: UIImage?) {}
}

@MainActor
private final class PhotoList {
  var ids: [Photo.ID] = []

  //@ let tracker = DisplayTracker<Photo.ID, UIImage> { try await thumbnail(of: $0.row) }
}

private func thumbnail(of id: Photo.ID) async throws -> UIImage { UIImage() }

#if canImport(SwiftUI)
  import CoreGraphics
  import SwiftUI

  private struct Post: Identifiable {
    let id: Int
    let picture: URL
  }

  private func preview(of picture: URL) -> URL { picture }
  private func picture(from data: Data) throws -> CGImage { throw URLError(.cannotDecodeRawData) }

  private enum FirstSight {
    //@ @MainActor
  }
#endif

private protocol DownloadTask: Sendable {
  func resume(_ completion: @escaping @Sendable () -> Void)
  func cancel()
}

private enum Operations {
  //@ final class Download: AsyncOperation, @unchecked Sendable {
}

@MainActor
private func update(_ cell: PhotoCell, token: RowToken<URL>) {
  //@ let update = UpdateOperation<URL, UIImage>(token: token, apply: { cell.show($1) }) { context in
  OperationQueue().enqueue(update)
}

private func decode(_ data: Data) throws -> UIImage { UIImage() }
