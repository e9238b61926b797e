// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Windows of lists")
@MainActor
struct WindowTests {
  private func loadAll(_ rig: TrackerRig, _ script: String) async throws {
    try await OrderTests.loadAll(rig, script)
  }

  @Test("A pager over the rows of a feed, shown and removed, leaves the feed's prefetching alone")
  func pager() async throws {
    let rig = TrackerRig()
    try await loadAll(rig, "Q1@0[0…99] V1@0…99[10…13] cW[10…13] |")
    let before = Set(rig.recorder.started)
    #expect(before == Set(4...23))
    // The pager repeats rows of the feed, at other positions, and goes away.
    try await loadAll(rig, "Q2@0[10…39] V2@0…29[4] c14(z) W14(z) |")
    try await loadAll(rig, "V2@[] E14(z) |")
    #expect(Set(rig.recorder.started) == before, "the pager has the rows around row 14")
    try await loadAll(rig, "V1@0…99[14…17] cW[14…17] |")
    #expect(Set(rig.recorder.started).isSuperset(of: 24...27), "the feed prefetches its neighbours")
    #expect(rig.violations == [])
  }

  @Test("A covered list of favourites loads none of its neighbours")
  func favourites() async throws {
    let rig = TrackerRig()
    try await loadAll(rig, "Q2@0[900,3,904,5,905] V2@0…4[1] c3(y) W3(y) | C(y) V2@[] |")
    let before = Set(rig.recorder.started)
    try await loadAll(rig, "Q1@0[0…99] V1@0…99[2…5] cW[2…5] |")
    #expect(Set(rig.recorder.started).subtracting(before).isSubset(of: 0...15))
    #expect(Set(rig.recorder.started).isSuperset(of: 0...15))
    #expect(rig.violations == [])
  }

  @Test("A removed list ends its own claims, and none of another list or of the app")
  func removed() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("Q1@0[0…9] V1@0…9[4] Q2@0[5,6,17] V2@0…2[1] P[18] cW[4,6] |")
    let claimed = { (row: Int) in
      rig.tracker.knownID(of: row).map { rig.tracker.core.engine.rows[$0].isPrefetched } ?? false
    }
    #expect([3, 5, 17, 18].allSatisfy(claimed))
    rig.tracker.removeList(2)
    rig.tracker.endPass()
    #expect([3, 5, 18].allSatisfy(claimed), "5 is beside row 4 in the other list")
    #expect(!claimed(17))
    #expect(rig.violations == [])
  }

  @Test("What the app's code does while a list reads its rows takes effect before the call returns")
  func callsAmidReading() throws {
    let rig = TrackerRig()
    let span = try #require(ShownPositions(bounds: 0..<9, shown: 2..<4))
    let cells = (0..<2).map { SimulatedCell(number: $0) }
    for cell in cells { rig.tracker.bind(cell, to: 2 + cell.number) { _, _ in } }
    func displayed() -> [Int] {
      rig.recorder.rows { if case .displayed = $0 { true } else { false } }
    }
    func source(displaying cell: SimulatedCell) -> RowSource<Int> {
      RowSource(count: 9) { positions, take in
        rig.tracker.willDisplay(cell)
        for position in positions { take(position, position) }
      }
    }
    rig.tracker.show([span], ofList: 1, isOtherData: true) { source(displaying: cells[0]) }
    #expect(displayed() == [2])
    let isFound = rig.tracker.find([cells[0]], inList: 1, isOtherData: true) {
      source(displaying: cells[1])
    }
    #expect(isFound && displayed() == [2, 3])
  }

  @Test("Rows inserted above move no window, and no row is asked for again")
  func insertion() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100)
    try await loadAll(rig, "cW[50…53] |")
    let started = rig.recorder.started
    let prefetched = rig.recorder.rows { if case .prefetched = $0 { true } else { false } }
    rig.tracker.setOrder(Array(1_000..<1_007) + Array(0..<100))
    try await loadAll(rig, "|")
    #expect(rig.tracker.position(of: 50, inList: 0) == 57)
    #expect(rig.recorder.started == started)
    #expect(prefetched == rig.recorder.rows { if case .prefetched = $0 { true } else { false } })
    #expect(rig.tracker.core.engine.windows.first?.isForward == true)
    #expect(rig.violations == [])
  }

  @Test("A far jump is searched for in several turns, and prefetches nothing meanwhile")
  func farJump() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100_000)
    try rig.play("cW[5,6] |")
    #expect(rig.tracker.position(of: 5, inList: 0) == 5)
    try rig.play("E5(a) E6(b) c90000(p) W90000(p) c90001(q) W90001(q) |")
    #expect(rig.tracker.core.engine.windows.isEmpty)
    var turns = 1
    while rig.tracker.core.engine.windows.isEmpty, turns < 100 {
      #expect(rig.tracker.core.engine.turns.isRequested, "the search goes on by itself")
      rig.tracker.endPass()
      turns += 1
    }
    #expect(turns == (90_000 - 5 + 4_095) / 4_096)
    #expect(rig.tracker.position(of: 90_001, inList: 0) == 90_001)
    #expect(rig.violations == [])
  }

  @Test("A list that reports its positions prefetches around them, and follows its data")
  func showsPositions() async throws {
    let rig = TrackerRig()
    var rows = Array(0..<30)
    rig.tracker.showsPositions(10..<12, of: rows)
    try await loadAll(rig, "cW[10,11] |")
    #expect(rig.recorder.started.sorted() == Array(7...16))
    rows.removeSubrange(0..<5)
    rig.tracker.showsPositions(5...6, of: rows)
    try await loadAll(rig, "|")
    #expect(rig.recorder.started.sorted() == Array(7...16), "the rows on screen are the same")
    rig.tracker.showsPositions(0..<0, of: rows)
    try await loadAll(rig, "|")
    #expect(rig.tracker.core.engine.windows.isEmpty)
    #expect(rig.violations == [])
  }

  @Test("A list that turns around reads at once what lies ahead now")
  func turn() throws {
    let rig = TrackerRig()
    func show(_ shown: Range<Int>) throws {
      let span = try #require(ShownPositions(bounds: 0..<1_000, shown: shown))
      rig.tracker.show([span], ofList: 1, isOtherData: false) {
        RowSource(count: 1_000) { positions, take in
          for position in positions { take(position, position) }
        }
      }
    }
    for start in [500, 510, 520, 515] {
      try show(start..<start + 10)
      #expect(rig.tracker.core.state.engine.unreadPositions(of: 1).isEmpty, "\(start)")
    }
  }

  @Test("Lists share the limit of prefetches, the nearest rows of each first")
  func dividedLimit() async throws {
    let rig = TrackerRig { $0.prefetchWindow.limit = 8 }
    try await loadAll(
      rig, "Q1@0[0…99] V1@0…99[10…19] Q2@0[200…299] V2@0…99[10…19] cW[10…19] cW[210…219] |")
    let ahead = Set(rig.recorder.started).subtracting(10...19).subtracting(210...219)
    #expect(ahead == Set(20...23).union(220...223))
    #expect(rig.violations == [])
  }

  @Test("Positions on screen far from the others, and repeated rows, move no window")
  func visibleRange() {
    #expect(VisibleRange.of([], displays: 0, near: 0) == nil)
    #expect(VisibleRange.of([3, 40, 41, 43, 44], displays: 5, near: 40) == 40..<45)
    #expect(VisibleRange.of([1, 2, 3, 4, 5, 6, 7], displays: 3, near: 4) == 4..<7)
    #expect(VisibleRange.of([0, 9], displays: 2, near: 9) == 9..<10)
    #expect(VisibleRange.of([0, 2], displays: 2, near: 0) == 0..<3)
    #expect(VisibleRange.of([0, 3], displays: 2, near: 0) == 0..<1)
    #expect(VisibleRange.of([0, 10], displays: 2, near: 5) == 0..<1, "the first of two as near")
    #expect(VisibleRange.of([1, 3], displays: 1, near: 2) == 1..<2)
  }
}
