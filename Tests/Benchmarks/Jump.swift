import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// The time of a jump to new rows, with the six slots of the default: the median of nine jumps.
  ///
  /// The only figure in real time. It stays far below its limit on a busy machine, too.
  static let jump = Family("B6") {
    var times: [Double] = []
    for _ in 0..<9 { times.append(await timeToFullScreen()) }
    return [
      Figure(
        "B6", "12 rows after a jump, 100 ms each / 300 ms", times.sorted()[4] / 300, limit: 1.05)
    ]
  }

  /// Milliseconds from a jump until all its rows are shown.
  @MainActor
  private static func timeToFullScreen() async -> Double {
    let filled = AsyncStream<Void>.makeStream()
    var missing: Set<Int> = []
    let tracker = DisplayTracker<Int, Int> { context in
      try await Task.sleep(for: .milliseconds(100), tolerance: .zero)
      return context.row
    }
    // A screen of 528 points holds 12 rows of 44.
    let list = ListSimulator(rows: Array(0..<10_000), viewport: 528, behavior: ListBehavior()) {
      switch $0 {
      case .cellFor(let cell, let row):
        tracker.bind(cell, to: row) { _, phase in
          guard phase.value == row else { return }
          missing.remove(row)
          if missing.isEmpty { filled.continuation.yield() }
        }
      case .willDisplay(let cell): tracker.willDisplay(cell)
      case .didEndDisplaying(let cell, _): tracker.didEndDisplaying(cell)
      default: break
      }
    }
    var fillings = filled.stream.makeAsyncIterator()
    missing = Set(list.rows(at: 0))
    list.layOut()
    _ = await fillings.next()
    await tracker.waitUntilIdle()
    missing = Set(5000..<5012)
    let start = ContinuousClock.now
    list.jump(to: 5000)
    _ = await fillings.next()
    return start.duration(to: .now) / .milliseconds(1)
  }
}
