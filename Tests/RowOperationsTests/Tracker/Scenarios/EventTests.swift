import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("What is told of cells on screen", .timeLimit(.minutes(10)))
@MainActor
struct EventTests {
  /// What came on screen and left it, as `+row` and `-row`.
  private func shows(_ rig: TrackerRig) -> [String] {
    rig.recorder.events.compactMap { event in
      switch event.kind {
      case .displayed: "+\(event.row)"
      case .endedDisplaying: "-\(event.row)"
      default: nil
      }
    }
  }

  @Test("A displayed cell that goes from row to row ends the display of one and begins the other's")
  func rebound() throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) c2(a) | c2(a) | U(a) E2(a) |")
    #expect(shows(rig) == ["+1", "-1", "+2", "-2"])
  }

  @Test(
    "A row is displayed when the cell on screen is bound to it, and no longer when it is removed")
  func boundLateAndRemoved() throws {
    let rig = TrackerRig()
    try rig.play("W3(a) c3(a) | -[3] | E3(a) | W4(b) c4(b) | -* |")
    #expect(shows(rig) == ["+3", "-3", "+4", "-4"])
  }

  @Test("Every row that was told to be on screen is told to have left it")
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

  /// What was told of waiting, as `+row` and `-row`; being started ends it too.
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

  @Test("A row that waits and is given its value, or has nothing to load, waits no longer")
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

  @Test("Of rows that share a load, the one that was told to wait is told that it does no longer")
  func waitsOfSharedLoads() throws {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(1)
      $0.resource = { $0 / 10 }
    }
    try rig.play("c90(z) W90(z) | c1(a) W1(a) | -[1] |")
    try rig.play("P[2] c3(a) W3(a) | X[2] E3(a) | c4(b) W4(b) E90(z) |")
    let told = waits(rig.recorder.events)
    for row in 0..<100 {
      let begins = told.count { $0 == "+\(row)" }
      let ends = told.count { $0 == "-\(row)" || $0 == "!\(row)" }
      #expect(begins == ends, "row \(row) of \(told)")
    }
  }

  @Test("Whatever happens, each wait that was told of comes to its end", arguments: [false, true])
  func waitsAreBalanced(isSharing: Bool) {
    for seed in 0..<40 as Range<UInt64> {
      let rig = TrackerRig {
        $0.slots = UpdateSlots(1)
        $0.scrollPolicy = .whenSettled
        if isSharing { $0.resource = { $0 / 2 } }
      }
      rig.player.play(EventScript.random(seed: seed, length: 150, rows: 6, cells: 4))
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

  @Test("The books are gone through as of the last turn, though a clock runs on")
  func auditWithRunningClock() async {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.grace = .zero
    let gate = LoadGate<Int, Int>()
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { try await gate.load($0) }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    await gate.waitForLoads([1])
    let before = ContinuousClock.now
    while ContinuousClock.now < before + .milliseconds(3) { await Task.yield() }
    #expect(tracker.violations() == [])
    gate.openAll { $0 }
    await tracker.waitUntilIdle()
  }
}
