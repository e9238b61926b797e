import Proofs

@testable import RowOperations

@MainActor
extension RecordedInputs {
  /// Records the inputs of a tracker from now on.
  convenience init<Row, Value>(of tracker: DisplayTracker<Row, Value>) {
    self.init()
    tracker.recordEvents { self.lines.append($0) }
  }

  /// Plays the inputs of a tracker to the engine and to the naive model beside it.
  ///
  /// - Returns: The complaints of the model, or the difference between the engine and the tracker.
  func differences<Row, Value>(from tracker: DisplayTracker<Row, Value>) throws -> [String] {
    let numbers = tracker.store.numbers
    return try differences(
      tracker.core.engine.settings, slots: tracker.core.slots.count,
      displayed: tracker.displayedRows.compactMap { numbers?.number($0) })
  }
}
