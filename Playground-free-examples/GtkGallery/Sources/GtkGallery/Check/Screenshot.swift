import CGtk

extension GalleryView {
  /// The window as it is painted, without what surrounds it.
  func snapshot() throws -> Texture {
    let paintable = gtk_widget_paintable_new(window)
    defer { g_object_unref(paintable?.raw) }
    let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
    guard let node = gtk_snapshot_free_to_node(snapshot) else {
      throw Complaint("The window is not painted.")
    }
    defer { gsk_render_node_unref(node) }
    var bounds = graphene_rect_t(
      origin: .init(x: 0, y: 0), size: .init(width: Float(width), height: Float(height)))
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
