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

  @Test("A tracker prefetches 2.5 screens ahead and 1.5 behind, ahead first, nearest first")
  func atRest() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50…53] |")
    #expect(rig.recorder.started == Array(50...63) + [49, 48, 47, 46, 45, 44])
    try await Self.loadAll(rig, "| +1000ms |")
    #expect(rig.recorder.started.count == 20, "no row loads again")
    #expect(rig.violations == [])
  }

  @Test("The window of a tracker turns around with its list")
  func turning() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "B c50(a) W50(a) c51(b) W51(b) | M c52(c) W52(c) E50(a) |")
    #expect(Set(rig.recorder.started) == Set(48...57))
    try await Self.loadAll(rig, "M c50(d) W50(d) E52(c) | M c49(e) W49(e) E51(b) |")
    #expect(Set(rig.recorder.started) == Set(44...57))
    #expect(rig.violations == [])
  }

  @Test("Rows that the list prefetches too load once, the row next to the screen first")
  func union() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    rig.tracker.setOrder(0..<100)
    try await rig.playToTheEnd("cW[50,51] | P[55,54,53,52] |")
    try await Self.loadAll(rig, "|")
    #expect(rig.recorder.started == [50, 51, 52, 53, 54, 55, 56, 49, 48, 47])
    #expect(rig.violations == [])
  }

  @Test("Rows in the window keep their values beyond the retention, and lose them behind it")
  func retention() async throws {
    let rig = TrackerRig { $0.retention = .count(6) }
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "cW[50…53] |")
    #expect(rig.rows(in: .loaded).sorted() == Array(44...63))
    #expect(rig.tracker.metrics.prefetchedInVain == 0)
    try await Self.loadAll(
      rig,
      "c54(e) W54(e) E50(a) c55(f) W55(f) E51(b) "
        + "c56(g) W56(g) E52(c) c57(h) W57(h) E53(d) |")
    #expect(rig.rows(in: .loaded).sorted() == Array(48...67))
    #expect(rig.tracker.metrics.prefetchedInVain == 4)
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

  @Test("A suspended tracker prefetches nothing, and continues after it is resumed")
  func suspended() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<100)
    try await Self.loadAll(rig, "Z cW[50,51] |")
    #expect(rig.recorder.started == [])
    try await Self.loadAll(rig, "z |")
    #expect(rig.recorder.started.sorted() == Array(47...56))
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
    #expect(Set(rig.recorder.started) == Set(47...56))
    #expect(rig.violations == [])
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
}
