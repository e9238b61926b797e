import Foundation
import Proofs
import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A tracker with batches, with a manual clock, a gate, a recorder and a script player.
///
/// The value of a row is its number as text.
@MainActor
final class BatchRig {
  struct Failure: Error, Hashable {}

  let clock = ManualClock()
  let gate: BatchGate<Int, String>
  let recorder = TrackerRecorder<Int>()
  /// The contexts of all batches, in the order of their starts.
  let contexts = Box<[BatchContext<Int>]>([])
  let tracker: DisplayTracker<Int, String>
  let player: ScriptPlayer<Int, String>

  init(
    of size: Int = 50, stopsWhenCancelled: Bool = true,
    configure: (inout TrackerConfiguration<Int, String>) -> Void = { _ in }
  ) {
    gate = BatchGate(stopsWhenCancelled: stopsWhenCancelled)
    var configuration = TrackerConfiguration<Int, String>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(4)
    configuration.onEvent = recorder.record
    configure(&configuration)
    tracker = DisplayTracker(configuration: configuration, batchesOf: size) {
      [gate, contexts] batch in
      contexts.change { $0.append(batch) }
      return try await gate.load(batch)
    }
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { Int($0) ?? -1 })
    player.onLoadStep = { [unowned self] step in
      if case .setValue(let row) = step { tracker.setValue("set \(row)", for: row) }
    }
  }

  func play(_ text: String) throws { player.play(try EventScript(text)) }

  /// Answers the batches with a row, and waits until the tracker has counted that.
  func answer(_ row: Int, with rows: [Int]) async {
    await end { gate in
      gate.answer(row, with: Dictionary(uniqueKeysWithValues: rows.map { ($0, "\($0)") }))
    }
  }

  /// Fails the batches with a row, and waits until the tracker has counted that.
  func fail(_ row: Int, with error: any Error = Failure()) async {
    await end { $0.fail(row, with: error) }
  }

  private func end(_ body: (BatchGate<Int, String>) -> Void) async {
    let runs = tracker.core.engine.runs.count
    body(gate)
    await tracker.waitUntil { $0.core.engine.runs.count < runs }
  }

  /// The batches at the gate, each in the order of its request.
  func batches(_ count: Int) async -> [[Int]] {
    await gate.wait { $0.waiting.count == count }
    return gate.log.waiting.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
  }

  func phase(of row: Int) -> LoadPhase { tracker.phase(of: row).kind }

  func value(of row: Int) -> String? { tracker.phase(of: row).value }

  func code(of row: Int) -> OperationError.Code? {
    (tracker.phase(of: row).error as? OperationError)?.code
  }

  /// The broken invariants after the end of the current pass.
  var violations: [Violation] {
    tracker.endPass()
    return tracker.audit()
  }
}
