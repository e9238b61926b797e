/// The place of a view, which decides how the watcher of a list finds its displays.
enum ViewPlace: Hashable, Sendable {
  /// A cell of the list, which names its cells on screen.
  case cell
  /// Elsewhere inside the list: on screen by its frame.
  case inside
  /// Not in the list: only the app reports its displays.
  case outside
  /// In no view, such as a cell that the list has just got from the app, or one in a reuse pool.
  case unplaced
}

/// The interface of the view that watches a list for the list's relay.
@MainActor
protocol ListWatching: AnyObject {
  /// Requests a report after the next layout of the list.
  func lookSoon()
  func place(of view: AnyObject) -> ViewPlace
  /// Whether a part of a view is on screen in the list, by its frame.
  func isOnScreen(_ view: AnyObject) -> Bool
  func stop()
}
