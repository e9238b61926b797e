import CGtk

/// An error of GLib.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  /// Takes over the error of a call.
  static func taken(_ error: UnsafeMutablePointer<GError>?) -> LibraryError {
    guard let error else { return LibraryError(description: "It failed without a reason.") }
    defer { g_error_free(error) }
    return LibraryError(description: String(cString: error.pointee.message))
  }
}
