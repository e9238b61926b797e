import Proofs
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

@Suite("Permits in loads", .timeLimit(.minutes(10)))
@MainActor
struct LoadPermitTests {
  /// A tracker whose loads take a permit of one, and hold it until the test opens their gate.
  private let tracker: DisplayTracker<Int, Int>
  private let category = ExclusionCategory("decoding of a test")
  private let gates = (0..<4).map { _ in Gate() }
  private let granted = Log<Int>([])
  private let cells = (0..<4).map { SimulatedCell(number: $0) }

  init() {
    var configuration = TrackerConfiguration<Int, Int>()
    (configuration.slots, configuration.grace) = (UpdateSlots(8), .zero)
    tracker = DisplayTracker(configuration: configuration) {
      [category, gates, granted] context in
      try await category.withPermit {
        granted.append(context.row)
        await gates[context.row].opened()
        return context.row
      }
    }
  }

  private func display(_ row: Int, inLine count: Int) async {
    tracker.bind(cells[row], to: row) { _, _ in }
    tracker.willDisplay(cells[row])
    await until { TurnRegistry.count(in: category) == count }
  }

  private func end(_ row: Int, next: Int?) async {
    gates[row].open()
    guard let next else { return await tracker.waitUntilIdle() }
    await until { granted.value.contains(next) }
  }

  @Test("A permit goes to rows on screen before prefetched ones")
  func displayedFirst() async {
    await display(0, inLine: 1)
    tracker.prefetch([1])
    await until { TurnRegistry.count(in: category) == 2 }
    await display(2, inLine: 3)
    await display(3, inLine: 4)
    await end(0, next: 2)
    await end(2, next: 3)
    await end(3, next: 1)
    await end(1, next: nil)
    #expect(granted.value == [0, 2, 3, 1])
    #expect(tracker.metrics.finished == 4 && tracker.audit() == [])
  }

  @Test("A row that leaves while it waits gets no permit")
  func cancelled() async {
    await display(0, inLine: 1)
    await display(1, inLine: 2)
    await display(2, inLine: 3)
    tracker.didEndDisplaying(cells[1])
    await until { TurnRegistry.count(in: category) == 2 }
    await end(0, next: 2)
    await end(2, next: nil)
    #expect(granted.value == [0, 2])
    #expect(tracker.metrics.cancelledRunning == 1 && tracker.audit() == [])
  }

  @Test(
    "The task of a prefetch has a low priority, and that of the configuration once its row is displayed"
  )
  func raised() async {
    let began = Log<TaskPriority>([])
    let tracker = DisplayTracker<Int, Int> { context in
      began.append(Task.currentPriority)
      while Task.currentPriority < .userInitiated { await Task.yield() }
      return context.row
    }
    tracker.prefetch([1])
    await until { began.value.count == 1 }
    #expect(began.value == [.utility])
    tracker.bind(cells[1], to: 1) { _, _ in }
    tracker.willDisplay(cells[1])
    await tracker.waitUntil { $0.phase(of: 1).value != nil }
  }
}

extension TurnRegistry {
  /// The number of members in line, with and without a turn.
  fileprivate static func count(in category: ExclusionCategory) -> Int {
    guarded.withLock { $0.lines.lines[category]?.ranks.count ?? 0 }
  }
}
