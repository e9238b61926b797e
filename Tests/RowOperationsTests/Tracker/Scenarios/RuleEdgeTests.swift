// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

/// Inputs at which the rules of loading were once wrong.
@Suite("The rules of loading at their edges", .timeLimit(.minutes(5)))
@MainActor
struct RuleEdgeTests {
  @Test("A row on screen takes the slot of another tracker's prefetch, which takes no turn itself")
  func prefetchOfAnother() throws {
    let slots = UpdateSlots(1)
    let (first, second) = (TrackerRig { $0.slots = slots }, TrackerRig { $0.slots = slots })
    try first.play("P[1] |")
    try second.play("c2(a) W2(a) |")
    #expect(second.rows(in: .loading) == [2] && first.isWaiting(1))
  }

  @Test(
    "A prefetch that yields does not get its slot back, though rows wait for longer then",
    arguments: [false, true])
  func yieldsToItself(isShared: Bool) async throws {
    let slots = UpdateSlots(1)
    let idle = TrackerRig { $0.slots = slots }
    try idle.play("|")
    let rig = TrackerRig {
      if isShared { $0.slots = slots } else { $0.slots = UpdateSlots(1) }
      $0.quietTime = .seconds(10)
    }
    try await rig.playToTheEnd("c50(z) W50(z) | +100ms F50 | E50(z) |")
    let values = (0..<17).map { "v\($0)" }.joined(separator: " ")
    try rig.play("Q1@0[0…17] \(values) V1@0…17[0…7] cW[0…7] |")
    try rig.play("+10ms B1 c8(i) W8(i) c9(j) W9(j) E0(a) E1(b) V1@0…17[2…9] |")
    try rig.play("+10ms M1 c10(k) W10(k) c11(l) W11(l) E2(c) E3(d) V1@0…17[4…11] |")
    #expect(rig.rows(in: .loading) == [17])
    await rig.loadsBegan()
    try rig.play("![11] | | | |")
    #expect(rig.rows(in: .loading) == [11] && rig.starts(of: 17) == 1)
  }

  @Test("A row on screen loads before a prefetch, though the clock went back during a load")
  func clockBack() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try await rig.playToTheEnd("c50(z) W50(z) | ")
    rig.clock.advance(by: .milliseconds(-500))
    try await rig.playToTheEnd("F50 | E50(z) | P[2] c1(x) W1(x) |")
    #expect(rig.rows(in: .loading) == [1])
  }

  @Test("A row keeps its claim when its position comes on screen before its cell")
  func positionsFirst() throws {
    let rig = TrackerRig { $0.retention = .none }
    try rig.play("Q1@0[0…9] V1@0…9[0] c0(a) v0 W0(a) v1 v2 | V1@0…9[1] |")
    #expect(rig.phase(of: 1) == .loaded)
  }

  @Test("Values that low memory drops load again when their own list moves, and no other one")
  func lowMemory() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(20) }
    try rig.play("Q1@0[0…9] V1@0…9[0] c0(a) v0 W0(a) v1 v2 v3")
    try rig.play("Q2@0[20…29] V2@0…9[0] c20(b) v20 W20(b) v21 v22 v23 v24 | ~* |")
    try rig.play("V2@0…9[1] c21(c) v21 W21(c) E20(b) |")
    #expect(rig.rows(in: .loading) == [22, 23, 24])
    try rig.play("V1@0…9[1] c1(d) W1(d) E0(a) |")
    #expect(rig.rows(in: .loading).isSuperset(of: [1, 2, 3]) && rig.violations == [])
  }

  @Test("An announcement of a displayed row ends with this display")
  func announcedWhileDisplayed() throws {
    let rig = TrackerRig { $0.retention = .none }
    try rig.play("c5(a) v5 W5(a) | P[5] | E5(a) |")
    #expect(rig.phase(of: 5) == .waiting && rig.tracker.core.engine.claims.announcedCount == 0)
  }

  @Test("A repeated row takes the room of one")
  func repeatedRows() throws {
    let rig = TrackerRig {
      $0.prefetchWindow = PrefetchWindow(ahead: 7, behind: 0, limit: 4)
      $0.slots = UpdateSlots(20)
    }
    try rig.play("Q1@0[0…9] V1@0…9[0] c0(a) v0 W0(a) Q2@0[0…9] V2@0…9[0] |")
    #expect(rig.rows(in: .loading) == [1, 2, 3, 4])
  }

  @Test("A suspended tracker claims no announced row, then or later")
  func announcedWhileSuspended() throws {
    let rig = TrackerRig()
    try rig.play("Z | P[5,6] | z |")
    #expect(rig.rows(in: .loading) == [] && rig.violations == [])
  }

  @Test(
    "A window beyond its ranges is the nearest one within them",
    arguments: [
      (PrefetchWindow(ahead: .nan, behind: .infinity, limit: .max), (0, 100, 1_000)),
      (PrefetchWindow(ahead: -1, behind: -.infinity, limit: .min), (0, 0, 0)),
      (PrefetchWindow(ahead: 1e308, behind: 0.5, limit: 7), (100, 0.5, 7)),
    ])
  func ranges(window: PrefetchWindow, clamped: (ahead: Double, behind: Double, limit: Int)) throws {
    let rig = TrackerRig { $0.prefetchWindow = window }
    let used = rig.tracker.core.engine.settings.prefetchWindow
    #expect((used.ahead, used.behind, used.limit) == clamped)
    try rig.play("Q1@0[0…9] V1@0…9[4,5] c4(a) W4(a) P[8] B1 M1 L1@[6] | M1 | S1 |")
    #expect(rig.violations == [])
  }
}
