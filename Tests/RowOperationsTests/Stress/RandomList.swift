import Foundation
import Proofs
import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A list with random scrolls, changes and covers.
///
/// The tracker's operations, queue and tasks are real. Only the clock stands still between frames.
@MainActor
final class RandomList {
  struct Photo: Sendable {
    let row: Int
    let generation: UInt64
  }

  struct Broken: Error {}

  let clock = ManualClock()
  let tracker: DisplayTracker<Int, Photo>
  let app: TrackedList<Int, Photo>
  let list: ListSimulator<Int>
  private let source: Source
  private var random: SeededGenerator
  private var nextRow: Int
  private(set) var violations: Set<String> = []
  private let names: Box<[Int: Int]>

  /// How rows get their values.
  enum Source: Equatable {
    case loads, loadsAndStreams, streams
    case batches(of: Int)

    var hasStreams: Bool { self == .streams || self == .loadsAndStreams }
  }

  init(
    seed: UInt64, behavior: ListBehavior, slots: UpdateSlots = UpdateSlots(4),
    policy: ScrollPolicy = .adaptive, rows: Int = 400, source: Source = .loads,
    distorting: @escaping (ListEvent<Int>) -> ListEvent<Int> = { $0 }
  ) {
    self.source = source
    var random = SeededGenerator(seed: seed)
    var configuration = TrackerConfiguration<Int, Photo>()
    configuration.clock = clock
    configuration.slots = slots
    configuration.scrollPolicy = policy
    if Bool.random(using: &random) { configuration.lane = { $0 % 3 } }
    configuration.retention = .count(Int.random(in: 0...60, using: &random))
    configuration.liveLimit = Int.random(in: 1...20, using: &random)
    switch source {
    case .loads:
      tracker = DisplayTracker(configuration: configuration) { try await Self.load($0) }
    case .loadsAndStreams:
      tracker = DisplayTracker(
        configuration: configuration, update: { try await Self.load($0) },
        updates: { RandomStream(row: $0.row) })
    case .streams:
      tracker = DisplayTracker(
        configuration: configuration, updates: { RandomStream(row: $0.row) })
    case .batches(let size):
      tracker = DisplayTracker(configuration: configuration, batchesOf: size) {
        try await Self.load($0)
      }
    }
    let names = Box<[Int: Int]>([:])
    self.names = names
    app = TrackedList(tracker) { Self.name(of: $0.row, names) }
    let app = app
    let handle: (ListEvent<Int>) -> Void = { app.handle(distorting($0)) }
    let height: (Int) -> Double = { 30 + Double($0 % 7) * 10 }
    list =
      Bool.random(using: &random)
      ? ListSimulator(
        rows: Array(0..<rows), height: height, viewport: 600, behavior: behavior,
        handle: handle)
      : ListSimulator(
        rows: Array(0..<rows), viewport: 600, behavior: behavior, handle: handle)
    nextRow = rows
    self.random = random
  }

  /// A load in stages that hops between threads and sometimes fails.
  private nonisolated static func load(_ context: UpdateContext<Int, Photo>) async throws -> Photo {
    let hops = Int(context.token.generation % 5)
    try await context.stage(.fetch) {
      for _ in 0..<hops { await Task.yield() }
      if context.token.generation % 11 == 0 { throw Broken() }
    }
    return try await context.stage(.decode) {
      Photo(row: context.row, generation: context.token.generation)
    }
  }

  private nonisolated static let batches = Box(0)

  /// A batch that hops between threads, and sometimes fails or lacks rows.
  private nonisolated static func load(_ batch: BatchContext<Int>) async throws -> [Int: Photo] {
    let number = batches.add()
    for _ in 0..<number % 5 { await Task.yield() }
    let photos = batch.rows.map { ($0, Photo(row: $0, generation: UInt64(number))) }
    switch number % 11 {
    case 0: throw Broken()
    case 1: return [:]
    case 2: return Dictionary(uniqueKeysWithValues: photos.dropFirst())
    default:
      let foreign = (-1, Photo(row: -1, generation: 0))
      return Dictionary(uniqueKeysWithValues: photos + [foreign])
    }
  }

  // MARK: Changes

  /// Makes a random change, then takes a turn.
  ///
  /// - Parameter audits: `false` with shared slots, since one tracker's counts then do not add up.
  func step(audits: Bool = true) async {
    act()
    if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
    clock.advance(by: .milliseconds(16))
    tracker.endPass()
    check(audits: audits)
  }

  private func act() {
    let visible = list.visibleRows
    switch Int.random(in: 0..<30, using: &random) {
    case 0: list.fling(velocity: Double.random(in: -6...6, using: &random))
    case 1: list.beginDrag()
    case 2: list.stop()
    case 3: list.endDrag(velocity: Double.random(in: -1...1, using: &random))
    case 4: jump { list.jump(to: $0) }
    case 5: jump { list.jump(to: $0, frames: 5) }
    case 6: list.reload(list.rows)
    case 7: list.insert([newRow()], at: Int.random(in: 0...list.rows.count, using: &random))
    case 8: if let row = visible.randomElement(using: &random) { delete(row) }
    case 9: if let row = list.rows.randomElement(using: &random) { delete(row) }
    case 10: jump { list.move($0, to: Int.random(in: 0..<400, using: &random)) }
    case 11: if let row = visible.randomElement(using: &random) { list.reloadRow(row) }
    case 12: if let row = visible.randomElement(using: &random) { list.reconfigureRow(row) }
    case 13: list.resize(to: Double.random(in: 200...900, using: &random))
    case 14: cover()
    case 15: if let row = visible.randomElement(using: &random) { tracker.invalidate([row]) }
    case 16: tracker.invalidateAll()
    case 17: if let row = visible.randomElement(using: &random) { setValue(of: row) }
    case 18: tracker.retryFailed()
    case 19: tracker.removeCachedValues()
    case 20: tracker.setOrder(list.rows)
    case 21: tracker.core.slots.pause(for: .milliseconds(100))
    case 22: if let row = visible.randomElement(using: &random) { rename(row) }
    default: list.isMoving ? list.advance(by: .milliseconds(16)) : drag()
    }
  }

  /// The newest id of a row.
  private static func name(of row: Int, _ names: Box<[Int: Int]>) -> Int {
    names.value[row].map { name(of: $0, names) } ?? row
  }

  /// The server replaces the id of a row.
  private func rename(_ row: Int) {
    let new = newRow()
    names.change { $0[row] = new }
    tracker.rename(row, to: new)
    list.reload(list.rows.map { $0 == row ? new : $0 })
  }

  private func newRow() -> Int {
    defer { nextRow += 2 }
    return nextRow
  }

  private func jump(_ body: (Int) -> Void) {
    if let row = list.rows.randomElement(using: &random) { body(row) }
  }

  private func delete(_ row: Int) {
    tracker.remove([row])
    list.delete([row])
  }

  private func cover() {
    list.cover()
    tracker.endPass()
    list.uncover()
  }

  private func setValue(of row: Int) {
    tracker.setValue(Photo(row: row, generation: 0), for: row)
  }

  private func drag() {
    list.beginDrag()
    list.drag(by: Double.random(in: -300...300, using: &random))
  }

  // MARK: Checks

  private func check(audits: Bool = true) {
    if audits { violations.formUnion(tracker.audit().map { "\($0)" }) }
    if app.wrongRows > 0 { violations.insert("a cell showed another row's value") }
  }

  /// Stops the list and waits until all loads have ended.
  func finish(audits: Bool = true) async {
    list.stop()
    tracker.scrollDidSettle()
    tracker.resume()
    tracker.reconcile(displayedCells: list.visibleCells)
    await waitUntilIdle()
    if source.hasStreams { await waitForStreams() }
    check(audits: audits)
    let pending = app.pendingRows(in: list)
    if !pending.isEmpty { violations.insert("\(pending) on screen show nothing") }
    let misplaced = list.visibleCells.filter { cell in
      app.content(of: cell).map { list.cell(for: $0.row) !== cell } ?? true
    }
    if !misplaced.isEmpty { violations.insert("\(misplaced) show rows of other cells") }
  }

  /// Waits until no load is left.
  ///
  /// The clock advances meanwhile, since failed rows load again some time after the list came back.
  private func waitUntilIdle() async {
    var isIdle = false
    let waiting = Task {
      await tracker.waitUntilIdle()
      isIdle = true
    }
    while !isIdle {
      clock.advance(by: .milliseconds(100))
      tracker.endPass()
      await Task.yield()
    }
    await waiting.value
  }

  /// Waits for first elements without a load.
  ///
  /// A stream that has ended, and one that opens again, are not live for a moment, so their number
  /// says nothing. A row that stays blank ends the wait after many turns.
  private func waitForStreams() async {
    var turns = 0
    await until {
      turns += 1
      clock.advance(by: .milliseconds(100))
      tracker.endPass()
      return app.pendingRows(in: list).isEmpty || turns == 100_000
    }
  }

  /// Removes all rows from the list and lets the grace pass.
  func empty() async {
    list.reload([])
    clock.advance(by: .seconds(1))
    tracker.endPass()
    await waitUntilIdle()
    clock.advance(by: .seconds(1))
    tracker.endPass()
    check()
    if tracker.metrics.live > 0 { violations.insert("rows of an empty list listen") }
    if tracker.core.engine.displayedRows > 0 {
      violations.insert("a row is displayed in an empty list")
    }
    if tracker.core.engine.runs.count > 0 { violations.insert("operations run for an empty list") }
  }
}
