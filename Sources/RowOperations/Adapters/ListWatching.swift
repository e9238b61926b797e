/// The interface of the view that watches a list for the list's relay.
@MainActor
package protocol ListWatching: AnyObject {
  /// Requests a report after the next layout of the list.
  func lookSoon()
  /// Whether a view is a cell of the list.
  ///
  /// The list names its cells on screen. All other bound views count as on screen by their frames.
  func isListed(_ view: AnyObject) -> Bool
  /// Whether a part of a view is on screen in the list, by its frame.
  func isOnScreen(_ view: AnyObject) -> Bool
  /// The time of the list's frames, in nanoseconds.
  var now: Int64 { get }
  /// The name of the list's class.
  var listName: String { get }
  func stop()
}
