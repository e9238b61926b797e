#if canImport(CoreGraphics) && canImport(ImageIO)
  import CoreGraphics
  import Foundation
  import ImageIO

  #if canImport(UIKit)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// A decoded picture, on iOS and macOS alike: `NSImage` is not `Sendable`.
  ///
  /// ```swift
  /// let pictures = DisplayTracker<URL, DecodedPicture> { context in
  ///   let data = try await context.fetch(context.row)
  ///   return try await context.stage(.decode) {
  ///     try DecodedPicture(data: data, maximumPixels: 600)
  ///   }
  /// }
  /// ```
  ///
  /// **Threading**: any thread may make and read it.
  public struct DecodedPicture: Sendable, MemoryCosting {
    /// The bitmap.
    public let cgImage: CGImage
    /// The number of pixels per point.
    public let scale: CGFloat

    /// Holds a bitmap.
    public init(_ cgImage: CGImage, scale: CGFloat = 1) {
      (self.cgImage, self.scale) = (cgImage, scale)
    }

    /// Decodes a picture at once and upright.
    ///
    /// **Errors**: `URLError.cannotDecodeContentData`. **Cost**: that of decoding; call it in the
    /// stage `.decode`.
    ///
    /// - Parameters:
    ///   - data: Of any format that ImageIO reads.
    ///   - maximumPixels: The largest length of the longer side, in pixels; `nil` keeps the size.
    ///   - scale: Pixels per point.
    public init(data: Data, maximumPixels: Int? = nil, scale: CGFloat = 1) throws {
      guard let source = CGImageSourceCreateWithData(data as CFData, nil) else {
        throw URLError(.cannotDecodeContentData)
      }
      var options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceShouldCacheImmediately: true,
      ]
      if let maximumPixels { options[kCGImageSourceThumbnailMaxPixelSize] = maximumPixels }
      guard
        let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
      else { throw URLError(.cannotDecodeContentData) }
      self.init(image, scale: scale)
    }

    /// The bytes of the bitmap.
    public var memoryCost: Int { cgImage.memoryCost }

    #if canImport(UIKit)
      /// The picture for an image view; O(1).
      public var image: UIImage { UIImage(cgImage: cgImage, scale: scale, orientation: .up) }
    #elseif canImport(AppKit)
      /// The picture for an image view; O(1).
      public var image: NSImage {
        let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
        return NSImage(cgImage: cgImage, size: NSSize(width: width, height: height))
      }
    #endif
  }
#endif
