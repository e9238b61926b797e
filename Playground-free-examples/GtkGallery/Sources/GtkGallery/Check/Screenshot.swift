import CGtk

extension GalleryView {
  /// The painted window with its frame.
  func snapshot() throws -> Texture {
    let paintable = gtk_widget_paintable_new(window)
    defer { g_object_unref(paintable?.raw) }
    let size = window.bounds(in: window).size
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(paintable, snapshot, size.width, size.height)
    guard let node = gtk_snapshot_free_to_node(snapshot) else {
      throw Complaint("The window is not painted.")
    }
    defer { gsk_render_node_unref(node) }
    var bounds = graphene_rect_t(
      origin: .init(x: 0, y: 0), size: .init(width: Float(size.width), height: Float(size.height)))
    let renderer = gtk_native_get_renderer(window.opaque)
    return Texture(gsk_renderer_render_texture(renderer, node, &bounds))
  }
}

extension Texture {
  func write(to path: String) throws {
    guard gdk_texture_save_to_png(pointer, path) != 0 else {
      throw Complaint("'\(path)' cannot be written.")
    }
  }
}
