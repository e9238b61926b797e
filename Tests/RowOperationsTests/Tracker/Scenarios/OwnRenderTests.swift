import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

/// The calls that an app makes in its closures about a cell that shows row 0, and a limit for them.
@MainActor
private final class Calls {
  enum Call: CaseIterable, Sendable {
    case bind, bindTwice, bindWithAMoment, unbindAndBind, bindToNilAndBind, removeAndBind
    case endAndDisplay, coverAndDisplay, reconcile, bindAnotherCell, bindAnotherRowAndBack
    case bindAView, bindItsHost, displayAnotherCell, takeATurn
  }

  let tracker: DisplayTracker<Int, Int>
  let cell = SimulatedCell(number: 0)
  let other = SimulatedCell(number: 1)
  let view = SimulatedCell(number: 2)
  var renders = 0
  private(set) var shown: [Int: Int?] = [:]
  var call: Call?
  /// A fault ends after so many calls, and not never.
  private var left = 500

  init(_ tracker: DisplayTracker<Int, Int>) { self.tracker = tracker }

  var isEndless: Bool { left == 0 }

  func bind(_ cell: SimulatedCell, to row: Int?, in host: SimulatedCell? = nil) {
    tracker.bind(cell, to: row, inside: host) { [self] cell, phase in
      render(cell, row, phase)
    }
  }

  private func render(_ cell: SimulatedCell, _ row: Int?, _ phase: RowPhase<Int>) {
    renders += 1
    if phase.value != nil, cell.number < 2 { make() }
    // The rest of a render fills the cell, whatever the app has called in it.
    shown[cell.number] = phase.value
  }

  /// Makes the call, unless it has been made too often.
  func make() {
    guard let call, left > 0 else { return }
    left -= 1
    switch call {
    case .bind: bind(cell, to: 0)
    case .bindTwice: for _ in 0..<2 { bind(cell, to: 0) }
    case .bindWithAMoment:
      tracker.bind(cell, to: 0) { [self] cell, phase, _ in render(cell, 0, phase) }
    case .unbindAndBind:
      tracker.unbind(cell)
      bind(cell, to: 0)
    case .bindToNilAndBind:
      bind(cell, to: nil)
      bind(cell, to: 0)
    case .removeAndBind:
      if left == 499 { tracker.remove([0]) }
      bind(cell, to: 0)
    case .endAndDisplay:
      tracker.didEndDisplaying(cell)
      tracker.willDisplay(cell)
    case .coverAndDisplay:
      tracker.cover(cell)
      tracker.willDisplay(cell)
    case .reconcile: tracker.reconcile(displayedCells: [cell])
    case .bindAnotherCell: bind(other, to: 0)
    case .bindAnotherRowAndBack:
      bind(cell, to: 1)
      bind(cell, to: 0)
    case .bindAView: bind(view, to: 0, in: cell)
    case .bindItsHost:
      bind(other, to: 1)
      bind(cell, to: 0, in: other)
    case .displayAnotherCell:
      bind(other, to: 0)
      tracker.willDisplay(other)
    case .takeATurn:
      bind(cell, to: 0)
      tracker.endPass()
    }
  }
}

@Suite("Cells that the app binds in its closures", .timeLimit(.minutes(10)))
@MainActor
struct OwnRenderTests {
  enum Loads: CaseIterable, Sendable {
    case one, batch, live

    @MainActor
    func tracker(
      _ configuration: TrackerConfiguration<Int, Int> = .init()
    ) -> DisplayTracker<Int, Int> {
      switch self {
      case .one: DisplayTracker(configuration: configuration) { $0.row }
      case .batch:
        DisplayTracker(configuration: configuration, batchesOf: 4) { batch in
          Dictionary(uniqueKeysWithValues: batch.rows.map { ($0, $0) })
        }
      case .live:
        DisplayTracker(
          configuration: configuration,
          updates: { context in
            AsyncStream { stream in
              stream.yield(context.row)
              stream.finish()
            }
          })
      }
    }
  }

  @Test("Every call in a render with a value ends", arguments: Calls.Call.allCases, Loads.allCases)
  fileprivate func renders(call: Calls.Call, loads: Loads) async {
    let calls = Calls(loads.tracker())
    calls.bind(calls.cell, to: 0)
    calls.tracker.willDisplay(calls.cell)
    calls.call = call
    await check(calls)
  }

  @Test("A view in a host can make every call", arguments: Calls.Call.allCases)
  fileprivate func views(call: Calls.Call) async {
    guard call != .bindItsHost else { return }
    let calls = Calls(Loads.one.tracker())
    let host = SimulatedCell(number: 9)
    calls.bind(calls.cell, to: 0, in: host)
    calls.tracker.willDisplay(host)
    calls.call = call
    await check(calls, isDisplayed: nil)
  }

  @Test("onCommit can make every call", arguments: Calls.Call.allCases, Loads.allCases)
  fileprivate func commits(call: Calls.Call, loads: Loads) async {
    var calls: Calls?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onCommit = { _ in calls?.make() }
    let made = Calls(loads.tracker(configuration))
    calls = made
    made.bind(made.cell, to: 0)
    made.tracker.willDisplay(made.cell)
    made.call = call
    await check(made)
    calls = nil
  }

  @Test("onEvent can make every call but a turn", arguments: Calls.Call.allCases)
  fileprivate func events(call: Calls.Call) async {
    var calls: Calls?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = { event in
      if case .finished = event.kind { calls?.make() }
    }
    let made = Calls(Loads.one.tracker(configuration))
    calls = made
    made.bind(made.cell, to: 0)
    made.tracker.willDisplay(made.cell)
    made.call = call
    await check(made)
    calls = nil
  }

  /// Checks that the work has an end, in which the cell shows its row.
  private func check(_ calls: Calls, isDisplayed: Bool? = true) async {
    await calls.tracker.waitUntilIdle()
    for _ in 0..<20 { await calls.tracker.pendingTurns() }
    #expect(!calls.isEndless)
    #expect(calls.renders < 300)
    #expect(!calls.tracker.core.engine.turns.isRequested)
    if isDisplayed == true, calls.call != .bindItsHost {
      #expect(calls.tracker.displayedRows.contains(0))
      #expect(calls.shown[0] == .some(0))
    }
    calls.call = nil
    calls.tracker.endPass()
    #expect(calls.tracker.audit() == [])
  }

  // MARK: Renders

  private final class Log {
    var moments: [RenderMoment] = []
    var phases: [LoadPhase] = []
    var rows: [Int?] = []
  }

  @Test("A bind to the same row in its own render replaces the closure and renders nothing")
  func sameRow() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    let (old, new) = (Log(), Log())
    rig.tracker.bind(cell, to: 1) { cell, phase, moment in
      old.moments.append(moment)
      guard phase.value != nil else { return }
      rig.tracker.bind(cell, to: 1) { _, phase, moment in new.moments.append(moment) }
      #expect(new.moments == [])
    }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.arrive(1)
    for _ in 0..<3 { rig.tracker.endPass() }
    #expect(old.moments == [.binding, .update, .update])
    #expect(new.moments == [])
    rig.tracker.setValue(.init(row: 1, generation: 7), for: 1)
    rig.tracker.endPass()
    #expect(old.moments.count == 3 && new.moments == [.update])
    #expect(rig.starts(of: 1) == 1 && rig.violations == [])
  }

  @Test("A bind to another row in a render renders at once, and once more when that has returned")
  func anotherRow() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    let log = Log()
    var screen: Int?
    rig.tracker.setValue(.init(row: 2, generation: 0), for: 2)
    rig.tracker.bind(cell, to: 1) { cell, phase, moment in
      if phase.value != nil {
        rig.tracker.bind(cell, to: 2) { _, phase, moment in
          log.moments.append(moment)
          screen = phase.value?.row
        }
        #expect(screen == 2, "bind has rendered its cell when it returns")
      }
      screen = phase.value?.row
    }
    rig.tracker.willDisplay(cell)
    rig.tracker.setValue(.init(row: 1, generation: 0), for: 1)
    rig.tracker.endPass()
    #expect(screen == 2)
    #expect(log.moments == [.binding, .binding], "nothing has changed since the bind")
    rig.tracker.endPass()
    #expect(rig.displayed == [2] && rig.violations == [])
  }

  @Test("A cell that is bound in its render as it leaves shows its row when it comes back")
  func leaving() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    let log = Log()
    func bind() {
      rig.tracker.bind(cell, to: 1) { _, _, moment in
        log.moments.append(moment)
        if moment == .leaving, log.moments.count < 500 { bind() }
      }
    }
    bind()
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.tracker.didEndDisplaying(cell)
    for _ in 0..<3 { rig.tracker.endPass() }
    #expect(log.moments == [.binding, .update, .leaving])
    rig.tracker.willDisplay(cell)
    #expect(log.moments == [.binding, .update, .leaving, .update])
  }

  @Test("A view whose idle render binds it again in its host shows its row")
  func clearedView() {
    let rig = TrackerRig()
    let (host, view) = (SimulatedCell(number: 0), SimulatedCell(number: 1))
    let log = Log()
    func bind() {
      rig.tracker.bind(view, to: 5, in: host) { _, phase in
        log.phases.append(phase.kind)
        if log.phases.count < 500 { bind() }
      }
    }
    rig.tracker.bind(host, to: 1) { _, _ in }
    bind()
    rig.tracker.willDisplay(host)
    rig.tracker.bind(host, to: 2) { _, _ in }
    #expect(log.phases == [.waiting, .idle, .waiting, .waiting])
    rig.tracker.endPass()
    #expect(rig.displayed == [2, 5] && rig.violations == [])
  }

  // MARK: Circles

  /// Renders that never leave their cells in peace.
  enum Circle: CaseIterable, Sendable {
    case rowsByTurns, newRows, twoCells, rowAndNone, idleAndRemoved, hostAndView
  }

  @Test("Renders that go on binding cells to other rows come to an end", arguments: Circle.allCases)
  func circles(circle: Circle) {
    let rig = TrackerRig { $0.slots = UpdateSlots(100) }
    let cells = [0, 1].map { SimulatedCell(number: $0) }
    var calls = 0
    var isOver = false
    func bind(_ index: Int, to row: Int?) {
      let host = circle == .hostAndView && index == 1 ? cells[0] : nil
      rig.tracker.bind(cells[index], to: row, inside: host) { _, phase in
        calls += 1
        guard calls < 2_000, !isOver else { return }
        switch circle {
        case .rowsByTurns: bind(index, to: 1 - (row ?? 0))
        case .newRows: bind(index, to: (row ?? 0) + 1)
        case .twoCells: bind(1 - index, to: (row ?? 0) + 1)
        case .rowAndNone: bind(index, to: row == nil ? 0 : nil)
        case .idleAndRemoved:
          if phase.kind == .idle { bind(index, to: row) } else { rig.tracker.remove([row ?? 0]) }
        case .hostAndView:
          guard index == 1 else { return }
          if phase.kind == .idle { bind(1, to: 5) } else { bind(0, to: (row ?? 0) + calls) }
        }
      }
    }
    bind(0, to: 0)
    if circle == .hostAndView { bind(1, to: 5) }
    #expect(calls < 100)
    rig.tracker.willDisplay(cells[0])
    for _ in 0..<5 { rig.tracker.endPass() }
    #expect(calls < 1_000)
    isOver = true
    for _ in 0..<2 { rig.tracker.endPass() }
    #expect(rig.tracker.audit() == [])
  }
}
