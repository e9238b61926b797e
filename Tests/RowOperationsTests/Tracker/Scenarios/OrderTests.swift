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

  @Test("A tracker prefetches further the further the list moves during a load")
  func speed() {
    var window = OrderWindow(count: 1000)
    var motion = OrderWindow.Motion(rate: 40, loadTime: 0.3, isMoving: true)
    #expect(window.move(to: 0...4, motion, limit: 100) == Array(5...28))
    motion.loadTime = nil
    #expect(window.move(to: 20...24, motion, limit: 100) == Array(29...34))
    motion.loadTime = 60
    #expect(
      window.move(to: 20...24, motion, limit: 100) == Array(35...124), "no more than the limit")
  }

  @Test("The window stops at both ends of the list")
  func ends() {
    var window = OrderWindow(count: 10)
    #expect(window.move(to: 4...6, .init(), limit: 32) == [7, 8, 9, 3, 2, 1])
    #expect(window.move(to: 7...9, .init(), limit: 32) == [])
    #expect(window.move(to: 0...2, .init(), limit: 32) == [3, 4, 5])
    var empty = OrderWindow(count: 0)
    #expect(empty.move(to: 0...0, .init(), limit: 32) == [])
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

  @Test("A row that left the order loses only its prefetch and landing claims")
  func leavesOrder() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    rig.tracker.setOrder(0..<20)
    try rig.play("cW[0,1] | P[8,9] L[12,13] |")
    #expect(Set(rig.waitingByPriority).isSuperset(of: [1, 8, 9, 12, 13]))
    rig.tracker.setOrder([1, 2, 3])
    try rig.play("|")
    #expect(rig.rows(in: .loading) == [0], "the row is on screen, even if it is not in the order")
    #expect(Set(rig.waitingByPriority).isDisjoint(with: [8, 9, 12, 13]))
    #expect(rig.violations == [])
  }

  @Test("The value of a row that left the order is dropped first")
  func valueGoesFirst() async throws {
    let rig = TrackerRig { $0.retention = .count(3) }
    rig.tracker.setOrder([0, 7, 1, 8, 2])
    rig.tracker.suspend()
    rig.tracker.resume()
    try await rig.playToTheEnd("cW[0…2] | F0 F1 F2 | E[0…2] |")
    rig.tracker.setOrder([0, 1, 9])
    try await rig.playToTheEnd("c9(d) W9(d) | F9 |")
    #expect(rig.tracker.phase(of: 2).value == nil && rig.tracker.phase(of: 0).value != nil)
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
    rig.tracker.setOrder(0..<20, of: 0)
    rig.tracker.setOrder(100..<120, of: 1)
    try await Self.loadAll(rig, "cW[5,6] cW[110,111] |")
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

  @Test("A list beyond the largest number has no order, not that of another list")
  func farList() {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    rig.tracker.setOrder([7, 8], ofList: 0)
    rig.tracker.setOrder([8], ofList: 256)
    rig.tracker.bind(cell, to: 8) { _, _ in }
    #expect(rig.tracker.boundIndex(of: cell, inList: 0) == .at(1))
    #expect(rig.tracker.boundIndex(of: cell, inList: 256) == .elsewhere)
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

  @Test("A recording contains the order, and its replay prefetches the same rows")
  func recording() async throws {
    let rig = TrackerRig()
    var lines: [String] = []
    rig.tracker.recordEvents { lines.append($0) }
    rig.tracker.setOrder(0..<20)
    try await Self.loadAll(rig, "cW[5,6] |")
    #expect(lines[0].hasPrefix("O[0…19] c5(a) W5(a)"))
    let replay = TrackerRig()
    try await replay.playToTheEnd(lines.joined(separator: " "))
    #expect(replay.recorder.started == rig.recorder.started)
  }
}
