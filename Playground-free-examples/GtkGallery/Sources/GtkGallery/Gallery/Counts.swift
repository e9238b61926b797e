import CGtk
import RowOperations

/// The tracker's counts of loads, in the header bar.
@MainActor
final class Counts {
  let label: Widget = gtk_label_new(nil)
  /// Returns the current figures.
  var metrics: () -> TrackerMetrics? = { nil }
  private var isChanged = false

  init() {
    gtk_widget_add_css_class(label, "subtitle")
    gtk_widget_add_css_class(label, "counts")
    gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
  }

  var text: String { String(cString: gtk_label_get_text(label.opaque)) }

  /// Shows changed figures, at most once per turn of the loop.
  func change() {
    guard !isChanged else { return }
    isChanged = true
    afterThisTurn { [weak self] in self?.show() }
  }

  private func show() {
    isChanged = false
    guard let metrics = metrics() else { return }
    gtk_label_set_text(label.opaque, Self.text(metrics))
  }

  static func text(_ metrics: TrackerMetrics) -> String {
    let ended = metrics.finished + metrics.failed + metrics.cancelledRunning + metrics.refusedStale
    var parts = [
      "\(metrics.started - ended) loading", "\(metrics.finished) loaded",
      "\(metrics.cancelledWaiting + metrics.cancelledRunning) cancelled",
    ]
    if metrics.failed > 0 { parts.append("\(metrics.failed) failed") }
    return parts.joined(separator: " · ")
  }
}
