import RowOperations

/// The contents of the cells in a run, frame by frame.
struct Findings: Sendable {
  /// The last value that each row showed.
  private(set) var shown: [Int: RowDocument] = [:]
  /// Rows that showed bytes that were never sent for them.
  private(set) var wrongRows: Set<Int> = []
  private(set) var checkedRows: Set<Int> = []
  /// The longest of the rests at which all rows were loaded in the end.
  private(set) var longestRest: Duration?
  /// Rows on screen without a value at the beginning of all rests, together.
  private(set) var notLoadedAtStandstill = 0
  /// Rows on screen without a value at the end of all rests, together.
  private(set) var notLoadedAfterwards = 0
  /// For how long how many rows on screen showed no value.
  private(set) var blankRowTime = Duration.zero

  /// A row shows a value.
  ///
  /// - Parameter wasSent: Whether the value's bytes were sent for the row; `nil` if unknown.
  mutating func saw(_ document: RowDocument, in row: Int, wasSent: Bool?) {
    shown[row] = document
    if wasSent != nil || document.namesRow { checkedRows.insert(row) }
    if wasSent == false { wrongRows.insert(row) }
  }

  mutating func wereBlank(_ rows: Int, for time: Duration) { blankRowTime += time * rows }

  mutating func stoodStill(notLoaded: Int) { notLoadedAtStandstill += notLoaded }

  /// Records the end of a rest: no load is under way, or the loads took too long.
  mutating func restEnded(after time: Duration, notLoaded: Int) {
    notLoadedAfterwards += notLoaded
    if notLoaded == 0 { longestRest = max(longestRest ?? .zero, time) }
  }
}
