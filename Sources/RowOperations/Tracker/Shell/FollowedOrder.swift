/// A list whose positions on screen are found by its rows.
@MainActor
final class FollowedOrder {
  /// `nil` if the list passes its rows each time.
  var order: NumberedOrder?
  /// Called with the positions on screen when they may have changed.
  var moved: (@MainActor (Range<Int>) -> Void)?
  /// Whether the rows have changed since they were last read.
  var isOtherData = true
  var isCovered = false
  /// The last known first position on screen.
  var lastPosition = 0
  var lastDisplayed: [RowID] = []
  var search: OrderSearch?

  /// Whether the window has to move for these rows.
  func isNew(_ displayed: [RowID]) -> Bool {
    isOtherData || search != nil || displayed != lastDisplayed
  }
}
