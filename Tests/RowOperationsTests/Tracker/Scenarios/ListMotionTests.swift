// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

/// List 1 shows rows from 0 on, and list 2 rows from 100 on.
@Suite("Each list of a tracker has a motion of its own")
@MainActor
struct ListMotionTests {
  /// Two lists at rest with four rows on screen each, and with load times of a second.
  private func atRest(
    _ policy: ScrollPolicy = .adaptive, prefetchLimit: Int = 0, slots: Int = 8
  ) async throws -> TrackerRig {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(slots)
      $0.scrollPolicy = policy
      $0.prefetchWindow.limit = prefetchLimit
    }
    try rig.play("Q1@0[0…99] V1@0…99[0…3] c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) c3(d) W3(d)")
    try rig.play("Q2@0[100…199] V2@0…99[0…3] c100(e) W100(e) c101(f) W101(f)")
    try await rig.playToTheEnd("c102(g) W102(g) c103(h) W103(h) |")
    while !rig.rows(in: .loading).isEmpty {
      let ends = rig.rows(in: .loading).sorted().map { "F\($0)" }
      try await rig.playToTheEnd("+1000ms \(ends.joined(separator: " ")) |")
    }
    return rig
  }

  /// List 2 moves four rows in two passes, so that a row stays for about 100 ms.
  private let fling = """
    v104 v105 B2 M2 V2@0…99[2…5] E100(e) E101(f) c104(i) W104(i) c105(j) W105(j) | \
    +16ms M2 V2@0…99[4…7] E102(g) E103(h) c106(k) W106(k) c107(l) W107(l) |
    """

  // MARK: Held rows

  @Test(
    "A row on screen in a list at rest is not held back",
    arguments: [
      ScrollPolicy.adaptive, .whenSettled,
    ])
  func restingRowLoads(policy: ScrollPolicy) async throws {
    let rig = try await atRest(policy)
    try rig.play(fling)
    #expect(rig.rows(in: .loading) == [], "rows of the list that moves are held back")
    try rig.play("![2] V1@0…99[1…4] E0(a) c4(a) W4(a) |")
    #expect(rig.rows(in: .loading) == [2, 4])
    #expect(rig.violations == [])
  }

  @Test(
    "A row that two lists show is not held back while one of them rests",
    arguments: [
      ScrollPolicy.adaptive, .whenSettled,
    ])
  func sharedRowLoads(policy: ScrollPolicy) async throws {
    let rig = try await atRest(policy)
    try rig.play(fling)
    try rig.play("Q1@50[106] V1@0…99[50] E0(a) E1(b) E2(c) E3(d) c106(m) W106(m) |")
    #expect(rig.rows(in: .loading) == [106])
    #expect(rig.violations == [])
  }

  @Test("The explanation of a row names the motion of its own list")
  func explains() async throws {
    let rig = try await atRest(.whenSettled, slots: 1)
    try rig.play(fling)
    try rig.play("![1,2] |")
    #expect(rig.tracker.explain(2).contains("in line"))
    #expect(rig.tracker.explain(106).contains("held back: the list moves"))
  }

  // MARK: Settling

  @Test("A list that settles leaves the pace of another one alone")
  func settles() async throws {
    let rig = try await atRest()
    try rig.play(fling)
    #expect(rig.rows(in: .loading) == [] && rig.rows(in: .waiting) == [106, 107])
    try rig.play("M1 | S1 |")
    #expect(rig.rows(in: .loading) == [], "list 2 flings on")
    try rig.play("S2 |")
    #expect(rig.rows(in: .loading) == [106, 107])
    #expect(rig.violations == [])
  }

  // MARK: Landing

  @Test(
    "Landing rows of a list stay while another one is touched, lands, settles or goes",
    arguments: ["B1", "L1@[50]", "S1", "M1 | S1", "M1 | +150ms M2"])
  func landing(words: String) async throws {
    let rig = try await atRest()
    try rig.play("L2@[140,141] | \(words) |")
    #expect(rig.rows(in: .loading).isSuperset(of: [140, 141]))
    #expect(claims(rig) == (words.hasPrefix("L1") ? [50, 140, 141] : [140, 141]))
    try rig.play("S2 |")
    #expect(claims(rig) == (words.hasPrefix("L1") ? [50] : []))
    #expect(rig.violations == [])
  }

  @Test("A row where two lists land is claimed until both have settled")
  func sharedLanding() async throws {
    let rig = try await atRest()
    try rig.play("L1@[140,50] L2@[140,141] | S1 |")
    #expect(claims(rig) == [140, 141])
    try rig.play("L1@[141] | S2 |")
    #expect(claims(rig) == [141])
    try rig.play("-[141] P[141] | L2@[141] | S1 |")
    #expect(claims(rig) == [141], "list 1 landed on a row that was removed since")
    try rig.play("S2 |")
    #expect(claims(rig) == [])
    #expect(rig.violations == [])
  }

  // MARK: Ends

  @Test("A list that is removed or covered ends its own motion and landing", arguments: [1, 2])
  func ends(list: Int) async throws {
    for isRemoved in [true, false] {
      let rig = try await atRest()
      let numbers = (1...2).map { _ in rig.tracker.addList(onBind: nil) }
      #expect(numbers == [1, 2])
      try rig.play("L1@[50] L2@[140] |")
      if isRemoved {
        rig.tracker.removeList(list)
      } else {
        rig.tracker.coverList(list, isCovered: true)
      }
      rig.tracker.endPass()
      #expect(rig.tracker.core.engine.gate.motions.map(\.list) == [3 - list])
      #expect(claims(rig) == (list == 1 ? [140] : [50]))
      #expect(rig.violations == [])
    }
  }

  // MARK: Pace

  @Test("While several lists move, a row that comes on screen counts once for the pace of each")
  func appearances() throws {
    let rig = TrackerRig()
    var counts: [[Int]] {
      rig.tracker.core.engine.gate.motions.map { $0.appearances.map(\.count) }
    }
    try rig.play("M1 M2 c0(a) W0(a) |")
    #expect(counts == [[1], [1]])
    // A row that leaves and comes back within a turn has been there all the time.
    try rig.play("M1 M2 E0(a) W0(a) |")
    #expect(counts == [[1], [1]])
  }

  /// The rows where lists land.
  private func claims(_ rig: TrackerRig) -> [Int] {
    let rows = rig.tracker.core.engine.rows
    return rows.ids.filter { rows[$0].isLanding }.compactMap { rig.tracker.store.rows[$0] }.sorted()
  }
}
