import Foundation
import Proofs
import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A tracker with a manual clock, a load gate, a recorder and a script player.
@MainActor
final class TrackerRig {
  struct Loaded: Hashable, Sendable {
    let row: Int
    let generation: UInt64
  }

  struct Failure: Error, Hashable {
    let row: Int
  }

  let clock = ManualClock()
  let gate: LoadGate<Int, Loaded>
  /// The context of each row's newest load.
  let contexts = Box<[Int: UpdateContext<Int, Loaded>]>([:])
  let recorder = TrackerRecorder<Int>()
  let tracker: DisplayTracker<Int, Loaded>
  let player: ScriptPlayer<Int, Loaded>

  init(
    stopsWhenCancelled: Bool = true,
    configure: (inout TrackerConfiguration<Int, Loaded>) -> Void = { _ in }
  ) {
    gate = LoadGate(stopsWhenCancelled: stopsWhenCancelled)
    var configuration = TrackerConfiguration<Int, Loaded>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(4)
    configuration.onEvent = recorder.record
    configure(&configuration)
    tracker = DisplayTracker(configuration: configuration) { [gate, contexts] context in
      contexts.change { $0[context.row] = context }
      return try await gate.load(context)
    }
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: \.row)
    player.onLoadStep = { [unowned self] step in
      guard case .setValue(let row) = step else { return }
      tracker.setValue(Loaded(row: row, generation: 0), for: row)
    }
  }

  /// Plays steps that need no waiting.
  func play(_ text: String) throws {
    player.play(try EventScript(text))
  }

  /// Plays steps, among them loads that end.
  ///
  /// At the end of each pass, it waits until all running loads have reached the gate.
  func playToTheEnd(_ text: String) async throws {
    for step in try EventScript(text).steps {
      switch step {
      case .show(let row): show(row)
      case .report(let row): context(of: row)?.report(progress: 0.5)
      case .finish(let row): await end(row, with: .success(Loaded(row: row, generation: 0)))
      case .fail(let row): await end(row, with: .failure(Failure(row: row)))
      case .passEnd:
        player.play(step)
        await loadsBegan()
      default: player.play(step)
      }
    }
  }

  /// Waits until each running load has reached the gate or was cancelled before that.
  ///
  /// A turn in the meantime can cancel a load before its operation begins. Such a load never
  /// reaches the gate.
  func loadsBegan() async {
    await tracker.waitUntil { tracker in
      tracker.currentGenerations.isSubset(of: gate.log.began.map(\.generation))
    }
  }

  /// Ends the loads of a row at the gate, and waits until the tracker has counted the ends.
  ///
  /// - Parameter isCounted: `false` for a load that the tracker has already counted as failed.
  func end(_ row: Int, with result: Result<Loaded, any Error>, isCounted: Bool = true) async {
    await gate.wait { $0.waiting.contains { $0.row == row } }
    let loads = gate.log.waiting.count { $0.row == row }
    let before = ends(of: row)
    let running = tracker.core.engine.runs.count
    switch result {
    case .success(let value): gate.open(row, with: value)
    case .failure(let error): gate.fail(row, with: error)
    }
    guard isCounted else {
      return await tracker.waitUntil { $0.core.engine.runs.count == running - loads }
    }
    await recorder.wait { [unowned self] _ in ends(of: row) == before + loads }
  }

  func context(of row: Int) -> UpdateContext<Int, Loaded>? { contexts.value[row] }

  /// The newest load of a row shows a value before its end, with a generation that no value has.
  func show(_ row: Int, _ generation: UInt64 = 1_000) {
    context(of: row)?.show(Loaded(row: row, generation: generation))
  }

  /// A row's value arrives and waits for the next turn of the main queue.
  func arrive(_ row: Int) {
    let core = tracker.core
    for (index, operation) in core.state.operations.enumerated() {
      let run = RunID(index: Int32(index))
      guard let update = operation as? UpdateOperation<Int, Loaded>, update.token.row == row,
        core.engine.runs[run].stage == .current
      else { continue }
      // The operation does the same when it finishes, which can be after its start.
      guard update.tracked.reportEnd() else { continue }
      update.finish(
        with: .success(Loaded(row: row, generation: update.token.generation)))
    }
  }

  private func ends(of row: Int) -> Int {
    (recorder.finished + recorder.failed + recorder.stopped).count { $0 == row }
  }

  // MARK: Observations

  /// The broken invariants after the end of the current pass.
  var violations: [Violation] {
    tracker.endPass()
    return tracker.audit()
  }

  /// The rows in a phase; for ``LoadPhase/waiting``, the rows that wait for a slot.
  func rows(in phase: LoadPhase) -> Set<Int> {
    let rows = Set((0..<700).filter { self.phase(of: $0) == phase })
    return phase == .waiting ? rows.filter(isWaiting) : rows
  }

  func phase(of row: Int) -> LoadPhase { tracker.phase(of: row).kind }

  /// Whether a row waits for a slot, or for another attempt.
  func isWaiting(_ row: Int) -> Bool {
    guard let id = tracker.knownID(of: row) else { return false }
    switch tracker.core.engine.rows[id].work {
    case .waiting, .backoff: return true
    case .none, .running, .failed, .givenUp: return false
    }
  }

  /// The waiting rows in the order in which they will load.
  var waitingByPriority: [Int] {
    tracker.core.engine.waitingByPriority.compactMap { tracker.store.rows[$0] }
  }

  /// The rows that cells on screen show.
  var displayed: Set<Int> {
    Set(
      tracker.core.engine.rows.ids.filter { tracker.core.engine.rows[$0].displays > 0 }
        .compactMap { tracker.store.rows[$0] })
  }

  /// How often the load of a row was started.
  func starts(of row: Int) -> Int { recorder.started.count { $0 == row } }
}

extension DisplayTracker {
  /// The generations of the loads that the tracker waits for.
  var currentGenerations: Set<UInt64> {
    Set(
      core.engine.runs.ids.filter { core.engine.runs[$0].stage == .current }
        .map { core.engine.runs[$0].generation })
  }

  /// Waits for turns of the main queue until a condition holds.
  func waitUntil(_ condition: (DisplayTracker) -> Bool) async {
    await until { condition(self) }
  }
}
