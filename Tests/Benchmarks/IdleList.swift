import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// The turns of a list at rest, whose rows are loaded, in ten seconds of a manual clock.
  static let idle = Family("B20") {
    let list = IdleList()
    await list.settle()
    let before = list.turns
    await list.pass(.seconds(10))
    return [
      Figure("B20", "turns of an idle list in 10 s", Double(list.turns - before), limit: 0)
    ]
  }
}

/// A list with an order that has scrolled, and rests.
@MainActor
private final class IdleList {
  private let clock = ManualClock()
  private let tracker: DisplayTracker<Int, Int>
  private let cells = (0..<12).map { SimulatedCell(number: $0) }
  private(set) var turns = 0

  init() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    tracker = DisplayTracker(configuration: configuration) { $0.row }
    tracker.recordEvents { [unowned self] _ in turns += 1 }
    tracker.setOrder(0..<1000)
    for cell in cells {
      tracker.bind(cell, to: 100 + cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.scrollWillBegin()
    tracker.scrollDidMove()
    tracker.scrollDidSettle()
  }

  /// Loads all rows on screen and around it, and lets the deadlines of the scrolling pass.
  func settle() async {
    await tracker.waitUntilIdle()
    await pass(.seconds(5))
    await tracker.waitUntilIdle()
    precondition(turns > 0, "The recording has a line for each turn.")
  }

  /// Lets time pass in steps, each with turns of the main queue for the tasks that it wakes.
  func pass(_ time: Duration) async {
    for _ in 0..<Int(time / .milliseconds(50)) {
      clock.advance(by: .milliseconds(50))
      for _ in 0..<3 {
        await Task.yield()
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async { continuation.resume() }
        }
      }
    }
  }
}
