import CGtk
import RowOperations

/// A place in the grid: the picture or a note in its place, and the file's name.
///
/// Its outermost widget owns it, so it lives at least as long as it is bound.
@MainActor
final class Cell {
  /// The side of the square that a picture fits in, in points.
  static let side = 160

  let root: Widget
  let picture: Reference
  let note: Reference
  let caption: Reference

  /// The row of the last binding.
  private(set) var name: FileName?
  /// The list item, while the cell is bound.
  private var item: OpaquePointer?

  init() {
    root = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)

    let overlay: Widget = gtk_overlay_new()
    gtk_widget_set_size_request(overlay, gint(Self.side), gint(Self.side))
    gtk_widget_set_halign(overlay, GTK_ALIGN_CENTER)
    gtk_box_append(root.cast(to: GtkBox.self), overlay)

    let note: Widget = gtk_label_new(nil)
    gtk_label_set_wrap(note.opaque, 1)
    gtk_label_set_justify(note.opaque, GTK_JUSTIFY_CENTER)
    gtk_label_set_max_width_chars(note.opaque, 14)
    gtk_overlay_set_child(overlay.opaque, note)
    self.note = Reference(to: note)

    let picture: Widget = gtk_picture_new()
    gtk_widget_set_halign(picture, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
    gtk_overlay_add_overlay(overlay.opaque, picture)
    self.picture = Reference(to: picture)

    let caption: Widget = gtk_label_new(nil)
    gtk_widget_add_css_class(caption, "caption")
    gtk_label_set_ellipsize(caption.opaque, PANGO_ELLIPSIZE_MIDDLE)
    gtk_label_set_single_line_mode(caption.opaque, 1)
    gtk_label_set_width_chars(caption.opaque, 16)
    gtk_label_set_max_width_chars(caption.opaque, 16)
    gtk_box_append(root.cast(to: GtkBox.self), caption)
    self.caption = Reference(to: caption)

    g_object_set_data_full(
      root.cast(to: GObject.self), Self.key, userData(self), { releaseUserData($0) })
  }

  private static let key = "cell"

  static func of(_ widget: Widget?) -> Cell? {
    guard let widget else { return nil }
    return g_object_get_data(widget.cast(to: GObject.self), key).map { object($0, as: Cell.self) }
  }

  var isMapped: Bool { gtk_widget_get_mapped(root) != 0 }

  /// The place of its row in the list, while the cell is bound.
  var position: Int? {
    guard let item else { return nil }
    let position = gtk_list_item_get_position(item)
    return position == guint.max ? nil : Int(position)
  }

  func take(_ name: FileName, from item: OpaquePointer) {
    (self.name, self.item) = (name, item)
    gtk_label_set_text(caption.pointer, name.description)
  }

  func release() { item = nil }

  func show(_ phase: RowPhase<Texture>) {
    let texture = phase.value
    let failure = texture == nil ? phase.error : nil
    gtk_picture_set_paintable(picture.pointer, texture?.pointer)
    let note = note.pointer.widget
    gtk_widget_set_visible(note, texture == nil ? 1 : 0)
    gtk_widget_remove_css_class(note, failure == nil ? "failed" : "loading")
    gtk_widget_add_css_class(note, failure == nil ? "loading" : "failed")
    gtk_label_set_text(note.opaque, failure.map(Self.text) ?? "")
    let name = name?.description ?? ""
    gtk_widget_set_tooltip_text(root, phase.error.map { "\(name): \($0)" } ?? name)
  }

  private static func text(of failure: any Error) -> String {
    failure is TooManyPixels
      ? "This picture is too large to be shown" : "This picture cannot be shown"
  }
}
