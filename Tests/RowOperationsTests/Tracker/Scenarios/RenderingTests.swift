// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Renders and their phases", .timeLimit(.minutes(10)))
@MainActor
struct RenderingTests {
  private typealias Loaded = TrackerRig.Loaded

  // MARK: How often

  @Test("A row that scrolls past without a load is rendered once, by its bind")
  func passingRows() {
    let rig = TrackerRig { $0.scrollPolicy = .whenSettled }
    let cells = (0..<10).map { SimulatedCell(number: $0) }
    var renders = 0
    rig.tracker.scrollWillBegin()
    for start in stride(from: 0, to: 100, by: cells.count) {
      rig.tracker.scrollDidMove()
      for (index, cell) in cells.enumerated() {
        rig.tracker.didEndDisplaying(cell)
        rig.tracker.bind(cell, to: start + index) { _, _ in renders += 1 }
        rig.tracker.willDisplay(cell)
      }
      rig.tracker.endPass()
    }
    #expect(renders == 100)
    #expect(rig.tracker.metrics.started == 0)
    #expect(rig.violations == [])
  }

  @Test("A row that loads on screen is rendered three times")
  func loadedRow() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase.kind) }
    #expect(shown == [.waiting])
    rig.tracker.willDisplay(cell)
    #expect(shown == [.waiting])
    rig.tracker.endPass()
    #expect(shown == [.waiting, .loading])
    rig.arrive(1)
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(shown == [.waiting, .loading, .loaded])
    #expect(rig.violations == [])
  }

  @Test("Several changes within a turn are rendered once, with the last change")
  func changesWithinATurn() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [Loaded?] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase.value) }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    shown = []
    for generation in 1...3 as ClosedRange<UInt64> {
      rig.tracker.setValue(Loaded(row: 1, generation: generation), for: 1)
    }
    #expect(shown == [])
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(shown == [Loaded(row: 1, generation: 3)])
  }

  @Test("A cell off screen is rendered when it comes back, if its row has changed")
  func offScreen() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [RowPhase<Loaded>] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase) }
    rig.tracker.willDisplay(cell)
    rig.tracker.setValue(Loaded(row: 1, generation: 1), for: 1)
    rig.tracker.endPass()
    rig.tracker.didEndDisplaying(cell)
    rig.tracker.endPass()
    shown = []
    rig.tracker.willDisplay(cell)
    #expect(shown == [], "the row has not changed")
    rig.tracker.didEndDisplaying(cell)
    rig.tracker.setValue(Loaded(row: 1, generation: 2), for: 1)
    rig.tracker.endPass()
    rig.tracker.invalidate([1])
    rig.tracker.endPass()
    #expect(shown == [])
    rig.tracker.willDisplay(cell)
    #expect(shown == [.waiting(previous: Loaded(row: 1, generation: 2))])
    rig.tracker.endPass()
    #expect(shown.map(\.kind) == [.waiting, .loading])
  }

  @Test("A prepared cell is rendered when its value arrives before its first display")
  func preparedValue() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase.kind) }
    rig.tracker.prefetch([1])
    rig.tracker.endPass()
    #expect(rig.phase(of: 1) == .loading)
    #expect(shown == [.waiting], "the cell is not rendered as loading")
    rig.arrive(1)
    rig.tracker.endPass()
    #expect(shown == [.waiting, .loaded])
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    #expect(shown == [.waiting, .loaded])
  }

  @Test("A prepared cell is rendered when its failure arrives before its first display")
  func preparedFailure() async {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [RowPhase<Loaded>] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase) }
    rig.tracker.prefetch([1])
    rig.tracker.endPass()
    await rig.end(1, with: .failure(TrackerRig.Failure(row: 1)))
    rig.tracker.endPass()
    #expect(shown.map(\.kind) == [.waiting, .waiting])
    #expect(shown.first?.error == nil)
    #expect(shown.last?.error as? TrackerRig.Failure == TrackerRig.Failure(row: 1))
    withExtendedLifetime(cell) {}
  }

  // MARK: From inside the app's code

  @Test("A bind inside a render, an event or a commit renders its cell before it returns")
  func bindsInside() {
    weak var known: DisplayTracker<Int, Loaded>?
    let others = (1...3).map { SimulatedCell(number: $0) }
    var inside: [Int: [LoadPhase]] = [:]
    func bindAnother(_ index: Int) {
      guard inside[index] == nil, let known else { return }
      inside[index] = []
      var shown: [LoadPhase] = []
      known.bind(others[index], to: 10 + index) { _, phase in shown.append(phase.kind) }
      inside[index] = shown
    }
    let rig = TrackerRig {
      $0.onEvent = { _ in bindAnother(1) }
      $0.onCommit = { _ in bindAnother(2) }
    }
    known = rig.tracker
    let cell = SimulatedCell(number: 0)
    rig.tracker.bind(cell, to: 1) { _, phase in
      if phase.kind == .loading { bindAnother(0) }
    }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.arrive(1)
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(inside == [0: [.waiting], 1: [.waiting], 2: [.waiting]])
    #expect(rig.violations == [])
  }

  // MARK: Phases

  @Test("A row that the tracker does not know waits")
  func unknownRow() {
    let rig = TrackerRig()
    #expect(rig.tracker.phase(of: 5) == .waiting(previous: nil))
    #expect(rig.tracker.core.engine.rows.count == 0)
  }

  @Test("A cell that is bound to nil is rendered once, as idle")
  func boundToNil() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    rig.tracker.bind(cell, to: 1) { _, _ in }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.tracker.bind(cell, to: nil) { _, phase in shown.append(phase.kind) }
    #expect(shown == [.idle])
    #expect(rig.displayed == [])
    rig.arrive(1)
    rig.tracker.endPass()
    rig.tracker.didEndDisplaying(cell)
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    #expect(shown == [.idle])
    #expect(rig.violations == [])
  }

  @Test("A row with nothing to load is idle until it is invalidated")
  func nothingToLoad() {
    var calls = 0
    let tracker = DisplayTracker<Int, Int>(operation: { _ in
      calls += 1
      return nil
    })
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    tracker.bind(cell, to: 1) { _, phase in shown.append(phase.kind) }
    tracker.willDisplay(cell)
    tracker.endPass()
    #expect(shown == [.waiting, .idle])
    #expect(calls == 1)
    tracker.didEndDisplaying(cell)
    tracker.unbind(cell)
    tracker.endPass()
    #expect(tracker.phase(of: 1).kind == .idle)
    shown = []
    tracker.bind(cell, to: 1) { _, phase in shown.append(phase.kind) }
    tracker.willDisplay(cell)
    tracker.endPass()
    #expect(shown == [.idle])
    #expect(calls == 1)
    tracker.invalidate([1])
    tracker.endPass()
    #expect(calls == 2)
    #expect(tracker.phase(of: 1).kind == .idle)
    #expect(tracker.audit() == [])
  }

  @Test("A failed row is failed on screen, and waiting with its error off screen")
  func failures() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
    let failure = TrackerRig.Failure(row: 1)
    guard case .failed(let error, nil) = rig.tracker.phase(of: 1) else {
      Issue.record("row 1 is \(rig.phase(of: 1))")
      return
    }
    #expect(error as? TrackerRig.Failure == failure)
    try rig.play("E1(a) |")
    guard case .waiting(nil, let reason) = rig.tracker.phase(of: 1) else {
      Issue.record("row 1 is \(rig.phase(of: 1))")
      return
    }
    #expect(reason as? TrackerRig.Failure == failure)
    let other = SimulatedCell(number: 9)
    var shown: [RowPhase<Loaded>] = []
    rig.tracker.bind(other, to: 1) { _, phase in shown.append(phase) }
    #expect(shown == [rig.tracker.phase(of: 1)])
    #expect(shown.last?.error as? TrackerRig.Failure == failure)
    rig.tracker.willDisplay(other)
    rig.tracker.endPass()
    #expect(shown.map(\.kind) == [.waiting, .loading])
    #expect(shown.last?.error == nil)
  }
}
