/// An object that follows the turns of a tracker, such as a count of impressions.
@MainActor
protocol TurnFollowing: AnyObject {
  /// The time of the next turn that is due without an event.
  var nextDeadline: Int64? { get }
  /// Records a reason for which the user cannot see the lists.
  func cover(_ cover: Cover, at now: Int64)
  /// Removes a reason for which the user cannot see the lists.
  func uncover(_ cover: Cover, at now: Int64)
  /// Called after a turn, once all displays have been reported.
  func passEnded(at now: Int64)
}

/// The reason for which the user cannot see any list of a tracker.
enum Cover: Hashable, Sendable {
  case suspended
  case background
}
