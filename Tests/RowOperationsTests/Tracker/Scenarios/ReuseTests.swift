// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Reused cells", .timeLimit(.minutes(10)))
@MainActor
struct ReuseTests {
  @Test("A cell that moved on to row B never shows row A's late value")
  func lateValue() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false) { $0.grace = .zero }
    try await rig.playToTheEnd("c1(a) W1(a) | c2(a) | F1 F2 |")
    #expect(rig.player.app.wrongRows == 0)
    #expect(rig.player.content(ofCell: 0)?.phase.value?.row == 2)
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 1])
    #expect(rig.recorder.finished == [2])
  }

  @Test("A cell that goes from A to B and back shows A's value once")
  func thereAndBack() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false) { $0.grace = .zero }
    try await rig.playToTheEnd("c1(a) W1(a) | c2(a) | c1(a) |")
    #expect(rig.starts(of: 1) == 2)
    let tokens = rig.gate.log.began.filter { $0.row == 1 }
    #expect(tokens[0].generation < tokens[1].generation)
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 1])
    #expect(rig.recorder.finished == [1])
    #expect(rig.player.app.wrongRows == 0)
  }

  @Test("A cell that is reused for a row with nothing to load shows no value")
  func nothingToLoad() async {
    var shown: [RowPhase<Int>] = []
    let tracker = DisplayTracker<Int, Int> { token in
      token.row == 7 ? nil : UpdateOperation(token: token) { $0.row }
    }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { shown.append($1) }
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    #expect(shown.last == .loaded(1))
    tracker.bind(cell, to: 7) { shown.append($1) }
    await tracker.waitUntilIdle()
    #expect(shown.last == .idle)
    #expect(tracker.metrics.started == 1)
    #expect(tracker.audit() == [])
  }

  @Test("A value follows its row to another cell during the load")
  func movedRow() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | c1(b) W1(b) E1(a) c9(a) | F1")
    #expect(rig.starts(of: 1) == 1)
    #expect(rig.player.content(ofCell: 1)?.phase.value?.row == 1)
    #expect(rig.player.content(ofCell: 0)?.phase.value == nil)
  }

  @Test("A displayed cell that is unbound loads its next row as soon as it is bound")
  func unboundWhileDisplayed() throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) | U(a) | +150ms | c2(a) |")
    #expect(rig.rows(in: .loading) == [2])
    #expect(rig.recorder.cancelled == [1])
  }

  @Test("A new cell at a deallocated cell's address has neither its row nor its display")
  func heirs() {
    let rig = TrackerRig()
    var addresses: Set<ObjectIdentifier> = []
    var reused = 0
    for round in 0..<1000 {
      // The allocator mostly gives a cell's memory to the next object of its size.
      let cell = SimulatedCell(number: round)
      if !addresses.insert(ObjectIdentifier(cell)).inserted { reused += 1 }
      switch round % 4 {
      case 0:
        rig.tracker.willDisplay(cell)
        rig.tracker.bind(cell, to: 3) { _, _ in }
      case 1: rig.tracker.bind(cell, to: 4) { _, _ in }
      case 2: rig.tracker.willDisplay(cell)
      default: rig.tracker.bind(cell, to: 5) { _, _ in }
      }
      rig.tracker.endPass()
      #expect(rig.displayed == (round % 4 == 0 ? [3] : []))
    }
    #expect(reused > 0, "no address was reused, so this run proves nothing")
    rig.tracker.endPass()
    #expect(rig.displayed.isEmpty)
    #expect(
      rig.tracker.core.engine.cells.count == 0, "no cell is left, not even one that was never bound"
    )
    #expect(rig.violations == [])
  }

  @Test("A view that is bound again before its recycled host clears it shows its new row")
  func viewBeforeItsClear() throws {
    let rig = TrackerRig()
    try rig.play("v4 c1(a) W1(a) h2(b,a) |")
    // Inside the app's code, so that the host clears its views after both binds.
    try rig.tracker.core.call { Result { try rig.play("c3(a) h4(b,a)") } }.get()
    try rig.play("|")
    #expect(rig.player.content(ofCell: 1)?.phase.value?.row == 4)
    #expect(rig.violations == [])
  }

  @Test("A cell without a row is forgotten, also one whose host was deallocated")
  func withoutRow() throws {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    rig.tracker.bind(cell, to: nil) { _, _ in }
    #expect(rig.violations == [] && rig.tracker.core.engine.cells.count == 0)
    try rig.play("h(b,a) | D(a) | |")
    #expect(rig.violations == [] && rig.tracker.core.engine.cells.count == 0)
  }
}
