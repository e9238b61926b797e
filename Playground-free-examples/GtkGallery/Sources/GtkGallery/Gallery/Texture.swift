import CGtk

/// A decoded picture, ready to be shown.
final class Texture: @unchecked Sendable {
  // Textures never change and may be shared between threads.
  let pointer: OpaquePointer

  /// Takes over a new texture.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  /// Makes a texture of a decoded picture, on any thread.
  convenience init(upright picture: OpaquePointer) {
    // Cameras store the picture as the sensor saw it, and its orientation beside it.
    let upright = gdk_pixbuf_apply_embedded_orientation(picture)
    defer { g_object_unref(upright?.raw) }
    self.init(gdk_texture_new_for_pixbuf(upright))
  }

  deinit {
    // A renderer may have attached data that must end on the main thread.
    g_main_context_invoke(
      nil,
      { pointer in
        g_object_unref(pointer)
        return 0
      }, pointer.raw)
  }

  var width: Int { Int(gdk_texture_get_width(pointer)) }
  var height: Int { Int(gdk_texture_get_height(pointer)) }
  var byteCount: Int { width * height * 4 }

  /// The pixels, of 32 bits each, row by row.
  var pixels: [UInt32] {
    [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      buffer.withMemoryRebound(to: UInt8.self) {
        gdk_texture_download(pointer, $0.baseAddress, gsize(width * 4))
      }
      count = width * height
    }
  }
}
