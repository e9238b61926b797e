import AsyncOperations
import Proofs
import RowOperationsTesting

@testable import RowOperations

/// A tracker of numbered rows whose loads end when a test says so, in virtual time.
@MainActor
final class VirtualRows {
  let clock: ManualClock
  let tracker: DisplayTracker<Int, Int>
  private let player: ScriptPlayer<Int, Int>

  /// - Parameter size: That of batches; 0 for none.
  init(
    _ slots: UpdateSlots, clock: ManualClock = ManualClock(), batchesOf size: Int = 0,
    configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
  ) {
    self.clock = clock
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = slots
    configuration.clock = clock
    configure(&configuration)
    tracker =
      size > 0
      ? DisplayTracker(configuration: configuration, batchesOf: size) { _ in [:] }
      : DisplayTracker(configuration: configuration) { $0.row }
    tracker.holdOperations()
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
  }

  /// Plays a script and the end of a pass; each row has a cell of its own.
  func play(_ script: String = "") throws {
    for step in try EventScript("\(script) |").steps {
      switch step {
      case .cellFor(let row, _): player.play(.cellFor(row: row, cell: row))
      case .willDisplay(let row?, _): player.play(.willDisplay(row: row, cell: row))
      case .didEndDisplaying(let row?, _): player.play(.didEndDisplaying(row: row, cell: row))
      default: player.play(step)
      }
    }
  }

  /// Ends the loads of rows with values, in one pass.
  func finish(_ rows: Int...) {
    for row in rows { _ = tracker.endLoad(of: row) { _ in .success(row) } }
    tracker.endPass()
  }

  static func refusal(_ seconds: Int64) -> HTTPStatusError {
    HTTPStatusError(status: 429, retryAfter: .seconds(seconds))
  }

  /// Ends the loads of rows with an error, in one pass.
  func fail(_ rows: Int..., with error: any Error = VirtualRows.refusal(1)) {
    for row in rows { _ = tracker.endLoad(of: row) { _ in .failure(error) } }
    tracker.endPass()
  }

  private func rows(where isMeant: (LoadPhase) -> Bool) -> [Int] {
    (0..<40).filter { isMeant(tracker.phase(of: $0).kind) }
  }

  var loading: [Int] { rows { if case .loading = $0 { true } else { false } } }
  var loaded: [Int] { rows { $0 == .loaded } }
  var failed: [Int] { rows { $0 == .failed } }

  /// The time until the next turn without an input, in milliseconds.
  var deadline: Int64? {
    let now = tracker.core.time
    return tracker.core.state.engine.nextDeadline.map { ($0 - now) / 1_000_000 }
  }
}
