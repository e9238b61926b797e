import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Bounded work per call and per turn", .timeLimit(.minutes(10)))
@MainActor
struct BoundedWorkTests {
  private typealias Tracker = DeinitTests.Tracker
  private typealias Caller = DeinitTests.Caller

  /// Takes turns until a condition holds, at most 20,000.
  private func endPasses(of tracker: Tracker, until isOver: () -> Bool) {
    for _ in 0..<20_000 where !isOver() { tracker.endPass() }
  }

  // MARK: Chains of deinits

  @Test("Calls and turns end with 5,000 values, each of which sets the next one in its deinit")
  func chainOfValues() {
    let tracker = Tracker(operation: { _ in nil })
    weak var known: Tracker?
    known = tracker
    var links = 0
    func link() -> Caller {
      Caller {
        guard links < 5_000, let known else { return }
        links += 1
        known.setValue(link(), for: 1)
        known.remove([1])
      }
    }
    tracker.setValue(link(), for: 1)
    tracker.remove([1])
    #expect(links < 5_000, "one call performs a bounded amount of work")
    endPasses(of: tracker) { links == 5_000 }
    #expect(links == 5_000)
    for _ in 0..<4 { tracker.endPass() }
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.audit() == [])
  }

  @Test("Turns follow one another until all removed values are released")
  func manyValues() async {
    let tracker = Tracker(operation: { _ in nil })
    // A loop then releases a few values and stops.
    tracker.core.state.engine.turns.addedEffects = 2
    var released = 0
    for row in 0..<300 { tracker.setValue(Caller { released += 1 }, for: row) }
    tracker.removeAll()
    #expect(released < 300)
    for _ in 0..<300 where released < 300 { await tracker.pendingTurns() }
    #expect(released == 300)
  }

  @Test("Calls and turns end with 5,000 values, each of which overwrites one in its deinit")
  func chainOfOverwrittenValues() {
    let tracker = Tracker(operation: { _ in nil })
    weak var known: Tracker?
    known = tracker
    var links = 0
    func link() -> Caller {
      Caller {
        guard links < 5_000, let known else { return }
        links += 1
        known.setValue(link(), for: 1)
        known.setValue(Caller(), for: 1)
      }
    }
    tracker.setValue(link(), for: 1)
    tracker.setValue(Caller(), for: 1)
    endPasses(of: tracker) { links == 5_000 }
    #expect(links == 5_000)
    for _ in 0..<4 { tracker.endPass() }
    #expect(tracker.audit() == [])
  }

  @Test("Turns end with 5,000 evicted values, each of which sets the next one in its deinit")
  func chainOfEvictedValues() {
    var configuration = TrackerConfiguration<Int, Caller>()
    configuration.retention = .none
    let tracker = Tracker(configuration: configuration, operation: { _ in nil })
    weak var known: Tracker?
    known = tracker
    var links = 0
    func link() -> Caller {
      Caller {
        guard links < 5_000, let known else { return }
        links += 1
        known.setValue(link(), for: links)
      }
    }
    tracker.setValue(link(), for: 0)
    endPasses(of: tracker) { links == 5_000 }
    #expect(links == 5_000)
    for _ in 0..<4 { tracker.endPass() }
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.audit() == [])
  }

  @Test("Values that each create two more in their deinits are released over several turns")
  func growingDiscards() {
    let tracker = Tracker(operation: { _ in nil })
    weak var known: Tracker?
    known = tracker
    var links = 0
    func link() -> Caller {
      Caller {
        guard links < 50_000, let known else { return }
        links += 1
        // Each value overwrites the one before it.
        known.setValue(link(), for: 1)
        known.setValue(link(), for: 1)
        known.setValue(Caller(), for: 1)
      }
    }
    tracker.setValue(link(), for: 1)
    tracker.remove([1])
    #expect(links < 10_000, "one call performs a bounded amount of work")
    endPasses(of: tracker) { links == 50_000 }
    #expect(links == 50_000)
    for _ in 0..<100 { tracker.endPass() }
    #expect(tracker.audit() == [])
  }

  @Test("Calls and turns end with 5,000 captured objects, each of which binds the next one")
  func chainOfCaptures() {
    let scene = DeinitTests.Scene()
    let tracker = scene.tracker
    let cell = SimulatedCell(number: 9)
    var links = 0
    weak var known: DeinitTests.Scene?
    known = scene
    func link() -> Caller {
      Caller {
        guard links < 5_000, let known else { return }
        links += 1
        known.tracker.bind(cell, to: links, render: known.holding(link()))
        known.tracker.unbind(cell)
      }
    }
    tracker.bind(cell, to: 0, render: scene.holding(link()))
    tracker.unbind(cell)
    endPasses(of: tracker) { links == 5_000 }
    #expect(links == 5_000)
    scene.takeTurns()
    #expect(tracker.audit() == [])
  }

  // MARK: Admissions

  /// A change that the app's code makes on each call.
  enum Meddling: CaseIterable, Sendable {
    case invalidate, remove, prefetch
  }

  /// The closure that makes the change.
  enum Place: CaseIterable, Sendable {
    case cached, operation
  }

  @Test(
    "Turns end even if each admission changes rows or takes a turn",
    arguments: Place.allCases, Meddling.allCases)
  func admissions(place: Place, meddling: Meddling) {
    for endsPasses in [false, true] {
      var isOver = false
      var calls = 0
      weak var known: Tracker?
      func meddle(_ row: Int) {
        guard !isOver, let known else { return }
        calls += 1
        switch meddling {
        case .invalidate:
          known.invalidate([row])
        case .remove:
          known.remove([row])
          known.prefetch([row + 1])
        case .prefetch:
          known.prefetch([row + 1])
        }
        if endsPasses { known.endPass() }
      }
      var configuration = TrackerConfiguration<Int, Caller>()
      configuration.clock = ManualClock()
      configuration.cached = { row in
        if place == .cached { meddle(row) }
        return nil
      }
      let tracker = Tracker(
        configuration: configuration,
        operation: { token in
          if place == .operation { meddle(token.row) }
          return nil
        })
      known = tracker
      tracker.prefetch([0])
      for _ in 0..<3 { tracker.endPass() }
      #expect(calls >= 3, "with turns of its own: \(endsPasses)")
      isOver = true
      for _ in 0..<4 { tracker.endPass() }
      #expect(tracker.audit() == [], "with turns of its own: \(endsPasses)")
    }
  }

  @Test("An operation never starts if its factory removes the row")
  func unwantedOperations() async {
    weak var known: Tracker?
    weak var operation: UpdateOperation<Int, Caller>?
    var made = 0
    let tracker = Tracker(operation: { token in
      let update = UpdateOperation<Int, Caller>(token: token)
      operation = update
      made += 1
      known?.remove([token.row])
      return update
    })
    known = tracker
    tracker.prefetch(0..<10)
    tracker.endPass()
    #expect(made == 10, "each free slot goes to the next row in the same turn")
    for _ in 0..<3 { tracker.endPass() }
    #expect(made == 10)
    #expect(operation == nil)
    #expect(tracker.metrics.started == 0)
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.audit() == [])
    await tracker.waitUntilIdle()
  }

  // MARK: Other code of the app

  @Test("Calls and turns end with an event handler that causes an event each time")
  func events() {
    weak var known: Tracker?
    let isOver = Box(false)
    var events = 0
    var configuration = TrackerConfiguration<Int, Caller>()
    configuration.clock = ManualClock()
    configuration.onEvent = { _ in
      events += 1
      if !isOver.value { known?.prefetch([events]) }
    }
    let tracker = Tracker(configuration: configuration, operation: { _ in nil })
    known = tracker
    tracker.prefetch([0])
    #expect(events > 0 && events < 10_000)
    for _ in 0..<3 { tracker.endPass() }
    #expect(events < 50_000)
    isOver.set(true)
    for _ in 0..<10 { tracker.endPass() }
    #expect(tracker.audit() == [])
  }

  @Test("A render that sets its row's value each time is called once per turn")
  func renders() {
    weak var known: Tracker?
    var renders = 0
    let tracker = Tracker(operation: { _ in nil })
    known = tracker
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in
      renders += 1
      known?.setValue(Caller(), for: 1)
    }
    #expect(renders == 1)
    tracker.willDisplay(cell)
    renders = 0
    for _ in 0..<10 { tracker.endPass() }
    #expect((9...11).contains(renders))
    #expect(tracker.phase(of: 1).kind == .loaded)
  }

  @Test("A sequence of rows can take turns while it is read")
  func sequences() {
    var configuration = TrackerConfiguration<Int, Caller>()
    configuration.clock = ManualClock()
    let tracker = Tracker(configuration: configuration, operation: { _ in nil })
    func rows() -> some Sequence<Int> {
      (1...3).lazy.map { row in
        tracker.endPass()
        return row
      }
    }
    func claims(_ isClaimed: (RowState) -> Bool) -> [Int] {
      (0..<10).filter { row in
        tracker.knownID(of: row).map { isClaimed(tracker.core.engine.rows[$0]) } ?? false
      }
    }
    tracker.prefetch(rows())
    #expect(claims(\.isPrefetched) == [1, 2, 3])
    tracker.removeAll()
    tracker.endPass()
    tracker.scrollWillEnd(landingOn: rows())
    #expect(claims(\.isLanding) == [1, 2, 3])
    tracker.endPass()
    #expect(tracker.audit() == [])
  }

  @Test("Each turn checks two further cells for a deallocation")
  func deadCells() throws {
    let rig = TrackerRig()
    try rig.play("cW[0…8] | D(g)")
    #expect(rig.displayed == Set(0...8))
    // The first turn has looked at the cells of rows 1 and 2.
    try rig.play("|")
    #expect(rig.displayed == Set(0...8))
    try rig.play("|")
    #expect(rig.displayed == Set(0...8).subtracting([6]))
  }
}
