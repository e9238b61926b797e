import CGtk
import Foundation

/// The widgets of the window.
@MainActor
final class GalleryView {
  let window: Widget = gtk_window_new()
  let counts = Counts()
  /// The rows of the grid: strings.
  let model: OpaquePointer = gtk_string_list_new(nil)
  let factory: OpaquePointer = gtk_signal_list_item_factory_new()
  let grid: Widget
  let adjustment: UnsafeMutablePointer<GtkAdjustment>
  private let title: Widget = gtk_label_new(nil)
  private let subtitle: Widget = gtk_label_new(nil)
  private let message: Widget = gtk_label_new(nil)
  private let pages: Widget = gtk_stack_new()
  private let scroller: Widget = gtk_scrolled_window_new()
  private let reloadButton: Widget = gtk_button_new_with_label("Reload")

  init() {
    grid = gtk_grid_view_new(gtk_no_selection_new(model), factory)
    gtk_grid_view_set_max_columns(grid.opaque, 12)
    gtk_scrolled_window_set_child(scroller.opaque, grid)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    adjustment = gtk_scrolled_window_get_vadjustment(scroller.opaque)

    gtk_widget_add_css_class(message, "message")
    gtk_label_set_wrap(message.opaque, 1)
    gtk_label_set_justify(message.opaque, GTK_JUSTIFY_CENTER)
    gtk_stack_add_child(pages.opaque, scroller)
    gtk_stack_add_child(pages.opaque, message)

    let window = window.cast(to: GtkWindow.self)
    gtk_window_set_default_size(window, 960, 720)
    gtk_window_set_titlebar(window, header())
    gtk_window_set_child(window, pages)
    addKeys("<Control>w|<Control>q") { gtk_window_close(window) }
    Self.addStyle()
  }

  private func header() -> Widget {
    gtk_widget_add_css_class(title, "title")
    gtk_label_set_ellipsize(title.opaque, PANGO_ELLIPSIZE_MIDDLE)
    gtk_widget_add_css_class(subtitle, "subtitle")
    let figures: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    gtk_widget_set_halign(figures, GTK_ALIGN_CENTER)
    gtk_box_append(figures.cast(to: GtkBox.self), subtitle)
    gtk_box_append(figures.cast(to: GtkBox.self), counts.label)
    let titles: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    gtk_widget_set_valign(titles, GTK_ALIGN_CENTER)
    gtk_box_append(titles.cast(to: GtkBox.self), title)
    gtk_box_append(titles.cast(to: GtkBox.self), figures)
    let header: Widget = gtk_header_bar_new()
    gtk_header_bar_set_title_widget(header.opaque, titles)
    gtk_header_bar_pack_start(header.opaque, reloadButton)
    return header
  }

  private static func addStyle() {
    let provider: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()
    gtk_css_provider_load_from_data(
      provider,
      """
      gridview > child { padding: 8px; border-radius: 9px; }
      gridview > child box { margin: 0; border-spacing: 0; }
      .loading, .failed { border-radius: 6px; background: alpha(currentColor, 0.07); }
      .failed { border: 1px dashed alpha(@error_color, 0.7); background: none; padding: 12px; }
      .caption { font-size: smaller; opacity: 0.8; }
      .counts { font-feature-settings: "tnum"; }
      .message { font-size: larger; opacity: 0.7; margin: 48px; }
      """, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }

  /// How many device pixels a point has on the screen with the most.
  static var scale: Int {
    let monitors = gdk_display_get_monitors(gdk_display_get_default())
    let scales = (0..<g_list_model_get_n_items(monitors)).map { index in
      let monitor = g_list_model_get_item(monitors, index)
      defer { g_object_unref(monitor) }
      return monitor.map { Int(gdk_monitor_get_scale_factor($0.opaque)) } ?? 1
    }
    return scales.max() ?? 1
  }

  // MARK: Contents

  func show(_ folder: Folder, count: Int) {
    gtk_label_set_text(title.opaque, folder.name.description)
    gtk_label_set_text(subtitle.opaque, count == 1 ? "1 picture" : "\(count) pictures")
    gtk_window_set_title(window.cast(to: GtkWindow.self), folder.name.description)
    gtk_stack_set_visible_child(pages.opaque, scroller)
    if count == 0 {
      say("There are no pictures in “\(folder.name)” yet.\nPut some there and press Reload.")
    }
  }

  /// Shows a message in place of the pictures.
  func say(_ text: String) {
    gtk_label_set_text(message.opaque, text)
    gtk_stack_set_visible_child(pages.opaque, message)
  }

  // MARK: Keys and buttons

  func onReload(_ reload: @escaping @MainActor () -> Void) {
    reloadButton.on("clicked", reload)
    addKeys("F5", reload)
  }

  /// Calls back when a person presses one of some keys.
  ///
  /// - Parameter keys: The keys in GTK's notation, with bars between them.
  private func addKeys(_ keys: String, _ body: @escaping @MainActor () -> Void) {
    let controller: OpaquePointer = gtk_shortcut_controller_new()
    gtk_shortcut_controller_add_shortcut(
      controller,
      gtk_shortcut_new(
        gtk_shortcut_trigger_parse_string(keys),
        gtk_callback_action_new(
          { _, _, data in
            object(data, as: Action.self).body()
            return 1
          }, userData(Action(body)), { releaseUserData($0) })))
    gtk_widget_add_controller(window, controller)
  }

  // MARK: Frames

  /// Calls back when a frame has been laid out and painted.
  func afterEachFrame(_ body: @escaping @MainActor () -> Void) {
    grid.on("realize") { [grid] in
      gtk_widget_get_frame_clock(grid)?.on("after-paint", body)
    }
  }

  /// Requests a frame even if there is nothing new to paint.
  func requestFrame() {
    guard let clock = gtk_widget_get_frame_clock(grid) else { return }
    gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
  }

  /// The time of the current or last frame, in microseconds.
  var frameTime: Int64? {
    gtk_widget_get_frame_clock(grid).map { Int64(gdk_frame_clock_get_frame_time($0)) }
  }

  // MARK: Measuring

  var offset: Double { gtk_adjustment_get_value(adjustment) }
  var page: Double { gtk_adjustment_get_page_size(adjustment) }

  /// The cells that lie in the viewport at least in part, as the grid has laid them out.
  var visibleCells: [PlacedCell] {
    sequence(first: gtk_widget_get_first_child(grid), next: { gtk_widget_get_next_sibling($0) })
      .compactMap(placed)
  }

  private func placed(_ child: Widget?) -> PlacedCell? {
    guard let child, let cell = Cell.of(gtk_widget_get_first_child(child)), cell.isMapped else {
      return nil
    }
    let frame = child.bounds(in: grid)
    guard frame.minY < page, frame.maxY > 0 else { return nil }
    return PlacedCell(cell: cell, frame: frame)
  }
}

extension Widget {
  /// Where a widget lies in another one that contains it.
  func bounds(in other: Widget) -> CGRect {
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(self, other, &bounds) != 0 else { return .null }
    return CGRect(
      x: Double(bounds.origin.x), y: Double(bounds.origin.y),
      width: Double(bounds.size.width), height: Double(bounds.size.height))
  }
}
