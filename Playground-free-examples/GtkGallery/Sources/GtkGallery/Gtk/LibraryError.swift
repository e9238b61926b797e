import CGtk

/// What GLib says of something that went wrong.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  /// Takes over an error that a call has left behind.
  static func taken(_ error: UnsafeMutablePointer<GError>?) -> LibraryError {
    guard let error else { return LibraryError(description: "It failed without a reason.") }
    defer { g_error_free(error) }
    return LibraryError(description: String(cString: error.pointee.message))
  }
}
