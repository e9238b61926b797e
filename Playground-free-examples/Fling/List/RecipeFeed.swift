import Foundation
import RowOperations
import RowOperationsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The recipe of most articles: a dictionary from row to operation, one queue, a cancel when the
/// row leaves the screen, and values that are kept for good.
///
/// Its operations are the library's, so that only the bookkeeping differs; late values are dropped.
@MainActor
final class RecipeFeed: Feed {
  private(set) var counts = FeedCounts()

  private struct Work {
    let operation: TaskOperation<RowDocument>
    let generation: UInt64
    var hasBegun = false
  }

  private let source: RowSource
  private let timeout: Duration
  private let log: FeedLog
  private let queue = OperationQueue()
  private var works: [Int: Work] = [:]
  private var results: [Int: Result<RowDocument, any Error>] = [:]
  /// By the cell's number.
  private var shown: [Int: Int] = [:]
  private var displayed: Set<Int> = []
  /// Announced, neither taken back nor displayed since.
  private var prefetched: Set<Int> = []
  private var lastGeneration: UInt64 = 0
  private let clock = ContinuousClock()
  let start = ContinuousClock.now

  init(_ source: RowSource, _ options: Options, _ log: FeedLog) {
    (self.source, self.log) = (source, log)
    timeout = options.timeout
    queue.maxConcurrentOperationCount = options.slots
  }

  // MARK: The recipe

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): shown[cell.number] = row
    case .willDisplay(let cell):
      guard let row = shown[cell.number] else { return }
      displayed.insert(row)
      prefetched.remove(row)
      note(.displayed, row)
      begin(row)
    case .didEndDisplaying(let cell, _):
      guard let row = shown[cell.number] else { return }
      displayed.remove(row)
      note(.endedDisplaying, row)
      cancel(row)
    case .prefetch(let rows):
      prefetched.formUnion(rows.filter { !displayed.contains($0) })
      rows.forEach(begin)
    case .cancelPrefetch(let rows):
      prefetched.subtract(rows)
      rows.forEach(cancel)
    default: break
    }
  }

  private func begin(_ row: Int) {
    guard results[row] == nil, works[row] == nil else { return }
    lastGeneration += 1
    let token = RowToken(row: row, generation: lastGeneration)
    let operation = TaskOperation { [source, timeout] in
      await self.began(token)
      return try await withTimeout(timeout) {
        try await source.update(UpdateContext(token: token))
      }
    }
    works[row] = Work(operation: operation, generation: token.generation)
    note(.waiting, row)
    Task {
      do {
        ended(token, .success(try await queue.value(of: operation)))
      } catch {
        ended(token, .failure(error))
      }
    }
  }

  private func cancel(_ row: Int) {
    guard let work = works.removeValue(forKey: row) else { return }
    if work.hasBegun {
      counts.cancelledRunning += 1
      note(.cancelled(work.generation), row)
    } else {
      counts.cancelledWaiting += 1
      note(.leftWaiting, row)
    }
    work.operation.cancel()
  }

  private func isCurrent(_ token: RowToken<Int>) -> Bool {
    works[token.row]?.generation == token.generation
  }

  private func began(_ token: RowToken<Int>) {
    guard isCurrent(token) else { return }
    works[token.row]?.hasBegun = true
    counts.started += 1
    note(.started(token.generation), token.row)
  }

  private func ended(_ token: RowToken<Int>, _ result: Result<RowDocument, any Error>) {
    guard isCurrent(token) else {
      if case .success = result { counts.refusedStale += 1 }
      return
    }
    works[token.row] = nil
    results[token.row] = result
    switch result {
    case .success:
      counts.finished += 1
      // As a tracker counts: prefetched rows are still wanted.
      if !displayed.contains(token.row), !prefetched.contains(token.row) {
        counts.finishedOffScreen += 1
      }
      note(.finished(token.generation), token.row)
    case .failure(let error):
      counts.failed += 1
      note(.failed(token.generation, error), token.row)
    }
  }

  private func note(_ kind: TrackerEvent.Kind, _ row: Int) {
    log.record(TrackerEvent(row: row, kind: kind, time: start.duration(to: clock.now)))
  }

  // MARK: Contents

  func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)? {
    guard let row = shown[cell.number] else { return nil }
    switch results[row] {
    case .success(let document): return (row, .loaded(document))
    case .failure(let error): return (row, .failed(error, previous: nil))
    case nil: return (row, .loading(previous: nil))
    }
  }

  func waitUntilIdle() async {
    for work in Array(works.values) { _ = try? await work.operation.value }
  }
}

/// Runs a body for so long at most.
private func withTimeout<Output: Sendable>(
  _ timeout: Duration, _ body: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  try await withThrowingTaskGroup(of: Output.self) { group in
    group.addTask(operation: body)
    group.addTask {
      try await Task.sleep(for: timeout)
      throw URLError(.timedOut)
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
