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

  /// How a tracker gets an object and drops it again.
  enum Chain: CaseIterable, Sendable {
    case removedValue, overwrittenValue, evictedValue, twoValues, capture
  }

  @Test(
    "Calls and turns end with 5,000 objects, each of which makes the next one in its deinit",
    arguments: Chain.allCases)
  func chains(chain: Chain) {
    var configuration = TrackerConfiguration<Int, Caller>()
    if chain == .evictedValue { configuration.retention = .none }
    let tracker = Tracker(configuration: configuration, operation: { _ in nil })
    let cell = SimulatedCell(number: 0)
    weak var known: Tracker?
    known = tracker
    var links = 0
    func link() -> Caller {
      Caller {
        guard links < 5_000, known != nil else { return }
        links += 1
        takeAndDrop()
      }
    }
    func takeAndDrop() {
      guard let known else { return }
      if chain != .capture { known.setValue(link(), for: 1) }
      switch chain {
      case .removedValue: known.remove([1])
      case .overwrittenValue: known.setValue(Caller(), for: 1)
      case .evictedValue: break
      case .twoValues: for object in [link(), Caller()] { known.setValue(object, for: 1) }
      case .capture:
        let object = link()
        known.bind(cell, to: 1) { _, _ in withExtendedLifetime(object) {} }
        known.unbind(cell)
      }
    }
    takeAndDrop()
    // A call releases the closure that it replaces, whose object makes the next call.
    let isBounded = links < 5_000 || chain == .capture
    #expect(isBounded, "one call releases a bounded number of values")
    endPasses(of: tracker) { links == 5_000 }
    #expect(links == 5_000)
    tracker.removeAll()
    for _ in 0..<100 { tracker.endPass() }
    #expect(tracker.core.engine.rows.count == 0 && tracker.audit() == [])
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
}
