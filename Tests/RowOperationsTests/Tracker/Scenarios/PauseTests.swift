import AsyncOperations
import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Servers that request a pause", .timeLimit(.minutes(10)))
@MainActor
struct PauseTests {
  @Test("A pause of an hour fails the row by its policy, after one request")
  func longPause() throws {
    for policy in [RetryPolicy.onNextDisplay, .backoff(.constant(.milliseconds(100), limit: 5))] {
      let rows = VirtualRows(UpdateSlots(1)) { $0.retry = policy }
      try rows.play("cW[1] cW[2]")
      rows.fail(1, with: VirtualRows.refusal(3600))
      #expect(rows.failed == [1] && rows.loading == [2], "other rows go on")
      try rows.play("+1000ms")
      #expect(rows.tracker.metrics.started == 2)
    }
  }

  // MARK: Pauses

  @Test("A refused row goes back into the line; after the pause one load starts, then the others")
  func probe() throws {
    let rows = VirtualRows(UpdateSlots(2))
    try rows.play("cW[1…4]")
    #expect(rows.loading == [1, 2])
    rows.fail(1)
    #expect(rows.loading == [2] && rows.failed == [] && rows.deadline == 1000)
    #expect(rows.tracker.explain(1) == "Row 1 waits: loads pause for another 1 s.")
    rows.finish(2)
    try rows.play("+999ms")
    #expect(rows.loading == [] && rows.deadline == 1)
    try rows.play("+1ms")
    #expect(rows.loading == [1] && rows.deadline == nil)
    #expect(
      rows.tracker.explain(3)
        == "Row 3 waits: loads have paused, and the first one since then runs.")
    rows.finish(1)
    #expect(rows.loading == [3, 4])
    #expect(rows.tracker.phase(of: 1).error == nil && rows.tracker.audit() == [])
  }

  @Test(
    "A pause takes 1 to 60 s, whatever the server says",
    arguments: [
      (-5, 1000), (0, 1000), (1, 1000), (7, 7000), (60, 60_000), (61, nil), (86_400, nil),
    ] as [(Int64, Int64?)])
  func lengths(seconds: Int64, pause: Int64?) throws {
    let rows = VirtualRows(UpdateSlots(1))
    try rows.play("cW[1] cW[2]")
    rows.fail(1, with: VirtualRows.refusal(seconds))
    #expect(rows.deadline == pause)
    #expect((rows.failed == [1]) == (pause == nil))
  }

  @Test("Without a readable Retry-After, or under .never, nothing pauses")
  func noPause() throws {
    for policy in [RetryPolicy.never, .onNextDisplay] {
      let rows = VirtualRows(UpdateSlots(1)) { $0.retry = policy }
      try rows.play("cW[1] cW[2]")
      let pause: Duration? = policy == .never ? .seconds(1) : nil
      rows.fail(1, with: HTTPStatusError(status: 429, retryAfter: pause))
      #expect(rows.failed == [1] && rows.loading == [2])
    }
  }

  @Test("The app reads the pause from its own errors, and fails rows that shouldRetry refuses")
  func ownErrors() throws {
    struct Quota: Error {}
    let rows = VirtualRows(UpdateSlots(1)) {
      $0.retryAfter = { $0 is Quota ? .seconds(3) : nil }
      $0.shouldRetry = { !($0 is Quota) }
    }
    try rows.play("cW[1] cW[2]")
    rows.fail(1, with: Quota())
    #expect(rows.failed == [1] && rows.loading == [] && rows.deadline == 3000)
    let standard = VirtualRows(UpdateSlots(1)) { $0.retryAfter = { _ in .seconds(2) } }
    try standard.play("cW[1]")
    standard.fail(1, with: Quota())
    #expect(standard.failed == [] && standard.deadline == 2000)
  }

  @Test("A row that is refused twice as the first load after a pause has failed")
  func twice() throws {
    let rows = VirtualRows(UpdateSlots(1))
    try rows.play("cW[1]")
    for count in 1...3 {
      rows.fail(1)
      #expect(rows.failed == (count < 3 ? [] : [1]))
      try rows.play("cW[2] +1000ms")
    }
    #expect(rows.loading == [2], "another row shows whether the pause is over")
    try rows.play("E1(a) | W1(a)")
    rows.finish(2)
    rows.fail(1)
    #expect(rows.failed == [], "its refusals count anew")
  }

  @Test("A row that is refused five times has failed")
  func fiveTimes() throws {
    let rows = VirtualRows(UpdateSlots(2))
    try rows.play("cW[1] cW[2]")
    for count in 1...5 {
      rows.fail(2)
      #expect(rows.failed == (count < 5 ? [] : [2]))
      // The other row shows that each pause is over.
      rows.finish(1)
      try rows.play("![1]")
      try rows.play("+1000ms")
      rows.finish(1)
      try rows.play("![1]")
    }
  }

  @Test("The refusals of a row are forgotten when it loads, is requested or loses its last claim")
  func forgotten() throws {
    for change in ["F", "![1]", "E1(a) | W1(a)", "-[1] c1(a) W1(a)"] {
      let rows = VirtualRows(UpdateSlots(1)) { $0.grace = .zero }
      try rows.play("c1(a) W1(a)")
      rows.fail(1)
      try rows.play("+1000ms")
      rows.fail(1)
      try rows.play("+1000ms")
      if change == "F" {
        rows.finish(1)
        try rows.play("![1]")
      } else {
        try rows.play(change)
        if change == "![1]" { rows.fail(1) }
      }
      let count = rows.tracker.core.engine.failures.refusals.count
      #expect(count == 0, "\(change)")
    }
  }

  @Test("The longer of two pauses counts, and a load from before it does not end it")
  func twoPauses() throws {
    let rows = VirtualRows(UpdateSlots(3))
    try rows.play("cW[1…4]")
    rows.fail(1, with: VirtualRows.refusal(5))
    rows.fail(2, with: VirtualRows.refusal(2))
    #expect(rows.deadline == 5000)
    rows.finish(3)
    #expect(rows.loading == [] && rows.deadline == 5000)
  }

  @Test("If the first load after a pause fails otherwise or is cancelled, another one follows")
  func otherProbes() throws {
    let rows = VirtualRows(UpdateSlots(2)) { $0.grace = .zero }
    try rows.play("c1(a) c2(b) c3(c) c4(d) W1(a) W2(b) W3(c) W4(d)")
    rows.fail(1, 2)
    try rows.play("+1000ms")
    #expect(rows.loading == [1])
    rows.fail(1, with: URLError(.badServerResponse))
    #expect(rows.loading == [2])
    try rows.play("E2(b)")
    #expect(rows.loading == [3])
    rows.tracker.setValue(3, for: 3)
    rows.tracker.endPass()
    #expect(rows.loading == [4])
    rows.finish(4)
    try rows.play("c5(e) c6(f) W5(e) W6(f)")
    #expect(rows.loading == [5, 6])
  }

  @Test("Neither a refresh, a retry nor a network ends a pause, and a suspended tracker waits on")
  func requests() async throws {
    let rows = VirtualRows(UpdateSlots(2))
    try rows.play("cW[1] cW[2]")
    rows.fail(1)
    rows.fail(2)
    rows.tracker.retry(1)
    rows.tracker.networkDidReturn()
    let refreshing = Task { await rows.tracker.refresh([1, 2]) }
    await Task.yield()
    try rows.play("")
    #expect(rows.loading == [])
    try rows.play("Z +1000ms")
    #expect(rows.loading == [] && rows.deadline == nil)
    try rows.play("z")
    #expect(rows.loading == [1])
    rows.fail(1)
    try rows.play("+1000ms")
    rows.finish(2)
    rows.finish(1, 2)
    await refreshing.value
  }

  @Test("Refreshing ends for a row that is refused")
  func refresh() async throws {
    let rows = VirtualRows(UpdateSlots(2))
    try rows.play("cW[1]")
    rows.finish(1)
    let refreshing = Task { await rows.tracker.refresh([1]) }
    await until { rows.loading == [1] }
    rows.fail(1)
    await refreshing.value
    #expect(rows.loading == [])
  }

  @Test("A tracker takes its turn when the pause ends, and is not idle before")
  func timer() async throws {
    let rows = VirtualRows(UpdateSlots(1))
    try rows.play("cW[1]")
    rows.fail(1)
    #expect(!rows.tracker.core.isIdle)
    await until { rows.clock.sleepers > 0 }
    rows.clock.advance(by: .seconds(1))
    await rows.tracker.waitUntil { _ in rows.loading == [1] }
    rows.finish(1)
    #expect(rows.tracker.core.isIdle)
  }

  @Test("A refused batch goes back whole, and fails when its rows were refused twice as the first")
  func batches() throws {
    let rows = VirtualRows(UpdateSlots(1), batchesOf: 3)
    try rows.play("cW[1…3] cW[4]")
    #expect(rows.loading == [1, 2, 3])
    for count in 1...3 {
      let batch = try #require(
        rows.tracker.core.state.operations.compactMap { $0 as? UpdateOperation<[Int], [Int: Int]> }
          .last { !$0.isFinished })
      guard batch.tracked.reportEnd() else { return }
      batch.finish(with: .failure(VirtualRows.refusal(1)))
      rows.tracker.endPass()
      #expect(rows.failed == (count < 3 ? [] : [1, 2, 3]))
      #expect(count == 3 || rows.tracker.core.state.errors.isEmpty)
      try rows.play("+1000ms")
      #expect(rows.loading == (count < 3 ? [1, 2, 3] : [4]))
    }
  }

  @Test("A row without anything to load is no probe")
  func nothingToLoad() throws {
    let (clock, slots) = (ManualClock(), UpdateSlots(2))
    var configuration = TrackerConfiguration<Int, Int>()
    (configuration.clock, configuration.slots) = (clock, slots)
    var made: [Int] = []
    let tracker = DisplayTracker<Int, Int>(
      configuration: configuration,
      operation: { token in
        made.append(token.row)
        return token.row < 3 ? nil : UpdateOperation(token: token) { $0.row }
      })
    tracker.holdOperations()
    let cells = [1, 2, 3, 4].map { SimulatedCell(number: $0) }
    slots.pause(for: .seconds(1))
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.endPass()
    #expect(made == [])
    clock.advance(by: .seconds(1))
    tracker.endPass()
    #expect(made == [1, 2, 3])
  }

  @Test("A list that moves in a pause requests no turns")
  func motion() async throws {
    let rows = VirtualRows(UpdateSlots(1))
    try rows.play("cW[1] cW[2]")
    rows.fail(1)
    try rows.play("B M")
    await rows.tracker.pendingTurns()
    let turns = rows.tracker.core.engine.counts.turns
    rows.tracker.scrollDidMove()
    await rows.tracker.pendingTurns()
    #expect(rows.tracker.core.engine.counts.turns == turns)
  }

  // MARK: Several trackers

  @Test("A pause holds all trackers of the slots, and the first load frees all")
  func shared() throws {
    let slots = UpdateSlots(2)
    let first = VirtualRows(slots)
    first.clock.advance(by: .milliseconds(500))
    let second = VirtualRows(slots, clock: first.clock)
    try first.play("cW[1] cW[2]")
    try second.play("cW[3] cW[4]")
    first.fail(1)
    first.finish(2)
    #expect(second.loading == [] && second.deadline == 1000)
    try second.play("+1000ms")
    #expect(second.loading == [3])
    try first.play()
    #expect(first.loading == [])
    second.finish(3)
    #expect(first.loading == [1] && second.loading == [4])
    for rows in [first, second] { try rows.play("cW[5]") }
    slots.pause(for: .seconds(3))
    #expect(first.deadline == 3000 && second.deadline == 3000)
  }

  @Test("When the tracker of the first load after a pause goes, another one takes over")
  func endOfTracker() async throws {
    let slots = UpdateSlots(2)
    var first: VirtualRows? = VirtualRows(slots)
    let second = VirtualRows(slots, clock: try #require(first?.clock))
    try first?.play("cW[1]")
    try second.play("cW[3] cW[4]")
    second.finish(3)
    second.fail(4)
    first?.fail(1)
    try first?.play("+1000ms")
    try second.play()
    #expect(first?.loading == [1] && second.loading == [])
    first = nil
    await until { second.loading == [4] }
  }

  @Test("A load that another tracker's app cancels as the first after a pause frees it for all")
  func cancelled() async throws {
    let slots = UpdateSlots(2)
    let first = VirtualRows(slots)
    let second = VirtualRows(slots, clock: first.clock)
    try first.play("cW[1]")
    try second.play("cW[3]")
    slots.pause(for: .seconds(1))
    try first.play("![1]")
    first.finish(1)
    first.clock.advance(by: .seconds(1))
    try first.play()
    #expect(first.loading == [1])
    second.fail(3, with: URLError(.badServerResponse))
    try second.play("cW[4]")
    #expect(second.loading == [])
    first.tracker.setValue(0, for: 1)
    await until { second.loading == [4] }
  }

  // MARK: By hand

  @Test("The app pauses and resumes the slots, also before their first tracker")
  func byHand() async throws {
    let slots = UpdateSlots(2)
    slots.pause(for: .seconds(90))
    slots.pause(for: .seconds(2))
    slots.pause(for: .zero)
    slots.pause(for: .seconds(-5))
    let rows = VirtualRows(slots)
    try rows.play("cW[1…3]")
    #expect(rows.loading == [] && rows.deadline == 90_000)
    slots.resume()
    await until { rows.loading == [1, 2] }
    slots.pause(for: .seconds(Int64.max))
    rows.finish(1)
    #expect(rows.loading == [2])
    slots.resume()
    slots.pause(for: .zero)
    slots.pause(for: .seconds(-1))
    rows.tracker.endPass()
    #expect(rows.loading == [2, 3])
  }
}
