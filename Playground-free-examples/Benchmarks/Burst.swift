import Foundation
import RowOperations

extension Family {
  /// B10: how many turns of the main queue a thousand loads take that finish at once.
  static let burst = Family(id: "B10", title: "loads that finish in one burst") { effort in
    var turns: [Double] = []
    for _ in 0..<effort.repetitions() { turns.append(Double(await turnsOfBurst())) }
    return [
      Entry(
        id: "B10", title: "main-queue turns for 1,000 loads that finish at once",
        sample: Sample(turns), limit: 10)
    ]
  }

  @MainActor
  private static func turnsOfBurst() async -> Int {
    let count = 1000
    let barrier = Barrier(count)
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(count)
    configuration.retention = .all
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
      await barrier.arrive()
      return context.row
    }
    let cells = (0..<count).map { _ in Cell() }
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { cell, phase in cell.text = phase.value == nil ? "…" : "loaded" }
      tracker.willDisplay(cell)
    }
    await barrier.full()
    let before = tracker.metrics.turns
    // From another thread, so that the main one is free to take as many turns as it likes.
    DispatchQueue.global().async { barrier.open() }
    while tracker.metrics.finished < count {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
    // The tracker holds cells weakly.
    return withExtendedLifetime(cells) { tracker.metrics.turns - before }
  }
}

/// Where loads wait until all have come, and are then let go together.
private final class Barrier: @unchecked Sendable {
  // Sendable: what changes is touched under the lock alone.
  private let lock = NSLock()
  private let count: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var whenFull: CheckedContinuation<Void, Never>?

  init(_ count: Int) { self.count = count }

  func arrive() async {
    await withCheckedContinuation { continuation in
      let watcher = lock.withLock {
        waiting.append(continuation)
        return waiting.count == count ? whenFull : nil
      }
      watcher?.resume()
    }
  }

  /// Waits until all have come.
  func full() async {
    await withCheckedContinuation { continuation in
      let isFull = lock.withLock {
        whenFull = continuation
        return waiting.count == count
      }
      if isFull { continuation.resume() }
    }
  }

  func open() {
    let released = lock.withLock { waiting }
    for continuation in released { continuation.resume() }
  }
}
