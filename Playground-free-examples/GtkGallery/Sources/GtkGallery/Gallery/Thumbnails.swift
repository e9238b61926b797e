import CGtk
import RowOperations

/// Decodes the pictures of a folder at the size at which they are shown.
struct Thumbnails: Sendable {
  let folder: Folder
  /// The longer side of a thumbnail, in device pixels.
  let side: Int

  /// What a row's update does, off the main thread; stops at the next block of the file when it is
  /// cancelled.
  func load(_ context: UpdateContext<String, Texture>) async throws -> Texture {
    let path = folder.path(of: context.row)
    let cancellable = Cancellable()
    return try await withTaskCancellationHandler {
      let longest = try await context.stage("measure") {
        try await longerSide(of: path, cancellable)
      }
      return try await context.stage(.decode) {
        try await decode(path, within: min(side, longest), cancellable)
      }
    } onCancel: {
      cancellable.cancel()
    }
  }

  /// The longer side of a picture, as its first bytes tell it.
  private func longerSide(of path: String, _ cancellable: Cancellable) async throws -> Int {
    let outcome = await outcome {
      gdk_pixbuf_get_file_info_async(path, cancellable.pointer, $0, $1)
    }
    defer { g_object_unref(outcome.pointer.raw) }
    var (width, height): (gint, gint) = (0, 0)
    var error: UnsafeMutablePointer<GError>?
    guard gdk_pixbuf_get_file_info_finish(outcome.pointer, &width, &height, &error) != nil else {
      throw error == nil
        ? LibraryError(description: "It is not a picture.") : LibraryError.taken(error)
    }
    return Int(max(width, height))
  }

  private func decode(
    _ path: String, within side: Int, _ cancellable: Cancellable
  ) async throws -> Texture {
    var error: UnsafeMutablePointer<GError>?
    let file = g_file_new_for_path(path)
    defer { g_object_unref(file?.raw) }
    guard let stream = g_file_read(file, cancellable.pointer, &error) else {
      throw LibraryError.taken(error)
    }
    defer { g_object_unref(stream) }
    let outcome = await outcome {
      gdk_pixbuf_new_from_stream_at_scale_async(
        stream.cast(to: GInputStream.self), gint(side), gint(side), 1, cancellable.pointer, $0, $1)
    }
    defer { g_object_unref(outcome.pointer.raw) }
    guard let picture = gdk_pixbuf_new_from_stream_finish(outcome.pointer, &error) else {
      throw LibraryError.taken(error)
    }
    defer { g_object_unref(picture.raw) }
    // Cameras write the picture as the sensor lay, and which way up it is beside it.
    let upright = gdk_pixbuf_apply_embedded_orientation(picture)
    defer { g_object_unref(upright?.raw) }
    return Texture(gdk_texture_new_for_pixbuf(upright))
  }
}
