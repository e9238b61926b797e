/// A list whose positions on screen are found by the rows there.
@MainActor
final class FollowedOrder {
  /// The rows of the list; `nil` if the list passes them each time.
  var order: NumberedOrder?
  /// Called with the positions on screen, each time they may have changed.
  var moved: (@MainActor (Range<Int>) -> Void)?
  /// Whether the rows of the list have changed since they were last read.
  var isOtherData = true
  var isCovered = false
  /// The last known first position on screen.
  var lastPosition = 0
  /// The rows that were on screen.
  var lastDisplayed: [RowID] = []
  /// A search that has not ended.
  var search: OrderSearch?

  /// Whether the window has to move for rows on screen.
  func isNew(_ displayed: [RowID]) -> Bool {
    isOtherData || search != nil || displayed != lastDisplayed
  }
}
