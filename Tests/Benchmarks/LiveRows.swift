import Foundation
import RowOperations

/// B21: live rows on screen, each with one element of its stream in every turn.
@MainActor
final class LiveHost {
  nonisolated static let rows = 8

  private let ticks = Ticks()
  private let tracker: DisplayTracker<Int, Int>
  private let cells = (0..<rows).map { _ in Cell() }
  private var rendered = 0

  init() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(Self.rows)
    configuration.liveInterval = .zero
    tracker = DisplayTracker(configuration: configuration, updates: { [ticks] _ in ticks })
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { [unowned self] _, phase in
        if case .loaded = phase { rendered += 1 }
      }
      tracker.willDisplay(cell)
    }
    tracker.endPass()
    ticks.tickAll()
    // The loads end on other threads. A turn for each look would count, and by chance.
    while tracker.metrics.live < Self.rows {
      Thread.sleep(forTimeInterval: 0.05)
      tracker.endPass()
    }
    rendered = 0
  }

  /// Renders so many elements.
  func run(_ elements: Int) {
    for _ in 0..<elements / Self.rows {
      ticks.tickAll()
      tracker.endPass()
    }
    precondition(rendered == elements, "Each turn renders an element of each row.")
  }
}

/// Streams whose elements a thread of their own sends together, so that the main thread has no work
/// with them.
private final class Ticks: AsyncSequence, Sendable {
  typealias Element = Int

  private struct Guarded {
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let guarded = Lock(Guarded())
  private let waits = DispatchSemaphore(value: 0)
  private let mayTick = DispatchSemaphore(value: 0)
  private let ticked = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [self] in
      for _ in 0..<LiveHost.rows { waits.wait() }
      while true {
        mayTick.wait()
        for stream in guarded.exchange(Guarded()).waiting { stream.resume() }
        // Each stream has passed its element on once it asks for the next one.
        for _ in 0..<LiveHost.rows { waits.wait() }
        ticked.signal()
      }
    }
    thread.start()
  }

  /// Sends an element to each stream, and returns when the tracker could take it.
  func tickAll() {
    mayTick.signal()
    ticked.wait()
  }

  func makeAsyncIterator() -> Iterator { Iterator(ticks: self) }

  struct Iterator: AsyncIteratorProtocol {
    let ticks: Ticks
    private var count = 0

    init(ticks: Ticks) { self.ticks = ticks }

    mutating func next() async -> Int? {
      await withCheckedContinuation { continuation in
        ticks.guarded.withLock { $0.waiting.append(continuation) }
        ticks.waits.signal()
      }
      count += 1
      return count
    }
  }
}
