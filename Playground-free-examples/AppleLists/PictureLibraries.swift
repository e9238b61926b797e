import Foundation
import RowOperations

// For the app that already has Nuke, Kingfisher or SDWebImage. The library downloads, decodes and
// keeps pictures. The tracker decides which one to load now, and which cell shows it.

/// A library that loads pictures and keeps them.
///
/// - Nuke: `ImagePipeline.shared.cache[url]?.image`, and `ImagePipeline.shared.image(for: url)`.
/// - Kingfisher: `ImageCache.default.retrieveImageInMemoryCache(forKey: url.cacheKey)`, and
///   `KingfisherManager.shared.retrieveImage(with: url).image`.
/// - SDWebImage: `SDImageCache.shared.imageFromMemoryCache(forKey:)`, and a ``CallbackLibrary``.
protocol PictureLibrary<Picture>: Sendable {
  associatedtype Picture: Sendable

  /// The picture, if it is in memory.
  ///
  /// Called on the main actor, so it must not read a file.
  func pictureInMemory(for url: URL) -> Picture?

  /// Downloads the picture, or reads it from disk.
  ///
  /// Ends when its task is cancelled.
  func picture(for url: URL) async throws -> Picture
}

extension TrackerConfiguration where Row == URL {
  /// A tracker's configuration for pictures that a library keeps.
  ///
  /// - Parameters:
  ///   - library: Has the memory cache.
  ///   - downloads: How many downloads the library runs at once. With more slots than that, loads
  ///     would wait in the library, in its order.
  init(pictures library: some PictureLibrary<Value>, downloads: Int) {
    self.init()
    slots = UpdateSlots(downloads)
    // The library keeps pictures. The tracker holds those on screen alone.
    retention = .none
    cached = { library.pictureInMemory(for: $0) }
  }
}

extension DisplayTracker where Row == URL {
  /// A tracker for pictures that a library loads and keeps.
  convenience init(pictures library: some PictureLibrary<Value>, downloads: Int = 6) {
    self.init(configuration: .init(pictures: library, downloads: downloads)) { context in
      try await context.stage(.fetch) { try await library.picture(for: context.row) }
    }
  }
}

// MARK: - A library with callbacks

/// A library that calls back, and cancels a load by its handle, as SDWebImage does.
protocol CallbackLibrary<Picture>: Sendable {
  associatedtype Picture: Sendable

  /// Calls back once, on any thread, also after a cancel.
  ///
  /// For SDWebImage pass `.retryFailed`: otherwise it refuses a URL after some errors, and no retry
  /// of the tracker reaches the server.
  func load(
    _ url: URL, completed: @escaping @Sendable (Result<Picture, any Error>) -> Void
  ) -> any PictureDownload
}

/// A download that can be cancelled.
protocol PictureDownload: Sendable {
  func cancel()
}

/// One load of such a library.
final class PictureLoad<Library: CallbackLibrary>: ResultOperation<Library.Picture>,
  @unchecked Sendable
{
  // Sendable: these two never change, and the lock protects the download.
  private let library: Library
  private let url: URL
  private let lock = NSLock()
  private var download: (any PictureDownload)?

  init(_ url: URL, from library: Library) {
    self.library = library
    self.url = url
    super.init()
  }

  override func main() {
    let started = library.load(url) { self.finish(with: $0) }
    lock.withLock { download = started }
    // There was nothing to cancel until now.
    if isCancelled { started.cancel() }
  }

  override func didCancel() { lock.withLock { download }?.cancel() }
}

extension CallbackLibrary {
  /// Loads a picture, and cancels the download if its task is cancelled.
  func picture(for url: URL) async throws -> Picture {
    let load = PictureLoad(url, from: self)
    return try await withTaskCancellationHandler {
      // No queue: the tracker's slots limit the loads.
      load.start()
      return try await load.value
    } onCancel: {
      load.cancel()
    }
  }
}
