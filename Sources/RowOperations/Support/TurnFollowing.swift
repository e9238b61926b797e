/// Follows the turns of a tracker, such as a count of impressions.
@MainActor
protocol TurnFollowing: AnyObject {
  /// The next turn that is due without an event.
  var nextDeadline: Int64? { get }
  func cover(_ cover: Cover, at now: Int64)
  func uncover(_ cover: Cover, at now: Int64)
  /// After a turn, once all displays have been reported.
  func passEnded(at now: Int64)
}

/// Why the user cannot see a list, or any list of a tracker.
enum Cover: Hashable, Sendable {
  /// The app has said so.
  case suspended
  /// The app or its scene is in the background, or the window is not visible.
  case background
  /// The list is in no window.
  case noWindow
  /// The list or a view around it is hidden.
  case hidden
}
