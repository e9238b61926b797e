// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Prefetching by the order of the list")
@MainActor
struct OrderTests {
  /// Plays a script and ends each load that begins.
  static func loadAll(_ rig: TrackerRig, _ script: String) async throws {
    try await rig.playToTheEnd(script)
    while let row = rig.rows(in: .loading).min() { try await rig.playToTheEnd("F\(row) |") }
  }

  @Test("At rest a tracker prefetches a screen on each side, ahead first, nearest first")
  func atRest() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50…53] |")
    #expect(rig.recorder.started == Array(50...57) + [49, 48, 47, 46])
    try await Self.loadAll(rig, "| +1000ms |")
    #expect(rig.recorder.started.count == 12, "no row loads again")
    #expect(rig.violations == [])
  }

  @Test("While the list moves a tracker prefetches two screens ahead and none behind")
  func ahead() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "B c50(a) W50(a) c51(b) W51(b) | M c52(c) W52(c) E50(a) |")
    #expect(Set(rig.recorder.started) == Set(50...56))
    try await Self.loadAll(rig, "M c50(d) W50(d) E52(c) | M c49(e) W49(e) E51(b) |")
    #expect(Set(rig.recorder.started) == Set(45...56), "the list turned around")
    #expect(rig.violations == [])
  }

  /// A window of a list that shows some of its positions.
  private func window(_ shown: Range<Int>, of count: Int) throws -> OrderWindow {
    var window = OrderWindow(
      .init(list: 1), try #require(ShownPositions(bounds: 0..<count, shown: shown)))
    _ = window.settle()
    return window
  }

  @Test("A tracker prefetches further the further the list moves during a load")
  func speed() throws {
    let window = try window(0..<5, of: 1000)
    var motion = OrderWindow.Motion(rate: 40, loadTime: 0.3, isMoving: true)
    #expect(window.reach(motion, limit: 100) == .init(ahead: 24, behind: 0))
    motion.loadTime = nil
    #expect(window.reach(motion, limit: 100) == .init(ahead: 10, behind: 0))
    motion.loadTime = 60
    #expect(
      window.reach(motion, limit: 100) == .init(ahead: 100, behind: 0), "no more than the limit")
  }

  @Test("A repeated row is at the position nearest to the screen, the first of two as near")
  func nearest() throws {
    var window = try window(4..<7, of: 20)
    _ = window.hold(0..<12)
    let rows: [Int32] = [9, 1, 2, 3, 4, 5, 6, 3, 8, 9, 10, 9]
    _ = window.read(rows.map { .row(RowID(index: $0)) }, at: 0..<12)
    #expect(window.position(of: RowID(index: 3)) == 3)
    #expect(window.position(of: RowID(index: 9)) == 9)
    #expect(window.position(of: RowID(index: 7)) == nil)
  }

  @Test("The window stops at both ends of the list")
  func ends() throws {
    for (shown, positions) in [(4..<7, 1..<10), (7..<10, 4..<10), (0..<3, 0..<6)] {
      let window = try window(shown, of: 10)
      #expect(window.positions(within: window.reach(.init(), limit: 32)) == positions)
    }
    #expect(ShownPositions(bounds: 0..<0, shown: 0..<1) == nil)
  }

  @Test("A window reaches the end that the list moves to if it holds the last position there")
  func endAhead() throws {
    var window = try window(4..<7, of: 10)
    _ = window.hold(4..<9)
    #expect(!window.reachesEndAhead)
    _ = window.hold(4..<10)
    #expect(window.reachesEndAhead)
    window.move(
      to: try #require(ShownPositions(bounds: 0..<10, shown: 3..<6)), isOtherData: false)
    #expect(window.settle().change == .turned)
    _ = window.hold(1..<10)
    #expect(!window.reachesEndAhead)
    _ = window.hold(0..<10)
    #expect(window.reachesEndAhead)
  }

  @Test("Rows that the list prefetches too load once, the row next to the screen first")
  func union() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await rig.playToTheEnd("cW[50,51] | P[55,54,53,52] |")
    try await Self.loadAll(rig, "|")
    #expect(rig.recorder.started == [50, 51, 52, 53, 54, 55, 49, 48])
    #expect(rig.violations == [])
  }

  @Test("Prefetching ends when the retention limit is reached")
  func retention() async throws {
    let rig = TrackerRig { $0.retention = .count(6) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50…53] |")
    #expect(rig.recorder.started.sorted() == Array(49...54))
    #expect(rig.tracker.metrics.prefetchedInVain == 0)
    #expect(rig.violations == [])
  }

  @Test("An unseen value that is dropped narrows the window to the number of values held then")
  func narrows() async throws {
    let rig = TrackerRig { $0.retention = .cost(limit: 6) { _ in 1 } }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50…53] |")
    let first = rig.tracker.metrics.prefetchedInVain
    #expect(first > 0)
    try await Self.loadAll(
      rig, "c54(e) W54(e) E50(a) | c55(f) W55(f) E51(b) | c56(g) W56(g) E52(c) |")
    #expect(rig.tracker.metrics.prefetchedInVain <= first + 1)
    let started = rig.recorder.started.count
    try await Self.loadAll(rig, "| +1000ms | +1000ms |")
    #expect(rig.recorder.started.count == started, "loading ends when the list rests")
    #expect(rig.violations == [])
  }

  @Test("After a memory warning prefetching waits until the list moves")
  func memoryWarning() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50,51] |")
    let started = rig.recorder.started.count
    try await Self.loadAll(rig, "~* | +1000ms |")
    #expect(rig.recorder.started.count == started)
    try await Self.loadAll(rig, "c52(c) W52(c) E50(a) |")
    #expect(rig.rows(in: .loaded).isSuperset(of: [51, 52, 54]))
    #expect(rig.violations == [])
  }

  @Test("Two lists on one tracker each have their own order")
  func twoLists() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(8) }
    rig.tracker.setOrder(0..<20)
    try await Self.loadAll(rig, "Q1@0[100…119] V1@0…19[10,11] cW[5,6] cW[110,111] |")
    #expect(
      rig.recorder.started.sorted() == [3, 4, 5, 6, 7, 8] + [108, 109, 110, 111, 112, 113])
    #expect(rig.violations == [])
  }

  @Test("A suspended tracker prefetches nothing, and continues after it is resumed")
  func suspended() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "Z cW[50,51] |")
    #expect(rig.recorder.started == [])
    try await Self.loadAll(rig, "z |")
    #expect(rig.recorder.started.sorted() == Array(48...53))
    #expect(rig.violations == [])
  }

  @Test("An order can contain rows twice, be empty, or be replaced while rows load")
  func oddOrders() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder([50, 51, 50, 52, 51])
    try await Self.loadAll(rig, "cW[50,51] |")
    #expect(rig.rows(in: .loaded).contains(52))
    rig.tracker.setOrder([Int]())
    try await Self.loadAll(rig, "cW[60] |")
    #expect(rig.rows(in: .loaded) == [50, 51, 52, 60])
    rig.tracker.setOrder(60..<64)
    try await Self.loadAll(rig, "|")
    #expect(rig.rows(in: .loaded).isSuperset(of: [60, 61]))
    #expect(rig.violations == [])
  }

  @Test("The order can be a sequence that is read once")
  func sequence() async throws {
    let rig = TrackerRig()
    var next = 0
    rig.tracker.setOrder(
      AnyIterator {
        defer { next += 1 }
        return next < 100 ? next : nil
      })
    try await Self.loadAll(rig, "cW[50,51] |")
    #expect(Set(rig.recorder.started) == Set(48...53))
    #expect(rig.violations == [])
  }

  @Test("After an empty order the tracker knows no positions and looks for none")
  func emptyOrder() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50,51] |")
    #expect(rig.tracker.shownPositions(inList: 0) == 50..<52)
    rig.tracker.setOrder([Int]())
    #expect(rig.tracker.shownPositions(inList: 0) == nil)
    #expect(rig.tracker.core.followed.isEmpty)
  }

  @Test("A cell at the first position that shows another row is found, one without a position not")
  func wrongCells() throws {
    let rig = TrackerRig()
    try rig.play("Q1@0[0…9] V1@0…9[0…2] |")
    let cells = [2, 1, 7].map { row in
      let cell = SimulatedCell(number: row)
      rig.tracker.bind(cell, to: row) { _, _ in }
      rig.tracker.willDisplay(cell)
      return cell
    }
    let wrong = rig.tracker.wrongCells(at: [0, 1, -1], inList: 1) { ObjectIdentifier(cells[$0]) }
    #expect(wrong.map(\.cell) == [0])
    #expect(wrong.map(\.row) == [rig.tracker.knownID(of: 2)])
  }

  @Test("A recording contains the order, and its replay prefetches the same rows")
  func recording() async throws {
    let rig = TrackerRig()
    var lines: [String] = []
    rig.tracker.recordEvents { lines.append($0) }
    rig.tracker.setOrder(0..<20)
    try await Self.loadAll(rig, "cW[5,6] |")
    // Rows have numbers in the order in which the tracker came across them.
    #expect(lines[0] == "c0(a) W0(a) c1(b) W1(b) Q0@1[5,6,2,3,0,1,4,7…9] V0@0…19[5,6] |")
    let replay = TrackerRig()
    try await replay.playToTheEnd(lines.joined(separator: " "))
    #expect(rig.recorder.started == [5, 6, 7, 8, 4, 3])
    #expect(replay.recorder.started == [0, 1, 4, 7, 3, 2])
  }
}
