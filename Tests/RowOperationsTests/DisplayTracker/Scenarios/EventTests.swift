import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("What is told of cells on screen")
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
