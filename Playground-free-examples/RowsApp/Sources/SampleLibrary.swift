#if canImport(UIKit)
  import RowOperations
  import UIKit

  /// A picture library in a few lines, in the place of Nuke, Kingfisher or SDWebImage.
  struct SampleLibrary: PictureLibrary {
    private let memory = Memory()

    func pictureInMemory(for url: URL) -> UIImage? { memory.cache.object(forKey: url as NSURL) }

    func picture(for url: URL) async throws -> UIImage {
      let data = try await URLSession.shared.fetch(url)
      guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
        throw URLError(.cannotDecodeContentData)
      }
      memory.cache.setObject(image, forKey: url as NSURL)
      return image
    }

    // Sendable: `NSCache` may be used on any thread.
    private struct Memory: @unchecked Sendable {
      let cache = NSCache<NSURL, UIImage>()
    }
  }
#endif
