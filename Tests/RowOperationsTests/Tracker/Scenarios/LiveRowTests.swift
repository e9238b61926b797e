// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Rows that listen to streams", .timeLimit(.minutes(10)))
@MainActor
struct LiveRowTests {
  private typealias Tick = LiveRig.Tick

  private let rig = LiveRig()

  /// A stream that ends by a cancel tells the gate from another thread.
  private func open(_ rows: Set<Int>) async {
    await rig.streams.waitForStreams(rows)
    #expect(rig.tracker.metrics.live == rows.count)
  }

  // MARK: Listening

  @Test("A tracker needs no turn while no row waits for a stream")
  func rest() async throws {
    #expect(!rig.tracker.core.engine.needsTurn)
    try await rig.show(1...1)
    await open([1])
    #expect(!rig.tracker.core.engine.needsTurn)
  }

  @Test("All displayed rows listen, however few slots there are")
  func slots() async throws {
    try await rig.show(0...11)
    await open(Set(0...11))
    #expect(rig.tracker.metrics.started == 12 && rig.tracker.metrics.finished == 12)
    #expect(rig.tracker.core.engine.runningLoads == 0)
    #expect(rig.violations == [])
  }

  @Test("A prefetched row takes the first element alone, and listens once it is displayed")
  func prefetched() async throws {
    try rig.play("P[1] |")
    await rig.first([1])
    await open([])
    try rig.play("cW[1] |")
    #expect(rig.phase(1) == .loading(previous: Tick(row: 1, text: "first")))
    await open([1])
    await rig.send("second", to: 1)
    #expect(rig.shows(1, "second"))
    #expect(rig.violations == [])
  }

  @Test("A row that leaves the screen listens until its grace ends, and its value stays")
  func grace() async throws {
    try await rig.show(1...1)
    try rig.play("E1(a) |")
    rig.pass(.milliseconds(149))
    await open([1])
    await rig.send("second", to: 1)
    rig.pass(.milliseconds(1))
    await open([])
    #expect(rig.streams.log.cancelled == [1])
    try rig.play("W1(a) |")
    let value = try #require(rig.phase(1).value)
    #expect(rig.phase(1) == .loading(previous: value))
    await open([1])
    await rig.send("third", to: 1)
    #expect(rig.shows(1, "third"))
    #expect(rig.tracker.metrics.started == 1, "the row has a value, so nothing is loaded")
    #expect(rig.violations == [])
  }

  @Test(
    "A fling over ten thousand live rows opens no stream for a row that passes",
    arguments: zip([false, true, true], [ScrollPolicy.adaptive, .adaptive, .whenSettled]))
  func fling(haveValues: Bool, policy: ScrollPolicy) async throws {
    let rig = LiveRig {
      $0.scrollPolicy = policy
      $0.retention = .all
      $0.slots = UpdateSlots(4)
    }
    try rig.play("cW[0…3] |")
    await rig.streams.waitForStreams([0, 1, 2, 3])
    rig.pass(.milliseconds(400))
    await rig.first([0, 1, 2, 3])
    if haveValues {
      for row in 4..<10_004 { rig.tracker.setValue(Tick(row: row, text: "known"), for: row) }
    }
    try rig.play("B |")
    for row in 4..<10_004 { try rig.play("M c\(row)(\(["a", "b", "c", "d"][row % 4])) +1ms |") }
    // The pace is unknown until three rows have come.
    #expect(rig.streams.log.opened.allSatisfy { $0 <= 6 })
    if haveValues {
      let reason = policy == .adaptive ? "leaves the screen too soon" : "once the list rests"
      #expect(rig.tracker.explain(10_003).contains(reason))
    }
    try rig.play("S |")
    await rig.first([10_000, 10_001, 10_002, 10_003])
    #expect(rig.streams.log.opened.count { $0 > 6 } == 4)
    #expect(rig.violations == [])
  }

  @Test("The rows of the oldest displays listen first, if not all may")
  func limit() async throws {
    let rig = LiveRig { $0.liveLimit = 2 }
    try await rig.show(0...3)
    await rig.streams.waitForStreams([0, 1])
    #expect((0...3).allSatisfy { rig.shows($0, "first") })
    try rig.play("E0(a) |")
    rig.pass(.milliseconds(150))
    await rig.streams.waitForStreams([1, 2])
    #expect(rig.tracker.metrics.live == 2)
    #expect(rig.violations == [])
  }

  @Test("Without any place for streams, rows load their first elements", arguments: [0, -5])
  func noPlace(limit: Int) async throws {
    let rig = LiveRig { $0.liveLimit = limit }
    try await rig.show(0...3)
    await rig.streams.waitForStreams([])
    #expect(rig.tracker.metrics.live == 0 && rig.tracker.metrics.finished == 4)
    #expect(rig.violations == [])
  }

  // MARK: Elements

  @Test("Elements show together, the newest once in an interval")
  func interval() async throws {
    try await rig.show(1...2)
    rig.pass(.milliseconds(130))
    let before = rig.commits.value.count
    for number in 0..<50 { await rig.send("\(number)", to: 1) }
    await rig.send("two", to: 2)
    #expect(rig.content(0) == "first" && rig.content(1) == "first")
    rig.pass(.milliseconds(69))
    #expect(rig.content(0) == "first")
    rig.pass(.milliseconds(1))
    #expect(rig.content(0) == "49" && rig.content(1) == "two")
    #expect(rig.commits.value.count == before + 1)
    #expect(Set(rig.commits.value[before]) == [1, 2])
    #expect(rig.phase(1) == .loaded(Tick(row: 1, text: "49")))
    #expect(rig.violations == [])
  }

  @Test("Without an interval, each turn shows what has arrived")
  func noInterval() async throws {
    let rig = LiveRig { $0.liveInterval = .zero }
    try await rig.show(1...1)
    for number in 0..<5 {
      await rig.send("\(number)", to: 1)
      #expect(rig.content(0) == "\(number)")
    }
  }

  @Test("With an endless interval, a row shows the first element of each stream")
  func endlessInterval() async throws {
    let rig = LiveRig { $0.liveInterval = .seconds(Int64.max) }
    try await rig.show(1...1)
    await rig.send("second", to: 1)
    rig.pass(.seconds(1_000_000))
    #expect(rig.shows(1, "first"))
    #expect(rig.violations == [])
  }

  @Test("A set value shows until the next element")
  func setValue() async throws {
    try await rig.show(1...1)
    rig.tracker.setValue(Tick(row: 1, text: "mine"), for: 1)
    rig.tracker.endPass()
    #expect(rig.shows(1, "mine"))
    await rig.send("second", to: 1)
    rig.pass(.milliseconds(100))
    #expect(rig.shows(1, "second") && rig.streams.log.opened == [1])
  }

  @Test("A row with a cached value listens, and loads nothing")
  func cached() async throws {
    let rig = LiveRig { $0.cached = { Tick(row: $0, text: "cached") } }
    try rig.play("cW[1] |")
    #expect(rig.shows(1, "cached"))
    await rig.streams.waitForStreams([1])
    await rig.send("second", to: 1)
    rig.pass(.milliseconds(100))
    #expect(rig.shows(1, "second") && rig.tracker.metrics.started == 0)
    #expect(rig.violations == [])
  }

  // MARK: Loads beside streams

  @Test("The stream opens with the load, and an earlier element takes its place")
  func earlierElement() async throws {
    let rig = LiveRig(hasLoads: true)
    try rig.play("cW[1…2] |")
    await rig.loads.waitForLoads([1, 2])
    await rig.streams.waitForStreams([1, 2])
    await rig.send("live", to: 1)
    #expect(rig.shows(1, "live"))
    rig.loads.open(2, with: Tick(row: 2, text: "loaded"))
    await rig.recorder.wait { $0.finished == [2] }
    #expect(rig.shows(2, "loaded"))
    await rig.send("live", to: 2)
    rig.pass(.milliseconds(100))
    #expect(rig.shows(2, "live"))
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.cancelledRunning == 1)
    #expect(rig.violations == [])
  }

  @Test("A prefetched row with a load of its own opens no stream")
  func prefetchedLoad() async throws {
    let rig = LiveRig(hasLoads: true)
    try rig.play("P[1] |")
    await rig.loads.waitForLoads([1])
    rig.loads.open(1, with: Tick(row: 1, text: "loaded"))
    await rig.recorder.wait { $0.finished == [1] }
    #expect(rig.streams.log.opened == [])
    try rig.play("cW[1] |")
    await rig.streams.waitForStreams([1])
    #expect(rig.phase(1) == .loading(previous: Tick(row: 1, text: "loaded")))
  }

  @Test("The first load after a pause keeps its slot, however late its first element is")
  func lateProbe() async throws {
    rig.tracker.core.slots.pause(for: .seconds(1))
    try rig.play("cW[1…4] |")
    rig.pass(.seconds(1))
    #expect(rig.tracker.metrics.started == 1)
    rig.pass(.milliseconds(600))
    rig.pass(.milliseconds(600))
    #expect(rig.tracker.metrics.started == 1)
    await rig.first([1])
    #expect(rig.tracker.metrics.started == 3)
    #expect(rig.violations == [])
  }

  @Test("A first element that is late gives its slot back, and shows when it comes")
  func lateFirstElement() async throws {
    try rig.play("cW[1…3] |")
    await rig.streams.waitForStreams([1, 2])
    rig.pass(.milliseconds(500))
    await rig.streams.waitForStreams([1, 2, 3])
    #expect(rig.phase(1) == .loading(previous: nil))
    #expect(rig.tracker.metrics.live == 2)
    rig.pass(.seconds(60))
    await rig.first([1, 2, 3])
    #expect(rig.streams.log.opened.sorted() == [1, 2, 3])
    #expect(rig.tracker.metrics.live == 3)
    await rig.tracker.waitUntilIdle()
    #expect(rig.violations == [])
  }

  @Test("A refresh returns with the next value")
  func refresh() async throws {
    try await rig.show(1...1)
    async let refreshed: Void = rig.tracker.refresh([1])
    await rig.streams.wait { $0.opened == [1, 1] && $0.open == [1] }
    rig.streams.send(Tick(row: 1, text: "fresh"), to: 1)
    await refreshed
    #expect(rig.shows(1, "fresh"))
    await open([1])
  }

  // MARK: Removing

  @Test("Removed rows and those of a tracker that is gone end their streams")
  func removal() async throws {
    var rig: LiveRig? = LiveRig()
    let streams = try #require(rig?.streams)
    try await rig?.show(1...3)
    rig?.tracker.remove([2])
    await streams.waitForStreams([1, 3])
    #expect(rig?.violations == [])
    rig = nil
    await streams.waitForStreams([])
  }
}
