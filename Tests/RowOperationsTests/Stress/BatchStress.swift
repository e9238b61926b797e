import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// Batches whose answers come from plain threads, while a list scrolls and rows change.
@Suite("Batches under stress", .timeLimit(.minutes(60)), .serialized)
@MainActor
struct BatchStress {
  @Test("Rows show their own values, and each start has one end", arguments: [1, 2, 7, 1_000_000])
  func answersFromThreads(size: Int) async {
    var generator = SeededGenerator(seed: StressLevel.seed)
    for _ in 0..<StressLevel.current.lists {
      let walk = BatchWalk(seed: generator.next(), size: size)
      let threads = Task { await race(Array(repeating: { walk.server.answer() }, count: 3)) }
      for _ in 0..<300 { await walk.step() }
      await walk.finish()
      walk.server.close()
      await threads.value
      #expect(walk.violations == [], "seed \(walk.seed)")
      #expect(walk.largest <= size)
      let metrics = walk.tracker.metrics
      #expect(
        metrics.started
          == metrics.finished + metrics.failed + metrics.cancelledRunning + metrics.refusedStale)
      #expect(metrics.batches > 0 && metrics.batches <= metrics.started)
    }
  }
}

/// Answers batches on plain threads, in an order of their own.
private final class BatchServer: Sendable {
  typealias Answer = Result<[Int: Int], any Error>

  struct Broken: Error {}

  private struct State {
    var requests: [(number: Int, rows: [Int], reply: CheckedContinuation<[Int: Int], any Error>)] =
      []
    var lastRequest = 0
    var random: SeededGenerator
    var isClosed = false
  }

  private let state: Box<State>
  private let condition = NSCondition()

  init(seed: UInt64) { state = Box(State(random: SeededGenerator(seed: seed))) }

  func load(_ rows: [Int]) async throws -> [Int: Int] {
    try await withCheckedThrowingContinuation { reply in
      condition.lock()
      state.change { state in
        state.lastRequest += 1
        state.requests.append((state.lastRequest, rows, reply))
      }
      condition.signal()
      condition.unlock()
    }
  }

  func close() {
    condition.lock()
    state.change { $0.isClosed = true }
    condition.broadcast()
    condition.unlock()
  }

  /// Answers requests until the server is closed; some fail, and some answers lack rows.
  func answer() {
    while let (rows, reply, chance) = next() {
      switch chance {
      case 0: reply.resume(throwing: Broken())
      case 1: reply.resume(returning: [:])
      case 2:
        let some = rows.dropFirst().map { ($0, $0) }
        reply.resume(returning: Dictionary(uniqueKeysWithValues: some))
      default:
        let foreign = [-1: -1]
        let values = Dictionary(uniqueKeysWithValues: rows.map { ($0, $0) })
        reply.resume(returning: values.merging(foreign) { own, _ in own })
      }
    }
  }

  private func next() -> (
    rows: [Int], reply: CheckedContinuation<[Int: Int], any Error>, chance: Int
  )? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let found = state.change {
        state -> (
          rows: [Int], reply: CheckedContinuation<[Int: Int], any Error>, chance: Int
        )? in
        guard let index = state.requests.indices.randomElement(using: &state.random) else {
          return nil
        }
        let request = state.requests.remove(at: index)
        return (request.rows, request.reply, Int.random(in: 0..<12, using: &state.random))
      }
      if let found { return found }
      if state.value.isClosed { return nil }
      condition.wait()
    }
  }
}

/// A list with batches that scrolls at random, while its rows are set, removed and invalidated.
@MainActor
private final class BatchWalk {
  let seed: UInt64
  let server: BatchServer
  let clock = ManualClock()
  let tracker: DisplayTracker<Int, Int>
  let app: TrackedList<Int, Int>
  let list: ListSimulator<Int>
  private let sizes = Box(0)
  private var random: SeededGenerator
  private(set) var violations: Set<String> = []

  /// The largest batch so far.
  var largest: Int { sizes.value }

  init(seed: UInt64, size: Int) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    let server = BatchServer(seed: random.next())
    let sizes = sizes
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(2)
    configuration.grace = .milliseconds(Int.random(in: 0...50, using: &random))
    configuration.retry = .backoff(.constant(.milliseconds(20), limit: 2))
    configuration.retention = .count(Int.random(in: 0...60, using: &random))
    tracker = DisplayTracker(configuration: configuration, batchesOf: size) { batch in
      sizes.change { $0 = max($0, batch.rows.count) }
      return try await batch.stage(.fetch) { try await server.load(batch.rows) }
    }
    app = TrackedList(tracker) { $0 }
    let app = app
    list = ListSimulator(
      rows: Array(0..<2_000), viewport: 600,
      behavior: Bool.random(using: &random) ? .collectionView : .tableView
    ) { app.handle($0) }
    self.server = server
    self.random = random
    list.layOut()
  }

  func step() async {
    act()
    if Int.random(in: 0..<3, using: &random) == 0 { await Task.yield() }
    clock.advance(by: .milliseconds(8))
    tracker.endPass()
    check()
  }

  private func act() {
    let visible = list.visibleRows
    guard let row = visible.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: list.fling(velocity: Double.random(in: -5...5, using: &random))
    case 1: list.stop()
    case 2: list.jump(to: list.rows.randomElement(using: &random) ?? row)
    case 3: tracker.invalidate([row])
    case 4: tracker.setValue(row, for: row)
    case 5:
      tracker.remove([row])
      list.delete([row])
    case 6: tracker.retryFailed()
    case 7: tracker.prefetch([row + 20, row + 21, row + 22])
    case 8: tracker.suspend()
    case 9: tracker.resume()
    default: list.isMoving ? list.advance(by: .milliseconds(16)) : list.drag(by: 30)
    }
  }

  /// Lets the list rest until nothing loads, and checks that no row on screen is left behind.
  func finish() async {
    list.stop()
    tracker.resume()
    // Answers fail now and then, and the next attempts need the clock.
    for round in 0..<4 {
      if round > 0 { tracker.retryFailed() }
      repeat {
        clock.advance(by: .milliseconds(20))
        tracker.endPass()
        await Task.yield()
      } while !tracker.core.isIdle
    }
    check()
    for row in list.visibleRows where tracker.phase(of: row).isPending {
      violations.insert("row \(row) is left behind: \(tracker.explain(row))")
    }
  }

  private func check() {
    for violation in tracker.audit() { violations.insert(violation.description) }
    if app.wrongRows > 0 { violations.insert("\(app.wrongRows) cells show another row") }
  }
}
