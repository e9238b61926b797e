import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Cells that are used again", .timeLimit(.minutes(10)))
@MainActor
struct ReuseTests {
  @Test("Rows that are bound and unbound without being displayed load nothing")
  func bindsAlone() async throws {
    let rig = TrackerRig()
    try rig.play("c[0…99] U(a) U(b) |")
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.started == 0)
    #expect(rig.tracker.phase(of: 5) == .waiting(previous: nil))
  }

  @Test("A cell that moved on to row B never shows row A's late value")
  func lateValue() async throws {
    let rig = TrackerRig(heedsCancellation: false) { $0.grace = .zero }
    try await rig.playToTheEnd("c1(a) W1(a) | c2(a) | F1 F2 |")
    #expect(rig.player.app.wrongRows == 0)
    #expect(rig.player.content(ofCell: 0)?.phase.value?.row == 2)
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 1])
    #expect(rig.recorder.finished == [2])
  }

  @Test("A cell that goes from A to B and back shows A's value once")
  func thereAndBack() async throws {
    let rig = TrackerRig(heedsCancellation: false) { $0.grace = .zero }
    try await rig.playToTheEnd("c1(a) W1(a) | c2(a) | c1(a) |")
    #expect(rig.starts(of: 1) == 2)
    let tokens = rig.gate.log.began.filter { $0.row == 1 }
    #expect(tokens[0].generation < tokens[1].generation)
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 1])
    #expect(rig.recorder.finished == [1])
    #expect(rig.player.app.wrongRows == 0)
  }

  @Test("A cell that is used for a row with nothing to load shows nothing")
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
    #expect(tracker.violations() == [])
  }

  @Test("Two cells that show one row are rendered both, and one end leaves the other displayed")
  func twoCells() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c1(b) W1(b) | E1(a) | +150ms | F1")
    #expect(rig.starts(of: 1) == 1)
    #expect(rig.player.content(ofCell: 1)?.phase.value?.row == 1)
    #expect(rig.player.content(ofCell: 0)?.phase.value == nil, "it is off screen")
    try rig.play("W1(a)")
    #expect(rig.player.content(ofCell: 0)?.phase.value?.row == 1)
  }

  @Test("A value follows its row to another cell while it loads")
  func movedRow() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | c1(b) W1(b) E1(a) c9(a) | F1")
    #expect(rig.starts(of: 1) == 1)
    #expect(rig.player.content(ofCell: 1)?.phase.value?.row == 1)
    #expect(rig.player.content(ofCell: 0)?.phase.value == nil)
  }

  @Test("A willDisplay that comes before its bind is remembered, for as long as it takes")
  func displayBeforeBind() throws {
    let rig = TrackerRig()
    try rig.play("W0(a) | | c5(a) |")
    #expect(rig.rows(in: .loading) == [5])
  }

  @Test("A displayed cell that is unbound loads its next row as soon as it is bound")
  func unboundWhileDisplayed() throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) | U(a) | +150ms | c2(a) |")
    #expect(rig.rows(in: .loading) == [2])
    #expect(rig.recorder.cancelled == [1])
  }

  @Test("The heir of a dead cell's address inherits neither its row nor its display")
  func heirs() {
    let rig = TrackerRig()
    var addresses: Set<ObjectIdentifier> = []
    var reused = 0
    for round in 0..<1000 {
      // A dead cell's memory is given to the next object of its size, mostly at once.
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
    #expect(reused > 0, "this run proves nothing")
    rig.tracker.endPass()
    #expect(rig.displayed.isEmpty)
    #expect(rig.tracker.core.engine.cells.count == 0, "not even of cells that were never bound")
    #expect(rig.violations == [])
  }

  /// A cell that says goodbye in the last moment.
  private final class Leaving {
    let tracker: DisplayTracker<Int, TrackerRig.Loaded>
    let unbinds: Bool

    init(_ tracker: DisplayTracker<Int, TrackerRig.Loaded>, unbinds: Bool = false) {
      self.tracker = tracker
      self.unbinds = unbinds
    }

    deinit {
      // On the main actor, as the test is.
      nonisolated(unsafe) let cell = self
      MainActor.assumeIsolated { [tracker, unbinds] in
        if unbinds { tracker.unbind(cell) } else { tracker.didEndDisplaying(cell) }
      }
    }
  }

  @Test("What renders a dead cell may take another cell with it, which says goodbye")
  func goodbyeOfACellThatARendererHeld() {
    let rig = TrackerRig()
    var cell: SimulatedCell? = SimulatedCell(number: 0)
    var other: Leaving? = Leaving(rig.tracker)
    if let cell, let other {
      rig.tracker.bind(cell, to: 1) { _, _ in withExtendedLifetime(other) {} }
      rig.tracker.bind(other, to: 2) { _, _ in }
      rig.tracker.willDisplay(other)
    }
    other = nil
    cell = nil
    rig.tracker.endPass()
    #expect(rig.displayed.isEmpty)
    rig.tracker.endPass()
    #expect(rig.displayed.isEmpty && rig.tracker.core.engine.cells.count == 0)
    #expect(rig.violations == [])
  }

  @Test("A cell that dies while another one is rendered ends its display in a turn of its own")
  func goodbyeWhileRendering() async throws {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var leaving: Leaving? = Leaving(rig.tracker)
    try rig.play("v7 |")
    if let leaving {
      rig.tracker.bind(leaving, to: 1) { _, _ in }
      rig.tracker.willDisplay(leaving)
    }
    rig.tracker.endPass()
    rig.tracker.bind(cell, to: 7) { _, _ in }
    await rig.tracker.pendingTurns()
    #expect(rig.displayed == [1])
    // To the same row, so that nothing else asks for a turn.
    rig.tracker.bind(cell, to: 7) { _, _ in leaving = nil }
    await rig.tracker.waitUntil { $0.core.engine.displayedRows == 0 }
  }

  @Test("A cell may say goodbye from its deinit")
  func goodbyeFromDeinit() {
    let rig = TrackerRig()
    for unbinds in [true, false] {
      var cell: Leaving? = Leaving(rig.tracker, unbinds: unbinds)
      cell.map { cell in
        rig.tracker.bind(cell, to: 1) { _, _ in }
        rig.tracker.willDisplay(cell)
      }
      #expect(rig.displayed == [1])
      cell = nil
      #expect(rig.displayed.isEmpty)
    }
    rig.tracker.endPass()
    #expect(rig.violations == [])
  }
}
