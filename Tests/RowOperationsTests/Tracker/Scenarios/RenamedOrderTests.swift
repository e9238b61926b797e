// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Orders with rows that get another id", .timeLimit(.minutes(10)))
@MainActor
struct RenamedOrderTests {
  @Test("An order that is not read anew means the new id, and one that is read anew does not")
  func order() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(100) }
    try await rig.playToTheEnd("O[0…39] c0(a) W0(a) c1(b) W1(b) |")
    try await rig.playToTheEnd("=3>103 =30>130 | E0(a) E1(b) c29(c) W29(c) c31(d) W31(d) | |")
    #expect(rig.recorder.started.contains(3) && !rig.recorder.started.contains(103))
    #expect(rig.recorder.started.contains(130) && !rig.recorder.started.contains(30))
    #expect(rig.tracker.position(of: 130) == 30 && rig.tracker.position(of: 30) == nil)
    #expect(rig.violations == [])
    try await rig.playToTheEnd("c30(e) |")
    #expect(rig.tracker.position(of: 30) == nil, "the cell has another row by now")
    try await rig.playToTheEnd("O[0…39] | |")
    #expect(rig.tracker.position(of: 30) == 30 && rig.recorder.started.contains(30))
    #expect(rig.tracker.store.rows.renamed.isEmpty && rig.violations == [])
  }

  @Test("An order that is set right before a rename means the new id, too")
  func orderOfTheSameTurn() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<40)
    try await rig.playToTheEnd("c0(a) W0(a) | |")
    rig.tracker.setOrder(0..<40)
    try await rig.playToTheEnd("=30>130 | | E0(a) c29(b) W29(b) c31(c) W31(c) | |")
    #expect(rig.tracker.position(of: 130, inList: 0) == 30)
    #expect(!rig.recorder.started.contains(30))
  }

  @Test("An order that is set anew has no former ids, also if its list had no window")
  func orderWithoutWindow() async throws {
    let rig = TrackerRig()
    rig.tracker.setOrder(0..<40)
    try await rig.playToTheEnd("c0(a) W0(a) | =30>130 | E0(a) |")
    rig.tracker.setOrder(0..<40)
    try await rig.playToTheEnd("c29(b) W29(b) c31(c) W31(c) | |")
    #expect(rig.tracker.position(of: 30, inList: 0) == 30)
  }

  @Test("A search for the rows on screen finds a renamed row at its former place")
  func search() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("O[0…99] c0(a) W0(a) | =60>160 | c160(b) E0(a) W160(b) | |")
    #expect(rig.tracker.position(of: 160) == 60 && rig.violations == [])
    try rig.play("O[] | |")
    #expect(rig.tracker.store.rows.renamed.isEmpty)
  }

  @Test("A list that knows its positions keeps former ids until its data is read anew")
  func lists() async throws {
    let rig = TrackerRig()
    func show(_ shown: Range<Int>, _ rows: [Int], isOtherData: Bool) {
      let spans = [ShownPositions(bounds: 0..<rows.count, shown: shown)].compactMap(\.self)
      rig.tracker.show(spans, ofList: 1, isOtherData: isOtherData) { RowSource(rows) }
      rig.tracker.endPass()
    }
    show(0..<2, Array(0..<60), isOtherData: true)
    rig.tracker.rename(50, to: 150)
    rig.tracker.endPass()
    show(48..<52, Array(0..<60), isOtherData: false)
    #expect(rig.tracker.rows(at: 50, inList: 1) == [150])
    show(48..<52, Array(0..<60), isOtherData: true)
    #expect(rig.tracker.rows(at: 50, inList: 1) == [50])
    #expect(rig.violations == [])
  }
}
