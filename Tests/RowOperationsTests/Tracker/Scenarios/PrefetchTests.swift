// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Lifetime and rank of prefetch claims")
@MainActor
struct PrefetchTests {
  @Test("The rows of the newest call go first, in the given order")
  func newestFirst() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("P[10…12] | P[20…22] |")
    // Row 10 has the slot.
    #expect(rig.waitingByPriority == [20, 21, 22, 11, 12])
    #expect(rig.violations == [])
  }

  @Test("A row that is prefetched again gets a new rank")
  func rankedAnew() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("P[9…12] | P[20] | P[12,11] |")
    #expect(rig.waitingByPriority == [12, 11, 20, 10])
    #expect(rig.violations == [])
  }

  @Test("A prefetch claim ends with the value, which a memory warning then drops")
  func endsWithValue() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10,11] | F10 |")
    #expect(rig.tracker.phase(of: 10).value?.row == 10)
    try await rig.playToTheEnd("~* |")
    #expect(rig.tracker.phase(of: 10).value == nil && rig.rows(in: .loading) == [11])
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    #expect(rig.violations == [])
  }

  @Test("A prefetched value that the app replaces before its display was prefetched in vain")
  func replaced() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10] | F10 | v10 |")
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    try await rig.playToTheEnd("c10(a) W10(a) |")
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 0)
    #expect(rig.violations == [])
  }

  @Test("A prefetch claim ends with a failure")
  func endsWithFailure() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10] | f10 | !* |")
    #expect(rig.recorder.started == [10] && rig.rows(in: .loading) == [])
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    #expect(rig.violations == [])
  }

  @Test("A renewed claim leads to another attempt after the failure was forgotten")
  func claimedAgain() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10] | f10 | y10 | P[10] |")
    #expect(rig.rows(in: .loading) == [10])
    #expect(rig.violations == [])
  }

  @Test("A prefetch claim ends after prefetchLimit other rows came on screen")
  func endsWithRows() throws {
    let rig = TrackerRig {
      $0.prefetchLimit = 2
      $0.slots = UpdateSlots(1)
    }
    try rig.play("P[50,51] | c0(a) W0(a) | P[51] |")
    #expect(rig.waitingByPriority == [51, 50])
    try rig.play("c1(b) W1(b) |")
    #expect(rig.waitingByPriority == [1, 51], "row 51 was prefetched again")
    try rig.play("c2(c) W2(c) |")
    #expect(rig.waitingByPriority == [1, 2])
    #expect(rig.violations == [])
  }

  @Test("A jump ends all earlier prefetch claims, and those rows do not load")
  func jump() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[0…3] | F0 F1 F2 F3 | cW[4] P[10…29] | F4 |")
    #expect(rig.rows(in: .loading) == [10, 11, 12, 13])
    try await rig.playToTheEnd(
      "E0(a) E1(b) E2(c) E3(d) E4(e) c500(f) W500(f) c501(g) W501(g) c502(h) W502(h) c503(i) W503(i) P[510…519] |"
    )
    // The four running loads have no claim and give way to the rows on screen.
    #expect(rig.rows(in: .loading) == [500, 501, 502, 503])
    try await rig.playToTheEnd("F500 F501 F502 F503 | +1000ms |")
    #expect(rig.rows(in: .loading) == [510, 511, 512, 513])
    #expect(Set(rig.recorder.started).isDisjoint(with: 14...29))
    #expect(rig.tracker.metrics.prefetchedInVain == 4)
    #expect(rig.violations == [])
  }

  @Test("Values that arrive amid a jump are kept in the order in which their rows left")
  func valuesAmidJump() throws {
    let rig = TrackerRig { $0.retention = .count(1) }
    try rig.play("cW[1,2,3] P[20] |")
    // Row 2 leaves first, and row 1 arrives first.
    try rig.play("E2(b) E1(a) E3(c) c500(d) W500(d)")
    for row in [1, 2] { rig.arrive(row) }
    try rig.play("|")
    #expect(rig.tracker.phase(of: 1).value != nil && rig.tracker.phase(of: 2).value == nil)
    #expect(rig.violations == [])
  }

  @Test("A pass that keeps a row on screen is no jump, and neither is a first display")
  func noJump() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("P[20] | cW[0,1] | cW[2,3] E0(a) |")
    #expect(rig.waitingByPriority.contains(20))
    try rig.play("E1(b) E2(c) E3(d) | c4(e) W4(e) |")
    #expect(rig.waitingByPriority.contains(20), "nothing was on screen before")
    try rig.play("E4(e) c5(f) W5(f) |")
    #expect(!rig.waitingByPriority.contains(20))
    #expect(rig.violations == [])
  }

  @Test("A replacement of all views in hosts is no jump")
  func viewsInHosts() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("P[20] | c0(a) W0(a) h1(b,a) | h2(b,a) |")
    #expect(rig.waitingByPriority.contains(20))
    #expect(rig.violations == [])
  }

  @Test("Unseen prefetched values are dropped after all other values")
  func unseenLast() async throws {
    let rig = TrackerRig { $0.retention = .count(3) }
    try await rig.playToTheEnd("P[10] | F10 | cW[0,5] | F0 F5 | cW[1] E0 | F1 |")
    #expect(rig.tracker.phase(of: 10).value != nil)
    #expect(rig.tracker.phase(of: 0).value == nil, "row 0 was seen and is off screen")
    #expect(rig.violations == [])
  }

  @Test("With .none prefetched values are kept until their display or a jump")
  func retentionOfNone() async throws {
    let rig = TrackerRig {
      $0.retention = .none
      $0.prefetchLimit = 2
    }
    try await rig.playToTheEnd("c0(a) W0(a) | F0 | P[10,11] | F10 F11 |")
    #expect(rig.rows(in: .loaded) == [0, 10, 11])
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 0, "row 0 was not prefetched")
    try await rig.playToTheEnd("c10(b) W10(b) |")
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 1)
    try await rig.playToTheEnd("E10(b) |")
    #expect(rig.rows(in: .loaded) == [0, 11])
    try await rig.playToTheEnd("E0(a) c500(c) W500(c) |")
    #expect(rig.rows(in: .loaded) == [])
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    #expect(rig.violations == [])
  }

  @Test("A row that stays on screen for four loads goes before the landing rows")
  func stayingBeforeLanding() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    // A load took 10 ms. Two rows are on screen, and another row appears from time to time.
    try await rig.playToTheEnd("c0(a) W0(a) c1(b) W1(b) | +10ms F0 | F1 |")
    try await rig.playToTheEnd("B M c2(c) W2(c) | +90ms M c3(d) W3(d) E0(a) | L[90,91] |")
    #expect(rig.rows(in: .loading) == [2])
    try await rig.playToTheEnd("F2 |")
    #expect(rig.rows(in: .loading) == [3], "row 3 stays for longer than four loads")
    #expect(rig.violations == [])
  }

  @Test("A landing row goes before rows on screen that leave before their loads end")
  func landingFirst() async throws {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(1)
      $0.scrollPolicy = .immediate
    }
    try await rig.playToTheEnd("c0(a) W0(a) | +1000ms F0 | c1(b) W1(b) |")
    try await rig.playToTheEnd("B M c2(c) W2(c) | c3(d) W3(d) c4(e) W4(e) E0(a) E1(b) L[90,91] |")
    #expect(rig.rows(in: .loading) == [90])
    #expect(rig.violations == [])
  }

  @Test("While the speed of a fling is unknown, rows on screen go before the landing rows")
  func unknownSpeed() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try await rig.playToTheEnd("cW[0,1] | L[90,91] | F0 |")
    #expect(rig.rows(in: .loading) == [1] && rig.violations == [])
  }
}
