import CGtk

/// The size of a picture in pixels, according to the first bytes of its file.
struct PictureSize: Hashable, Sendable {
  let width: Int
  let height: Int

  /// Most formats are decoded whole, so this is 400 MB of memory at most.
  static let mostPixels = 100_000_000

  var pixels: Int { width * height }

  /// The size that fits in a square; smaller pictures keep their size.
  func fitting(_ side: Int) -> PictureSize {
    max(width, height) > side ? filling(side) : self
  }

  /// The size with a longer side of this length.
  func filling(_ side: Int) -> PictureSize {
    let longest = max(width, height)
    // GdkPixbuf rounds in this way.
    func scaled(_ length: Int) -> Int {
      max(Int(0.5 + Double(length) * Double(side) / Double(longest)), 1)
    }
    return PictureSize(width: scaled(width), height: scaled(height))
  }
}

/// A picture with too many pixels for decoding.
struct TooManyPixels: Error, CustomStringConvertible {
  let size: PictureSize

  var description: String {
    """
    It has \(size.width) × \(size.height) pixels; pictures are shown up to \
    \(PictureSize.mostPixels / 1_000_000) million.
    """
  }
}

/// Sets the size at which a loader decodes its picture, or stops the loader.
final class PictureHeader {
  private let side: Int
  private(set) var size: PictureSize?
  /// Drawings have no pixels before they are drawn.
  private var isDrawing = false

  init(side: Int) { self.side = side }

  var refusal: TooManyPixels? {
    guard let size, size.pixels > PictureSize.mostPixels, !isDrawing else { return nil }
    return TooManyPixels(size: size)
  }

  /// Connects to the loader; call it before the loader gets its first byte.
  func watch(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) {
    let callback:
      @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
        let header = object($3, as: PictureHeader.self)
        let size = PictureSize(width: Int($1), height: Int($2))
        header.size = size
        let format = gdk_pixbuf_loader_get_format($0)
        header.isDrawing = format.map { gdk_pixbuf_format_is_scalable($0) != 0 } ?? false
        // A loader stops when its size is zero.
        let wanted = header.refusal == nil ? size.fitting(header.side) : .init(width: 0, height: 0)
        gdk_pixbuf_loader_set_size($0, gint(wanted.width), gint(wanted.height))
      }
    g_signal_connect_data(
      loader, "size-prepared", unsafeBitCast(callback, to: GCallback.self), userData(self),
      { data, _ in releaseUserData(data) }, GConnectFlags(rawValue: 0))
  }
}
