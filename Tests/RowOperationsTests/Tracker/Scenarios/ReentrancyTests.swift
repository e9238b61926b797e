import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Calls to the tracker from closures", .timeLimit(.minutes(10)))
@MainActor
struct ReentrancyTests {
  @Test("A cell that a render binds to another row never gets the old row's value")
  func renderBindsAnother() async {
    let rig = TrackerRig()
    let first = SimulatedCell(number: 0)
    let second = SimulatedCell(number: 1)
    var shown: [(cell: Int, row: Int, value: Int?)] = []
    func bind(_ cell: SimulatedCell, to row: Int) {
      rig.tracker.bind(cell, to: row) { cell, phase in
        shown.append((cell.number, row, phase.value?.row))
        // The first rendered cell binds the other cell to another row.
        guard phase.value != nil, row < 10 else { return }
        bind(cell.number == 0 ? second : first, to: row + 10)
      }
    }
    for (row, cell) in [first, second].enumerated() {
      bind(cell, to: row)
      rig.tracker.willDisplay(cell)
    }
    rig.tracker.endPass()
    await rig.gate.waitForLoads([0, 1])
    // Both values arrive in one turn.
    rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    await rig.recorder.wait { $0.finished.count == 2 }
    #expect(shown.allSatisfy { $0.value == nil || $0.value == $0.row })
    let rowOfCell = Dictionary(shown.map { ($0.cell, $0.row) }, uniquingKeysWith: { $1 })
    #expect(rowOfCell.values.filter { $0 >= 10 }.count == 1)
    #expect(rig.violations == [])
  }

  @Test("A render can make every call, which takes effect before it returns")
  func everything() async {
    let rig = TrackerRig()
    let tracker = rig.tracker
    let cell = SimulatedCell(number: 0)
    let other = SimulatedCell(number: 1)
    var depth = 0
    var deepest = 0
    var renders = 0
    tracker.bind(cell, to: 1) { cell, phase in
      depth += 1
      deepest = max(deepest, depth)
      defer { depth -= 1 }
      guard phase.kind == .loading else { return }
      tracker.prefetch([2, 3])
      tracker.cancelPrefetch([3])
      tracker.bind(other, to: 4) { _, _ in renders += 1 }
      #expect(renders == 1, "bind has rendered its cell")
      tracker.willDisplay(other)
      tracker.setValue(.init(row: 5, generation: 0), for: 5)
      tracker.invalidate([5])
      tracker.retryFailed()
      tracker.scrollWillBegin()
      tracker.scrollDidMove()
      tracker.scrollWillEnd(landingOn: [6])
      tracker.scrollDidSettle()
      tracker.suspend()
      tracker.resume()
      tracker.reconcile(displayedCells: [cell, other])
      tracker.endPass()
      #expect(tracker.core.engine.displayedRows == 2)
      #expect(tracker.phase(of: 5) == .waiting(previous: .init(row: 5, generation: 0)))
    }
    tracker.willDisplay(cell)
    tracker.endPass()
    tracker.endPass()
    #expect(deepest == 1)
    #expect(rig.displayed == [1, 4])
    #expect(rig.rows(in: .loading) == [1, 4], "the suspension has dropped the prefetches")
    #expect(rig.violations == [])
  }

  @Test(
    "A cell that is unbound during its own render shows no row in the end",
    arguments: [LoadPhase.waiting, .loading])
  func renderUnbinds(phase: LoadPhase) {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: LoadPhase?
    rig.tracker.willDisplay(cell)
    rig.tracker.bind(cell, to: 1) { cell, new in
      if new.kind == phase { rig.tracker.unbind(cell) }
      // The rest of the render still fills the cell for its row.
      shown = new.kind
    }
    rig.tracker.endPass()
    #expect(shown == .idle)
    rig.tracker.endPass()
    #expect(shown == .idle && rig.violations == [])
  }

  @Test("An event handler can call the tracker and receives the resulting events too")
  func eventCallsBack() async {
    var events: [String] = []
    var tracker: DisplayTracker<Int, Int>?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = { event in
      switch event.kind {
      case .finished:
        events.append("finished \(event.row)")
        if event.row < 3 { tracker?.prefetch([event.row + 1]) }
      case .prefetched: events.append("prefetched \(event.row)")
      default: break
      }
    }
    tracker = DisplayTracker(configuration: configuration) { $0.row }
    tracker?.prefetch([1])
    await tracker?.waitUntilIdle()
    #expect(
      events == [
        "prefetched 1", "finished 1", "prefetched 2", "finished 2", "prefetched 3", "finished 3",
      ])
    tracker = nil
  }

  @Test("Events of a handler's call come after all events that were decided before")
  func eventOrder() {
    var told: [String] = []
    weak var known: DisplayTracker<Int, Int>?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = { event in
      switch event.kind {
      case .waiting:
        told.append("waiting \(event.row)")
        if event.row == 1 { known?.remove([2]) }
      case .started: told.append("started \(event.row)")
      case .cancelled: told.append("cancelled \(event.row)")
      default: break
      }
    }
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { $0.row }
    known = tracker
    let cells = [1, 2].map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.endPass()
    // Row 2 already has its slot but no operation yet, and gets no operation.
    #expect(told == ["waiting 1", "waiting 2", "started 1"])
    #expect(tracker.metrics.started == 1)
    withExtendedLifetime(cells) {}
  }

  @Test("A call from an operation's didCancel takes effect after the cancel")
  func cancelCallsBack() async {
    let gate = LoadGate<Int, Int>()
    final class Talkative: UpdateOperation<Int, Int>, @unchecked Sendable {
      // Sendable: it is immutable.
      let gate: LoadGate<Int, Int>
      let onCancel: @MainActor () -> Void

      init(
        token: RowToken<Int>, gate: LoadGate<Int, Int>, onCancel: @escaping @MainActor () -> Void
      ) {
        self.gate = gate
        self.onCancel = onCancel
        super.init(token: token)
      }

      override func update(_ context: UpdateContext<Int, Int>) async throws -> Int {
        try await gate.load(context)
      }

      override func didCancel() { MainActor.assumeIsolated { onCancel() } }
    }
    weak var known: DisplayTracker<Int, Int>?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.grace = .zero
    var calls = 0
    let tracker = DisplayTracker(configuration: configuration) { token in
      Talkative(token: token, gate: gate) {
        calls += 1
        known?.prefetch([token.row + 1])
      }
    }
    known = tracker
    tracker.prefetch([1])
    tracker.endPass()
    await gate.waitForLoads([1])
    tracker.cancelPrefetch([1])
    tracker.endPass()
    #expect(calls == 1)
    tracker.endPass()
    #expect(tracker.phase(of: 2).isPending)
    #expect(tracker.audit() == [])
  }
}
