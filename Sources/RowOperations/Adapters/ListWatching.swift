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
  /// The time of the list's frames, in nanoseconds.
  var now: Int64 { get }
  func stop()

  // For traces.

  /// Whether a view may be a cell of the list, by its class.
  func isCell(_ view: AnyObject) -> Bool

  /// The name of the system's class of the list.
  var listName: String { get }
  /// The part of the content on screen, the size of the content, and the insets.
  var geometry: String { get }
  /// The frame of a view in the content.
  func geometry(of view: AnyObject) -> String
}
