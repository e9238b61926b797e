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

  @Test("A memory warning drops prefetched values, and their rows load on request")
  func memoryWarning() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10,11] | F10 |")
    #expect(rig.tracker.phase(of: 10).value?.row == 10)
    try await rig.playToTheEnd("~* |")
    #expect(rig.tracker.core.engine.leftOut.isEmpty, "no list will claim them")
    try await rig.playToTheEnd("+1000ms |")
    #expect(rig.tracker.phase(of: 10).value == nil && rig.rows(in: .loading) == [11])
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    try await rig.playToTheEnd("P[10] |")
    #expect(rig.rows(in: .loading) == [10, 11] && rig.violations == [])
  }

  @Test("An announced row keeps its value, whatever the retention, until it is shown")
  func keepsValue() async throws {
    let rig = TrackerRig { $0.retention = .none }
    try await rig.playToTheEnd("c0(a) W0(a) | F0 | P[10,11] | F10 F11 | E0(a) c500(c) W500(c) |")
    #expect(rig.rows(in: .loaded) == [10, 11])
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 0, "row 0 was not prefetched")
    try await rig.playToTheEnd("c10(b) W10(b) |")
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 1)
    try await rig.playToTheEnd("E10(b) | X[11] |")
    #expect(rig.rows(in: .loaded) == [] && rig.tracker.metrics.prefetchedInVain == 1)
    #expect(rig.violations == [])
  }

  @Test("Beyond the limit of the window the oldest announced rows lose their claims")
  func limit() throws {
    let rig = TrackerRig {
      $0.prefetchWindow.limit = 3
      $0.slots = UpdateSlots(1)
    }
    try rig.play("cW[0] | P[50,51] | P[60,61] | P[50] |")
    #expect(rig.waitingByPriority == [50, 60, 61])
    rig.tracker.setOrder([0, 1, 2])
    try rig.play("|")
    #expect(rig.waitingByPriority == [50, 1, 2] && rig.violations == [])
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

  @Test(
    "A prefetch that fails loads again on request, and not for its claim",
    arguments: ["!*", "y10"])
  func failure(request: String) async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[10] | f10 | +1000ms | P[10] |")
    #expect(rig.recorder.started == [10] && rig.rows(in: .loading) == [])
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    try await rig.playToTheEnd("\(request) |")
    #expect(rig.rows(in: .loading) == [10] && rig.violations == [])
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
}
