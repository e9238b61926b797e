import CGtk

/// Reads a picture's file and decodes it, a piece at a time.
///
/// **Threading**: any thread, one at a time. The main loop has no part in it.
final class PictureReader {
  private let stream: UnsafeMutablePointer<GInputStream>
  private let loader: UnsafeMutablePointer<GdkPixbufLoader> = gdk_pixbuf_loader_new()
  private let header: PictureHeader
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  private var isClosed = false

  // A picture of few colours can have thousands of pixels in a byte.
  private static let pieceSize = 4096

  /// - Parameter side: The longer side of the decoded picture, in pixels, unless it is smaller.
  init(path: String, side: Int) throws {
    header = PictureHeader(side: side)
    header.watch(loader)
    let file = g_file_new_for_path(path)
    defer { g_object_unref(file?.raw) }
    var error: UnsafeMutablePointer<GError>?
    guard let stream = g_file_read(file, nil, &error) else {
      gdk_pixbuf_loader_close(loader, nil)
      g_object_unref(loader)
      throw LibraryError.taken(error)
    }
    self.stream = stream.cast(to: GInputStream.self)
  }

  deinit {
    // Loaders have to be closed, also those that were given up.
    if !isClosed { gdk_pixbuf_loader_close(loader, nil) }
    g_object_unref(loader)
    g_object_unref(stream)
  }

  /// Known after the first pieces, or only at the end in some formats.
  var size: PictureSize? { header.size }

  /// Decodes the next piece of the file.
  ///
  /// - Returns: Whether there was one.
  func readPiece() throws -> Bool {
    var error: UnsafeMutablePointer<GError>?
    let count = g_input_stream_read(stream, &piece, gsize(piece.count), nil, &error)
    guard count >= 0 else { throw LibraryError.taken(error) }
    guard count > 0 else { return false }
    let isTaken = gdk_pixbuf_loader_write(loader, piece, gsize(count), &error) != 0
    try check(isTaken, error)
    return true
  }

  /// Ends the picture, of which all pieces were read.
  func finish() throws -> Texture {
    var error: UnsafeMutablePointer<GError>?
    isClosed = true
    let isWhole = gdk_pixbuf_loader_close(loader, &error) != 0
    try check(isWhole, error)
    guard let picture = gdk_pixbuf_loader_get_pixbuf(loader) else {
      throw LibraryError(description: "It is not a picture.")
    }
    return Texture(upright: picture)
  }

  private func check(_ succeeded: Bool, _ error: UnsafeMutablePointer<GError>?) throws {
    // A loader's own words for a picture of no size would not help.
    if let refusal = header.refusal {
      if let error { g_error_free(error) }
      throw refusal
    }
    guard succeeded else { throw LibraryError.taken(error) }
  }
}
