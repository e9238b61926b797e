import RowOperations

/// A batch of a script ends with the turn in which one of its rows ends.
@MainActor
struct BatchAnswers {
  private var answers: [UInt64: [Int: Result<Int, any Error>?]] = [:]

  nonisolated init() {}

  /// Adds the end of a load to the answer of the row's oldest batch.
  ///
  /// - Parameter result: `nil` if the answer lacks the row.
  /// - Returns: Whether such a batch runs.
  mutating func add(
    _ result: Result<Int, any Error>?, for row: Int, in tracker: DisplayTracker<Int, Int>
  ) -> Bool {
    let batch = tracker.batch(of: row) { answers[$0]?[row] == nil }
    guard let batch else { return false }
    answers[batch, default: [:]].updateValue(result, forKey: row)
    return true
  }

  /// With the error of a row if there is one, else with the values.
  mutating func end(in tracker: DisplayTracker<Int, Int>) {
    for (batch, rows) in answers.sorted(by: { $0.key < $1.key }) {
      _ = tracker.endBatch(batch, with: Result { try rows.compactMapValues { try $0?.get() } })
    }
    answers = [:]
  }
}
