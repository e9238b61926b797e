import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Memory of a tracker", .timeLimit(.minutes(10)))
@MainActor
struct MemoryTests {
  @Test("A tracker holds only the retained values after 200,000 rows have scrolled past")
  func manyRows() async {
    // This takes seconds by default.
    let rows = StressLevel.current == .high ? 1_000_000 : 200_000
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.retention = .count(100)
    configuration.scrollPolicy = .whenSettled
    configuration.clock = ManualClock()
    let tracker = DisplayTracker(configuration: configuration) { $0.row }
    let cells = (0..<20).map { SimulatedCell(number: $0) }
    for start in stride(from: 0, to: rows, by: cells.count) {
      // The list rests every 10,000 rows and loads the rows on screen.
      let rests = start % 10_000 == 0
      if !rests { tracker.scrollDidMove() }
      for (index, cell) in cells.enumerated() {
        tracker.didEndDisplaying(cell)
        tracker.bind(cell, to: start + index) { _, _ in }
        tracker.willDisplay(cell)
      }
      if rests {
        tracker.scrollDidSettle()
        await tracker.waitUntilIdle()
      } else {
        tracker.endPass()
      }
    }
    tracker.scrollDidSettle()
    await tracker.waitUntilIdle()
    #expect(tracker.metrics.started >= rows / 500)
    #expect(tracker.audit() == [])
    #expect(tracker.core.engine.rows.count <= 100 + cells.count)
    #expect(tracker.core.engine.rows.count <= 100 + cells.count)
    #expect(tracker.core.state.values.compactMap(\.self).count == 100)
    #expect(tracker.core.state.values.count < 1_000, "places of removed rows are reused")
    #expect(tracker.core.engine.runs.count == 0 && tracker.core.state.errors.isEmpty)
    for cell in cells {
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
    tracker.removeCachedValues()
    tracker.endPass()
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.core.engine.cells.count == 0)
  }

  /// The tables in a value with more than a thousand places.
  private func largeTables(in value: Any, _ path: String = "", depth: Int = 4) -> [String] {
    Mirror(reflecting: value).children.flatMap { label, child -> [String] in
      let name = path + "." + (label ?? "")
      let mirror = Mirror(reflecting: child)
      switch mirror.displayStyle {
      case .collection: return mirror.children.count > 1_024 ? [name] : []
      case .struct, .optional:
        return depth > 0 ? largeTables(in: child, name, depth: depth - 1) : []
      default: return []
      }
    }
  }

  private func largeTables<Value>(of tracker: DisplayTracker<Int, Value>) -> [String] {
    let (core, store) = (tracker.core, tracker.store)
    // A mirror does not look into the state itself, which cannot be copied.
    let state = (
      engine: core.state.engine, cells: core.state.cells, operations: core.state.operations,
      values: core.state.values, steps: core.state.steps, errors: core.state.errors,
      discarded: core.state.discarded
    )
    return largeTables(in: state, "state") + largeTables(in: core, "core")
      + largeTables(in: store, "store")
  }

  @Test("A tracker gives the memory of its large tables back", arguments: [false, true])
  func largeTables(loadsBatches: Bool) async {
    let count = 1_200
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(count)
    configuration.prefetchWindow.limit = count
    configuration.retention = .all
    configuration.clock = ManualClock()
    let gate = Gate()
    let tracker =
      loadsBatches
      ? DisplayTracker(configuration: configuration, batchesOf: 2) { batch in
        await gate.opened()
        return Dictionary(uniqueKeysWithValues: batch.rows.map { ($0, $0) })
      }
      : DisplayTracker(configuration: configuration) { context in
        await gate.opened()
        return context.row
      }
    var cells = (0..<count).map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.prefetch(Array(count..<2 * count))
    tracker.endPass()
    var large = Set(largeTables(of: tracker))
    gate.open()
    await tracker.waitUntilIdle()
    for cell in cells {
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
    cells = []
    tracker.endPass()
    large.formUnion(largeTables(of: tracker))
    #expect(
      large.isSuperset(of: [
        "state.cells.entries", "state.engine.claims.rows.links", "state.engine.kept.lists.links",
        "state.engine.line.lists.links", "state.engine.rows.elements",
        "state.engine.runs.lists.links", "state.operations", "state.values", "store.rows.rows",
      ]))
    tracker.removeAll()
    for _ in 0..<4 { tracker.endPass() }
    #expect(largeTables(of: tracker) == [])
  }

  @Test("600 deallocated cells leave nothing behind after a few turns")
  func deadCells() async {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.retention = .count(10)
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { $0.row }
    var cells = (0..<600).map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    cells = []
    tracker.prefetch([5_000])
    await tracker.waitUntil { $0.core.engine.cells.count == 0 }
    await tracker.waitUntilIdle()
    #expect(tracker.core.engine.kept.count == 10)
  }

  @Test("A removed row's closure is released when its cell is bound or unbound")
  func removedClosures() {
    let tracker = DisplayTracker<Int, Int> { $0.row }
    let cells = (0..<4).map { SimulatedCell(number: $0) }
    var belongings: [() -> Belongings?] = []
    for cell in cells {
      let held = Belongings()
      belongings.append { [weak held] in held }
      tracker.bind(cell, to: cell.number) { _, _ in _ = held }
      if cell.number % 2 == 0 { tracker.willDisplay(cell) }
    }
    tracker.endPass()
    tracker.remove([0, 1])
    tracker.removeAll()
    #expect(belongings.allSatisfy { $0() != nil }, "they may come back on screen")
    for cell in cells[0..<2] { tracker.unbind(cell) }
    #expect(belongings.map { $0() == nil } == [true, true, false, false])
    tracker.bind(cells[2], to: nil) { _, _ in }
    tracker.bind(cells[3], to: nil) { _, _ in }
    #expect(belongings.allSatisfy { $0() == nil })
    #expect(tracker.core.engine.cells.count == 2, "cells on screen wait for their next row")
    withExtendedLifetime(cells) {}
  }

  /// An object that a closure holds.
  private final class Belongings: Sendable {}

  @Test("Cells, closures, values and operations end with the tracker, even during a load")
  func nothingLeaks() async {
    weak var cell: SimulatedCell?
    weak var operation: UpdateOperation<Int, Belongings>?
    weak var value: Belongings?
    weak var tracked: DisplayTracker<Int, Belongings>?
    var belongings: [String: () -> Belongings?] = [:]
    func held(_ name: String) -> Belongings {
      let held = Belongings()
      belongings[name] = { [weak held] in held }
      return held
    }
    let gate = LoadGate<Int, Belongings>()
    do {
      let (inUpdate, inRender, inEvent) = (held("update"), held("render"), held("event"))
      var configuration = TrackerConfiguration<Int, Belongings>()
      configuration.onEvent = { _ in _ = inEvent }
      let tracker = DisplayTracker<Int, Belongings>(configuration: configuration) { token in
        _ = inUpdate
        let made = UpdateOperation(token: token) { try await gate.load($0) }
        operation = made
        return made
      }
      tracked = tracker
      let shown = SimulatedCell(number: 0)
      cell = shown
      tracker.bind(shown, to: 1) { _, _ in _ = inRender }
      tracker.willDisplay(shown)
      tracker.prefetch([2])
      tracker.endPass()
      await gate.waitForLoads([1, 2])
      let loaded = Belongings()
      value = loaded
      gate.open(1, with: loaded)
      await tracker.waitUntil { $0.metrics.applied == 1 }
      #expect(tracker.phase(of: 1).value === loaded)
    }
    // The tracker's end cancels the load of row 2, and its body ends.
    await gate.wait { $0.waiting.isEmpty }
    await until { operation == nil }
    #expect(tracked == nil)
    #expect(cell == nil)
    #expect(value == nil)
    #expect(belongings.filter { $0.value() != nil }.keys.sorted() == [])
  }
}
