import CGtk

/// Reads a picture's file and decodes it, a piece at a time.
///
/// **Threading**: any thread, one at a time. It does not need the main loop.
final class PictureReader {
  private let stream: UnsafeMutablePointer<GInputStream>
  private let loader: UnsafeMutablePointer<GdkPixbufLoader> = gdk_pixbuf_loader_new()
  private let header: PictureHeader
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  private var isClosed = false

  // A picture of few colours can have thousands of pixels in a byte.
  private static let pieceSize = 4096

  /// - Parameter side: The longer side of the decoded picture, in pixels, unless it is smaller.
  init(path: FileName, side: Int) throws {
    header = PictureHeader(side: side)
    header.watch(loader)
    let file = path.withCString { g_file_new_for_path($0) }
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
    // GdkPixbuf requires a close even for loaders that have not reached the end.
    if !isClosed { gdk_pixbuf_loader_close(loader, nil) }
    g_object_unref(loader)
    g_object_unref(stream)
  }

  /// The size of the picture: known after the first pieces, or in some formats only at the end.
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

  /// Ends the picture after its last piece.
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
    // The loader's own error only says that the picture has no size.
    if let refusal = header.refusal {
      if let error { g_error_free(error) }
      throw refusal
    }
    guard succeeded else { throw LibraryError.taken(error) }
  }
}
