import RowOperationsTesting

@testable import RowOperations

/// The inputs that a tracker has recorded, played to the engine and to the naive model beside it.
package final class RecordedInputs {
  package var lines: [String] = []

  package init() {}

  /// - Parameters:
  ///   - settings: Those of the tracker.
  ///   - displayed: The numbers of the rows that the tracker displays in the end.
  /// - Returns: The complaints of the model after the shortest script that still has some, or the
  ///   difference between the engine and the tracker.
  package func differences(
    _ settings: TrackerEngine.Settings, slots: Int, displayed: [Int]
  ) throws -> [String] {
    let play = { (script: EventScript) in
      let driver = EngineDriver(settings: settings, slots: slots)
      var naive = NaiveTracker(settings: settings, slots: slots) { _ in FailureCause(kind: 2) }
      return (complaints: naive.complaints(about: driver, playing: script), driver: driver)
    }
    let script = try EventScript(lines.joined(separator: " "))
    let (complaints, driver) = play(script)
    guard complaints.isEmpty else {
      let short = script.shrunk { !play($0).complaints.isEmpty }
      return ["\(play(short).complaints) after \(short)"]
    }
    let shown = driver.rowIDs.filter { driver.engine.rows[$0.value].displays > 0 }.keys.sorted()
    return shown == displayed.sorted()
      ? [] : ["the recording displays \(shown), not \(displayed.sorted())"]
  }
}
