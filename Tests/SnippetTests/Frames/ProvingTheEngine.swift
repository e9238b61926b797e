import RowOperations
import RowOperationsTesting

#if canImport(Testing)
  import Testing

  @MainActor
  private func replay(_ tracker: DisplayTracker<Int, String>, _ clock: ManualClock) throws {
    //@ let player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { Int($0) ?? -1 })
  }
#endif
