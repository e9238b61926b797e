// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Cells and announcements of removed rows", .timeLimit(.minutes(10)))
@MainActor
struct RemovedRowTests {
  private func phase(_ cell: Int, _ rig: TrackerRig) -> LoadPhase? {
    rig.player.content(ofCell: cell)?.phase.kind
  }

  // MARK: Cells off screen

  /// How a cell that is bound to row 1 is off screen when the row is removed.
  nonisolated static let offScreen = [
    "c1(a) v1 |", "c1(a) W1(a) v1 | E1(a) |", "c1(a) W1(a) v1 | C(a) |",
    "h1(a,b) v1 |", "c1(a) W1(a) v1 E1(a)", "c0(b) h1(a,b) W0(b) v1 | E0(b) |",
    "c0(b) h1(a,b) W0(b) v1 | C(b) |",
  ]

  @Test(
    "A cell off screen is rendered as idle when its row is removed, and loads when it is displayed",
    arguments: offScreen, ["-[1]", "-*", "-[1] -[1]", "-* |"])
  func displayedLater(start: String, removal: String) async throws {
    let rig = TrackerRig()
    try rig.play(start)
    #expect(rig.phase(of: 1) == .loaded)
    try rig.play(removal)
    #expect(phase(0, rig) == .idle)
    #expect(rig.displayed.contains(1) == false)
    try rig.play(start.contains("h1") ? "W0(b) |" : "W1(a) |")
    #expect(rig.displayed.contains(1))
    #expect(phase(0, rig) == .loading && rig.starts(of: 1) == 1)
    try await rig.playToTheEnd("F1 |")
    #expect(phase(0, rig) == .loaded && rig.violations == [])
  }

  @Test("A cell that binds a removed row anew is rendered in the turn, as for a binding")
  func moment() throws {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var (moments, phases): ([RenderMoment], [LoadPhase]) = ([], [])
    rig.tracker.setValue(.init(row: 1, generation: 0), for: 1)
    rig.tracker.bind(cell, to: 1) { _, phase, moment in
      moments.append(moment)
      phases.append(phase.kind)
    }
    rig.tracker.remove([1])
    #expect(phases == [.loaded, .idle])
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    #expect(phases == [.loaded, .idle, .loading] && moments.last == .binding)
    rig.tracker.didEndDisplaying(cell)
    rig.tracker.willDisplay(cell)
    #expect(phases.count == 3, "it is a binding like any other")
    #expect(rig.violations == [])
  }

  @Test("A cell of a removed row that another cell's render binds shows its new row")
  func boundInRender() {
    let rig = TrackerRig()
    let cells = [SimulatedCell(number: 0), SimulatedCell(number: 1)]
    var shown: [Int?] = []
    rig.tracker.bind(cells[0], to: 1) { _, phase in
      guard phase.kind == .idle else { return }
      rig.tracker.bind(cells[1], to: 2) { shown.append($1.value?.row) }
    }
    rig.tracker.bind(cells[1], to: 1) { _, _ in }
    rig.tracker.setValue(.init(row: 1, generation: 0), for: 1)
    rig.tracker.endPass()
    rig.tracker.remove([1])
    #expect(shown == [nil])
    rig.tracker.setValue(.init(row: 2, generation: 0), for: 2)
    rig.tracker.endPass()
    #expect(shown == [nil, 2])
    #expect(rig.violations == [])
  }

  @Test(
    "A cell of a removed row that is bound, unbound or deallocated does not bind it anew",
    arguments: ["c2(a)", "U(a)", "D(a)", "h2(a,b)", "h(a,b)", "c2(b) h1(a,b) -[1] c3(b)"])
  func boundMeanwhile(change: String) throws {
    let rig = TrackerRig()
    try rig.play("c1(a) v1 | -[1] \(change) W1(a) W1(b) |")
    #expect(!rig.displayed.contains(1) && rig.starts(of: 1) == 0)
    #expect(rig.violations == [])
  }

  @Test("A removed row whose cells off screen are gone is forgotten")
  func forgotten() throws {
    let rig = TrackerRig()
    try rig.play("c1(a) c1(b) c1(c) v1 | -* |")
    #expect(rig.tracker.core.engine.rows.count == 1)
    try rig.play("U(a) D(b) c2(c) | | U(c) |")
    #expect(rig.tracker.core.engine.rows.count == 0 && rig.violations == [])
  }

  @Test(
    "A cell whose row is removed on screen keeps its content until it leaves, and then loads anew",
    arguments: ["E1(a)", "C(a)"])
  func onScreenAndBack(leave: String) async throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) v1 | -[1] |")
    #expect(phase(0, rig) == .loaded && rig.displayed == [])
    try rig.play(leave)
    #expect(phase(0, rig) == .idle)
    try rig.play("W1(a) |")
    #expect(phase(0, rig) == .loading && rig.displayed == [1])
    try await rig.playToTheEnd("F1 |")
    #expect(phase(0, rig) == .loaded && rig.violations == [])
  }

  @Test("A view whose row was removed on screen is rendered as idle when its host is recycled")
  func recycledHost() throws {
    let rig = TrackerRig()
    try rig.play("c0(b) h1(a,b) v1 W0(b) | -[1] |")
    #expect(phase(0, rig) == .loaded)
    try rig.play("c2(b) |")
    #expect(phase(0, rig) == .idle && rig.violations == [])
  }

  // MARK: Orders

  @Test(
    "A cell off screen of a removed row stays idle on screen while a known order lacks the row",
    arguments: [("O[0…3]", "O[0,2,3]"), ("Q1@0[0…3] V1@0…3[0]", "Q1@0[0,2,3] V1@0…2[0]")])
  func lacking(before: String, after: String) throws {
    let rig = TrackerRig()
    try rig.play("\(before) c0(b) W0(b) c1(a) v1 | -[1] \(after) | W1(a) | |")
    #expect(phase(0, rig) == .idle)
    #expect(!rig.displayed.contains(1) && rig.starts(of: 1) == 0)
    #expect(rig.violations == [])
  }

  @Test(
    "A known order counts while no list has a window",
    arguments: [
      "O[0…3] c1(a) v1 | -[1] O[0,2,3] | W1(a) | |",
      "O[0…9] c1(a) W1(a) c2(b) W2(b) | C(a) C(b) -* O[100…109] | W1(a) W2(b) | |",
      "V1@0…2[0…0] Q1@0[0,2,3] c1(a) v1 | V1@[] -[1] | W1(a) | |",
    ])
  func withoutWindows(script: String) throws {
    let rig = TrackerRig()
    try rig.play(script)
    #expect(phase(0, rig) == .idle && rig.displayed == [])
    #expect(rig.violations == [])
    guard script.hasPrefix("O") else { return }
    try rig.play("O[0…9] | |")
    #expect(rig.displayed.contains(1) && rig.violations == [])
  }

  @Test("A cell that waits for its row binds it when the order is unknown again")
  func unknownAgain() async throws {
    let rig = TrackerRig()
    try rig.play("O[0…3] c1(a) v1 | -[1] O[0,2,3] | W1(a) |")
    #expect(rig.displayed == [])
    await rig.tracker.pendingTurns()
    rig.tracker.setOrder([Int]())
    await rig.tracker.pendingTurns()
    #expect(rig.displayed == [1] && rig.violations == [])
  }

  @Test("A row that was removed and is in the order is bound anew, also if it is read later")
  func inOrder() throws {
    let rig = TrackerRig()
    try rig.play("O[0…40] c0(b) W0(b) c1(a) v1 | -[1] W1(a) |")
    #expect(rig.displayed == [0, 1])
    try rig.play("c30(c) v30 | -[30] E0(b) E1(a) c29(d) W29(d) W30(c) |")
    #expect(rig.displayed == [29, 30])
    #expect(phase(2, rig) == .loading && rig.violations == [])
  }

  @Test("A late announcement of a removed row loads nothing if a list has an order")
  func lateAnnouncement() throws {
    for order in ["O[0…29] cW[0…4] |", "Q1@0[0…29] V1@0…29[0…4] cW[0…4] |"] {
      let rig = TrackerRig { $0.slots = UpdateSlots(100) }
      try rig.play(order)
      #expect(rig.rows(in: .loading) == Set(0...17))
      let rest = order.hasPrefix("O") ? "O[0…6,8…28]" : "Q1@0[0…6,8…28] V1@0…28[0…4]"
      try rig.play("-[7,29] P[7,29,20] \(rest) P[7,29] | P[7,29] |")
      #expect(rig.starts(of: 7) == 1, "before its removal")
      #expect(rig.starts(of: 29) == 0 && rig.starts(of: 20) == 1)
      try rig.play("c7(z) W7(z) |")
      #expect(rig.starts(of: 7) == 2, "a cell shows it")
      try rig.play("c29(y) U(y) P[29] |")
      #expect(rig.starts(of: 29) == 1, "a cell has shown it")
      #expect(rig.violations == [])
    }
  }

  @Test("An announced row that was removed and comes back to the order is prefetched")
  func backInOrder() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(100) }
    try rig.play("O[0…9] cW[0…4] | -[7] O[0…6,8,9] | O[0…9] | ")
    #expect(rig.starts(of: 7) == 2)
    try rig.play("-* P[7] |")
    #expect(rig.starts(of: 7) == 2)
    rig.tracker.setOrder([Int]())
    try rig.play("P[7] |")
    #expect(rig.starts(of: 7) == 3, "no order is known")
    #expect(rig.violations == [])
  }

  // MARK: Lists

  /// A list whose cells show row and account, and never a value of another account.
  @Test(
    "No list shows a value of the account before, however it keeps and prepares its cells",
    arguments: [ListBehavior.tableView, .collectionView, ListBehavior()], [false, true])
  func account(behavior: ListBehavior, isCovered: Bool) async {
    var behavior = behavior
    behavior.preparedAhead += 3
    behavior.keptCells += 3
    let account = Box<UInt64>(1)
    var configuration = TrackerConfiguration<Int, TrackerRig.Loaded>()
    configuration.slots = UpdateSlots(100)
    configuration.cached = { TrackerRig.Loaded(row: $0, generation: account.value) }
    let tracker = DisplayTracker(configuration: configuration, operation: { _ in nil })
    let app = TrackedList(tracker, rowOfValue: \.row)
    let list = ListSimulator(rows: Array(0..<100), viewport: 440, behavior: behavior) {
      app.handle($0)
    }
    list.layOut()
    tracker.endPass()
    for _ in 0..<3 { list.drag(by: 88) }
    tracker.endPass()
    if isCovered { for cell in list.visibleCells { tracker.cover(cell) } }
    account.set(2)
    tracker.removeAll()
    if isCovered {
      for cell in list.visibleCells { tracker.willDisplay(cell) }
    } else {
      for row in list.visibleRows { list.reconfigureRow(row) }
    }
    for distance in [88.0, 44, -88, -176] {
      list.drag(by: distance)
      tracker.endPass()
      for cell in list.visibleCells {
        #expect(app.content(of: cell)?.phase.value?.generation == 2, "\(distance)")
      }
      #expect(tracker.displayedRows == Set(list.visibleRows))
    }
    #expect(tracker.audit() == [])
  }
}
