/// The course of a list in a trial that is over, for a loader that sees the future.
///
/// Times are nanoseconds since the use of the list began.
struct SeenCourse: Sendable {
  /// When each row is on screen, in order.
  let visits: [Int: [Range<Int64>]]
  /// How long the list waits for its rows, each time that it does.
  let waits: [Int64]

  /// The time from a moment to an end, in which a row is on screen.
  ///
  /// - Parameter sight: The end of the known future. A row that is on screen then stays, and no
  ///   row comes later.
  func timeOnScreen(of row: Int, from start: Int64, to end: Int64, sight: Int64) -> Int64 {
    (visits[row] ?? []).reduce(0) { sum, visit in
      guard visit.lowerBound <= sight else { return sum }
      let leaves = visit.upperBound > sight ? .max : visit.upperBound
      return sum + max(min(leaves, end) - max(visit.lowerBound, start), 0)
    }
  }
}
