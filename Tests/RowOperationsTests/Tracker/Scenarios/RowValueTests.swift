// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Cached, set, invalidated and removed values", .timeLimit(.minutes(10)))
@MainActor
struct RowValueTests {
  @Test("Cached values show at once without a load")
  func cached() async {
    var configuration = TrackerConfiguration<Int, String>()
    configuration.cached = { $0 < 100 ? "cached \($0)" : nil }
    let tracker = DisplayTracker(configuration: configuration) { "loaded \($0.row)" }
    let cells = (0..<10).map { SimulatedCell(number: $0) }
    var shown: [String?] = []
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { _, phase in shown.append(phase.value) }
      tracker.willDisplay(cell)
    }
    #expect(shown == (0..<10).map { "cached \($0)" })
    tracker.prefetch(50..<60)
    await tracker.waitUntilIdle()
    #expect(tracker.metrics.started == 0)
    #expect(tracker.phase(of: 55).value == "cached 55")
    tracker.prefetch([100])
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: 100).value == "loaded 100")
  }

  @Test("A scroll policy that holds loads back does not hold cached values back")
  func cachedWhileScrolling() {
    var configuration = TrackerConfiguration<Int, String>()
    configuration.scrollPolicy = .whenSettled
    configuration.cached = { $0 == 1 ? "cached" : nil }
    let tracker = DisplayTracker(configuration: configuration) { _ in "loaded" }
    let cell = SimulatedCell(number: 0)
    tracker.scrollWillBegin()
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    #expect(tracker.phase(of: 1).value == "cached")
    tracker.bind(cell, to: 2) { _, _ in }
    tracker.endPass()
    #expect(tracker.phase(of: 2).kind == .waiting)
  }

  @Test("An invalidated row loads again even if the app's cache still has the old value")
  func cacheIsNotAskedForStaleRows() async {
    var configuration = TrackerConfiguration<Int, String>()
    configuration.cached = { _ in "old" }
    let tracker = DisplayTracker(configuration: configuration) { _ in "new" }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    await tracker.refresh([1])
    #expect(tracker.phase(of: 1).value == "new")
  }

  @Test("setValue shows the value in all cells and cancels the running load")
  func setValue() async throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) c1(b) | v1 |")
    #expect(rig.recorder.cancelled == [1])
    for cell in 0...1 {
      #expect(rig.player.content(ofCell: cell)?.phase.kind == .loaded)
    }
    #expect(rig.violations == [])
  }

  @Test("A row that is invalidated repeatedly finishes its load and loads once more")
  func invalidationStorm() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | ![1] | ![1] ![1] | ![1] |")
    #expect(rig.starts(of: 1) == 1 && rig.recorder.cancelled == [])
    try await rig.playToTheEnd("F1 |")
    #expect(rig.phase(of: 1) == .loading && rig.starts(of: 1) == 2)
    #expect(rig.tracker.phase(of: 1).value?.row == 1)
    try await rig.playToTheEnd("F1 |")
    #expect(rig.phase(of: 1) == .loaded && rig.starts(of: 1) == 2)
    #expect(rig.violations == [])
  }

  @Test("The failure of an invalidated load is not shown, since another load follows")
  func invalidatedFailure() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | ![1] | f1 |")
    #expect(rig.phase(of: 1) == .loading && rig.starts(of: 1) == 2)
    #expect(rig.tracker.phase(of: 1).error == nil)
    try await rig.playToTheEnd("f1 |")
    #expect(rig.phase(of: 1) == .failed && rig.starts(of: 1) == 2)
    #expect(rig.violations == [])
  }

  @Test("An invalidated row shows its old value until the new value arrives")
  func invalidate() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 ![1] |")
    guard case .loading(let previous, _) = rig.tracker.phase(of: 1) else {
      Issue.record("row 1 is \(rig.phase(of: 1))")
      return
    }
    #expect(previous?.row == 1)
    try await rig.playToTheEnd("F1")
    #expect(rig.phase(of: 1) == .loaded)
    #expect(rig.starts(of: 1) == 2)
  }

  @Test("An outdated value is dropped if the row has nothing to load")
  func invalidatedToNothing() async {
    let tracker = DisplayTracker<Int, Int>(operation: { _ in nil })
    let cell = SimulatedCell(number: 0)
    var shown: Int?
    tracker.setValue(7, for: 1)
    tracker.bind(cell, to: 1) { _, phase in shown = phase.value }
    tracker.willDisplay(cell)
    #expect(shown == 7)
    tracker.invalidate([1])
    await tracker.waitUntilIdle()
    #expect(shown == nil && tracker.phase(of: 1).kind == .idle)
    #expect(tracker.core.engine.kept.count == 0)
    #expect(tracker.audit() == [])
  }

  @Test("A refresh waits for claimed rows, whether they load or fail")
  func refresh() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | F1 F2")
    let refreshed = Task { await rig.tracker.refresh([1, 2, 3]) }
    await rig.gate.waitForLoads([1, 2])
    try await rig.playToTheEnd("F1 f2")
    await refreshed.value
    #expect(rig.phase(of: 1) == .loaded)
    #expect(rig.phase(of: 2) == .failed)
  }

  @Test("A refresh without rows loads those on screen, and others when they come back")
  func refreshAll() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try await rig.playToTheEnd(
      "c1(a) W1(a) c2(b) W2(b) | F1 F2 E2(b) c3(c) W3(c) c4(d) W4(d) | F3 F4 C(d) |")
    let refreshed = Task { await rig.tracker.refresh() }
    await rig.gate.waitForLoads([1, 3])
    #expect(rig.tracker.phase(of: 2).value != nil && rig.phase(of: 2) == .waiting)
    try await rig.playToTheEnd("F1")
    #expect(!rig.tracker.core.waiters.isEmpty, "row 3 still loads")
    try await rig.playToTheEnd("F3")
    await refreshed.value
    #expect(rig.recorder.started == [1, 2, 3, 4, 1, 3])
    try await rig.playToTheEnd("W2(b) W4(d) | F2 F4 |")
    #expect(rig.recorder.started == [1, 2, 3, 4, 1, 3, 2, 4])
    try rig.play("E1(a) E2(b) E3(c) E4(d) |")
    await rig.tracker.refresh()
    #expect(rig.violations == [])
  }

  @Test("A refresh ends when its last row leaves or its task is cancelled")
  func refreshEnds() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    let left = Task { await rig.tracker.refresh([1]) }
    await rig.recorder.wait { $0.started.count == 2 }
    try rig.play("E1(a) |")
    await left.value
    try rig.play("W1(a) |")
    let cancelled = Task { await rig.tracker.refresh([1]) }
    await rig.tracker.waitUntil { !$0.core.waiters.isEmpty }
    cancelled.cancel()
    await cancelled.value
    #expect(rig.tracker.core.waiters.isEmpty)
  }

  @Test("A refresh does not wait for loads that cannot start")
  func refreshOfWhatCannotStart() async throws {
    let single = TrackerRig { $0.scrollPolicy = .whenSettled }
    try single.play("Z P[5] |")
    await single.tracker.refresh([5])
    #expect(single.phase(of: 5) == .waiting)
    let suspended = TrackerRig()
    try suspended.play("Z c1(a) W1(a) |")
    await suspended.tracker.refresh([1])
    #expect(suspended.phase(of: 1) == .waiting)
  }

  @Test("The load of a removed row is cancelled, and its cell is not rendered")
  func remove() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | F1")
    let before = rig.player.content(ofCell: 0)?.phase
    try rig.play("-[1,2] |")
    #expect(rig.player.content(ofCell: 0)?.phase.value == before?.value)
    #expect(rig.phase(of: 1) == .waiting && !rig.isWaiting(1))
    #expect(rig.recorder.cancelled == [2])
    #expect(rig.tracker.core.engine.rows.count == 2, "their cells remember them")
    #expect(rig.violations == [])
    await rig.gate.wait { $0.cancelled.map(\.row) == [2] }
    await rig.tracker.waitUntilIdle()
  }

  @Test("Generations continue after removeAll, so that no late value counts as new")
  func generationsGoOn() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false)
    try rig.play("c1(a) W1(a) |")
    await rig.gate.wait { $0.began.count == 1 }
    try rig.play("-* c1(a) |")
    await rig.gate.wait { $0.began.count == 2 }
    let generations = rig.gate.log.began.map(\.generation)
    #expect(generations[0] < generations[1])
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    #expect(rig.recorder.finished == [1])
    #expect(rig.tracker.metrics.cancelledRunning == 1)
  }

  @Test("Values beyond the limit are dropped, the least recent first, but no claimed value")
  func retention() async throws {
    let rig = TrackerRig { $0.retention = .count(2) }
    try await rig.playToTheEnd("c1(a) W1(a) | F1 c2(b) W2(b) E1(a) | F2 c3(c) W3(c) E2(b) | F3")
    #expect((1...3).filter { rig.phase(of: $0) == .loaded } == [2, 3])
    try rig.play("E3(c) W2(b) | ")
    rig.tracker.removeCachedValues()
    rig.tracker.endPass()
    #expect((1...3).filter { rig.phase(of: $0) == .loaded } == [2])
  }

  @Test("A value that is set for an unclaimed row counts as the most recent")
  func setValueIsRecent() async throws {
    let rig = TrackerRig { $0.retention = .count(2) }
    try await rig.playToTheEnd("c1(a) W1(a) | F1 c2(b) W2(b) E1(a) | F2 E2(b) |")
    try await rig.playToTheEnd("v1 | c3(c) W3(c) | F3")
    #expect((1...3).filter { rig.phase(of: $0) == .loaded } == [1, 3])
  }
}
