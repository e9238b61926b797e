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

  @Test("A list at rest prefetches under whenSettled while another one moves")
  func prefetches() async throws {
    let rig = try await atRest(.whenSettled, prefetchLimit: 16)
    try rig.play("V1@0…99[50…53] |")
    try await OrderTests.loadAll(rig, "|")
    let before = Set(rig.recorder.started)
    try rig.play(fling)
    try rig.play("Q1@54[300…303] V1@0…99[50…53] |")
    #expect(rig.rows(in: .loading) == [300, 301, 302, 303])
    #expect(Set(rig.recorder.started).subtracting(before) == [300, 301, 302, 303])
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

  @Test("The quiet time of each list begins with its own last move")
  func quiet() async throws {
    let rig = try await atRest(.whenSettled)
    try rig.play("M1 | +100ms M2 | +50ms |")
    let gate = rig.tracker.core.engine.gate
    #expect(gate.motions.map(\.list) == [2])
    #expect(gate.quietDeadline == gate.motions[0].lastMove + 150_000_000)
    try rig.play("+99ms |")
    #expect(rig.tracker.core.engine.gate.isMoving(2))
    try rig.play("+1ms |")
    #expect(!rig.tracker.core.engine.gate.isMoving)
    #expect(rig.violations == [])
  }

  @Test("The next turn comes when the first list is quiet, whatever its number")
  func quietDeadline() async throws {
    let rig = try await atRest(.immediate)
    try rig.play("M2 | +100ms M1 |")
    let engine = rig.tracker.core.engine
    let first = try #require(engine.gate.motions.first { $0.list == 2 })
    var copy = engine
    #expect(copy.nextDeadline == first.lastMove + 150_000_000)
  }

  @Test("A report of motion takes a turn while a row is held back from a free slot, else none")
  func turnsOfMotion() async throws {
    let rig = try await atRest()
    let turns = rig.tracker.core.engine.turns
    try rig.play("M2")
    #expect(!turns.isRequested && !rig.tracker.core.engine.turns.isRequested)
    try rig.play(fling)
    #expect(rig.rows(in: .waiting) == [106, 107] && !rig.tracker.core.engine.turns.isRequested)
    rig.tracker.scrollDidMove(inList: 2)
    #expect(rig.tracker.core.engine.turns.isRequested)
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

  @Test("The end of a scroll requests the turn in which the rows load", arguments: [nil, 1])
  func turnOfSettle(list: Int?) throws {
    let rig = TrackerRig { $0.scrollPolicy = .whenSettled }
    try rig.play(list == nil ? "B cW[0,1] |" : "B1 cW[0,1] | |")
    let wasRequested = rig.tracker.core.engine.turns.isRequested
    #expect(rig.rows(in: .waiting) == [0, 1])
    if let list {
      rig.tracker.scrollDidSettle(inList: list)
    } else {
      rig.tracker.scrollDidSettle()
    }
    #expect(!wasRequested && rig.tracker.core.engine.turns.isRequested)
    rig.tracker.endPass()
    #expect(rig.rows(in: .loading) == [0, 1])
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

  @Test("A suspended tracker has no list that moves")
  func suspended() async throws {
    let rig = try await atRest()
    try rig.play("M L1@[50] L2@[140] | Z |")
    #expect(!rig.tracker.core.engine.gate.isMoving && claims(rig) == [])
    #expect(rig.violations == [])
  }

  /// The rows where lists land.
  private func claims(_ rig: TrackerRig) -> [Int] {
    let rows = rig.tracker.core.engine.rows
    return rows.ids.filter { rows[$0].isLanding }.compactMap { rig.tracker.store.rows[$0] }.sorted()
  }

  // MARK: Windows

  @Test("Suspensions, orders, positions and other reports of a list each request a turn")
  func turnsOfReports() {
    let tracker = TrackerRig { $0.onImpression = { _ in } }.tracker
    let list = tracker.addList(onBind: nil)
    let reports: [() -> Void] = [
      { tracker.suspend() }, { tracker.resume() }, { tracker.cellsVanished() },
      { tracker.forgetImpressions() }, { tracker.setOrder(0..<10) },
      { tracker.showsPositions(2..<4, of: Array(0..<10)) },
      { tracker.coverList(list, isCovered: true) }, { tracker.coverList(list, isCovered: false) },
    ]
    for (number, report) in reports.enumerated() {
      tracker.endPass()
      #expect(!tracker.core.engine.turns.isRequested, "before report \(number)")
      report()
      #expect(tracker.core.engine.turns.isRequested, "report \(number)")
    }
  }

  @Test("Each window reaches in the direction of its own list")
  func reach() async throws {
    let rig = try await atRest(prefetchLimit: 64)
    try rig.play(fling)
    try rig.play("V1@0…99[50…53] E0(a) E1(b) E2(c) E3(d) c50(a) W50(a) |")
    #expect(prefetched(rig).filter { $0 < 100 } == Array(44...49) + Array(51...63))
    #expect(prefetched(rig).filter { $0 >= 100 } == [100, 101, 102, 103] + Array(108...117))
    #expect(rig.violations == [])
  }

  @Test("A position with several rows takes the room of each")
  func room() async throws {
    let rig = try await atRest(prefetchLimit: 16)
    try rig.play("I1@54[500,501,502] I1@55[503,504,505] I1@56[506,507,508] V1@0…99[50…53] |")
    #expect(prefetched(rig).filter { $0 >= 500 } == [500, 501, 502, 503])
    #expect(rig.violations == [])
  }

  private func prefetched(_ rig: TrackerRig) -> [Int] {
    let rows = rig.tracker.core.engine.rows
    return rows.ids.filter { rows[$0].isPrefetched }.compactMap { rig.tracker.store.rows[$0] }
      .sorted()
  }

  // MARK: Pace

  @Test("Rows that appear count for the list that shows them")
  func pace() async throws {
    let rig = try await atRest()
    try rig.play("M1 M | " + fling)
    let motions = rig.tracker.core.engine.gate.motions
    #expect(motions.map(\.list) == [0, 1, 2])
    #expect(motions.map { $0.appearances.map(\.count) } == [[], [], [2, 2]])
    try rig.play("M M1 M2 c900(z) W900(z) V1@0…99[4] c4(y) W4(y) |")
    let counts = rig.tracker.core.engine.gate.motions.map { $0.appearances.map(\.count) }
    #expect(counts == [[1], [1], [2, 2]], "no window has row 900")
  }

  @Test("A single list that moves counts all rows")
  func paceOfOne() async throws {
    let rig = try await atRest()
    try rig.play("M2 c900(z) W900(z) V1@0…99[4] c4(y) W4(y) |")
    #expect(rig.tracker.core.engine.gate.motions.map { $0.appearances.map(\.count) } == [[2]])
  }

  @Test("A row outside of windows moves with the list without a number, or with any that moves")
  func outside() async throws {
    let rig = try await atRest()
    try rig.play(fling)
    try rig.play("c900(z) W900(z) |")
    #expect(rig.phase(of: 900) == .waiting, "as list 2 flings")
    try rig.play("M |")
    #expect(rig.phase(of: 900) == .loading, "the list without a number has no pace yet")
    #expect(rig.violations == [])
  }

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

  // MARK: Recordings

  @Test("A recorded run of two lists replays equally")
  func replay() async throws {
    var lines: [String] = []
    let first = TrackerRig { $0.prefetchWindow.limit = 8 }
    first.tracker.recordEvents { lines.append($0) }
    try first.play("Q1@0[0…99] V1@0…99[0…3] cW[0…3] Q2@0[4…49] V2@0…45[0…3] cW[4…7] |")
    try first.play("B1 L1@[20,21] M2 | +16ms M1 M | S1 L2@[30] | +16ms S |")
    #expect(lines.joined().contains("L1@"))
    let second = TrackerRig { $0.prefetchWindow.limit = 8 }
    try second.play(lines.joined(separator: " "))
    #expect(second.tracker.metrics == first.tracker.metrics)
    let motions = [first, second].map { $0.tracker.core.engine.gate.motions }
    #expect(motions[0].map(\.list) == [2] && motions[1].map(\.list) == [2])
    #expect(motions[0].map(\.landing.count) == motions[1].map(\.landing.count))
    #expect(claims(first).count == claims(second).count)
  }
}
