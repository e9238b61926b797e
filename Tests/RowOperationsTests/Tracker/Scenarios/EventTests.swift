// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Events of displays and waits", .timeLimit(.minutes(10)))
@MainActor
struct EventTests {
  /// The events of displays as `+row` for a begin and `-row` for an end.
  private func shows(_ rig: TrackerRig) -> [String] {
    rig.recorder.events.compactMap { event in
      switch event.kind {
      case .displayed: "+\(event.row)"
      case .endedDisplaying: "-\(event.row)"
      default: nil
      }
    }
  }

  @Test("A displayed cell that is bound to another row ends one display and begins the other")
  func rebound() throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) c2(a) | c2(a) | U(a) E2(a) |")
    #expect(shows(rig) == ["+1", "-1", "+2", "-2"])
  }

  @Test(
    "The display of a row begins with a bind of a cell on screen and ends with its removal")
  func boundLateAndRemoved() throws {
    let rig = TrackerRig()
    try rig.play("W3(a) c3(a) | -[3] | E3(a) | W4(b) c4(b) | -* |")
    #expect(shows(rig) == ["+3", "-3", "+4", "-4"])
  }

  @Test("Each event that a display began is followed by one that it ended")
  func balanced() {
    for seed in 0..<40 as Range<UInt64> {
      let rig = TrackerRig()
      rig.player.play(EventScript.random(seed: seed, length: 120, rows: 5, cells: 4))
      rig.tracker.reconcile(displayedCells: [SimulatedCell]())
      rig.tracker.endPass()
      let told = shows(rig)
      for row in 0..<5 {
        let (begins, ends) = (told.count { $0 == "+\(row)" }, told.count { $0 == "-\(row)" })
        #expect(begins == ends, "row \(row), seed \(seed)")
      }
    }
  }

  /// The events of waits as `+row` for a begin, `-row` for an end and `!row` for a start.
  private func waits(_ events: [TrackerEvent<Int>]) -> [String] {
    events.compactMap { event in
      switch event.kind {
      case .waiting: "+\(event.row)"
      case .leftWaiting: "-\(event.row)"
      case .started: "!\(event.row)"
      default: nil
      }
    }
  }

  @Test("Each load that has started ends with one event, also one that was cancelled")
  func ends() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false) {
      $0.slots = UpdateSlots(8)
      $0.timeout = .seconds(10)
    }
    try rig.play("cW[1…5] |")
    await rig.loadsBegan()
    // A value of row 3 is on its way when the app sets another one.
    rig.arrive(3)
    try rig.play("v3 v4 |")
    rig.gate.open(1, with: .init(row: 1, generation: 0))
    for row in [2, 4] { rig.gate.fail(row, with: TrackerRig.Failure(row: row)) }
    await rig.tracker.waitUntil { $0.core.engine.runs.count == 1 }
    try rig.play("+10000ms |")
    rig.gate.open(5, with: .init(row: 5, generation: 0))
    await rig.tracker.waitUntil { $0.core.engine.runs.count == 0 }
    let told = rig.recorder.events.compactMap { event in
      switch event.kind {
      case .finished: "\(event.row) finished"
      case .failed: "\(event.row) failed"
      case .cancelled: "\(event.row) cancelled"
      case .stopped: "\(event.row) stopped"
      case .refused: "\(event.row) refused"
      default: nil
      }
    }
    #expect(
      told.sorted() == [
        "1 finished", "2 failed", "3 cancelled", "3 refused", "4 cancelled", "4 stopped",
        "5 failed",
      ])
    #expect(rig.violations == [])
  }

  @Test("The wait of a row ends if it gets a value or has nothing to load")
  func waitsEndWithoutALoad() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("c1(a) W1(a) c2(b) W2(b) | v2 |")
    #expect(waits(rig.recorder.events) == ["+1", "+2", "!1", "-2"])
    let recorder = TrackerRecorder<Int>()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = recorder.record
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { _ in nil }
    tracker.prefetch([3])
    tracker.endPass()
    #expect(waits(recorder.events) == ["+3", "-3"])
  }

  @Test("Each wait ends in random scripts")
  func waitsAreBalanced() throws {
    for seed in 0..<40 as Range<UInt64> {
      let rig = TrackerRig {
        $0.slots = UpdateSlots(1)
        $0.scrollPolicy = .whenSettled
      }
      rig.player.play(EventScript.random(seed: seed, length: 150, rows: 6, cells: 4))
      // The lists end, since the windows of a list claim its rows again.
      try rig.play("O[] V1@[] V2@[]")
      rig.tracker.removeAll()
      rig.tracker.endPass()
      let told = waits(rig.recorder.events)
      for row in 0..<6 {
        var isWaiting = false
        for word in told where word.dropFirst() == String(row) { isWaiting = word.hasPrefix("+") }
        #expect(!isWaiting, "row \(row), seed \(seed): \(told)")
      }
    }
  }
}
