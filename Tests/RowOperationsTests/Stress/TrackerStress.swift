import Dispatch
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// Uses real operations, queues and task cancellation, for Thread Sanitizer.
@Suite("The tracker under stress", .timeLimit(.minutes(60)), .serialized)
@MainActor
struct TrackerStress {
  @Test(
    "Each kind of list shows its rows after random scrolls, changes and covers", arguments: Host.all
  )
  func lists(host: Host) async {
    for seed in seeds(StressLevel.current.lists) {
      let list = RandomList(
        seed: seed, behavior: host.behavior,
        policy: [.adaptive, .immediate, .whenSettled][Int(seed % 3)])
      await play(list, steps: 100, "\(host), seed \(seed)")
    }
  }

  @Test(
    "The displayed rows of random lists listen, and no others do",
    arguments: [RandomList.Source.streams, .loadsAndStreams])
  func liveLists(source: RandomList.Source) async {
    for seed in seeds(StressLevel.current.lists) {
      let list = RandomList(
        seed: seed, behavior: seed % 2 == 0 ? .collectionView : .tableView, rows: 200,
        source: source)
      await play(list, steps: 200, "\(source), seed \(seed)")
    }
  }

  @Test(
    "Rows of batches show their own values, and each start has one end, whatever is answered",
    arguments: [1, 2, 7, 1_000_000])
  func batches(size: Int) async {
    for seed in seeds(StressLevel.current.lists) {
      let list = RandomList(
        seed: seed, behavior: seed % 2 == 0 ? .collectionView : .tableView,
        slots: UpdateSlots(2), source: .batches(of: size))
      await play(list, steps: 200, "batches of \(size), seed \(seed)")
      checkEnds(list.tracker.metrics)
      #expect(list.tracker.metrics.batches > 0)
    }
  }

  private func play(_ list: RandomList, steps: Int, _ note: String) async {
    list.list.layOut()
    for _ in 0..<steps { await list.step() }
    await list.finish()
    #expect(list.violations == [], "\(note)")
    await list.empty()
    #expect(list.violations == [], "\(note), emptied")
  }

  /// Each load that has started has one end.
  private func checkEnds(_ metrics: TrackerMetrics) {
    #expect(
      metrics.started
        == metrics.finished + metrics.failed + metrics.cancelledRunning + metrics.refusedStale)
  }

  @Test("Two lists that share slots never run more loads than slots")
  func sharedSlots() async {
    for seed in seeds(StressLevel.current.lists) {
      let slots = UpdateSlots(3)
      let lists = (0..<2).map {
        RandomList(seed: seed &+ $0, behavior: .collectionView, slots: slots)
      }
      for list in lists { list.list.layOut() }
      for _ in 0..<100 {
        for list in lists { await list.step(audits: false) }
        let running = lists.reduce(0) { $0 + $1.tracker.core.engine.runningLoads }
        #expect(running <= slots.count, "seed \(seed)")
      }
      for list in lists { await list.finish(audits: false) }
      for list in lists { #expect(list.violations == [], "seed \(seed)") }
    }
  }

  @Test("Operations that other threads cancel and finish harm no other row")
  func foreignHands() async {
    let hands = (0..<2).map { _ in ForeignHand() }
    let tracker = DisplayTracker<Int, Int> { token in
      let operation = UpdateOperation<Int, Int>(token: token) { context in
        try await context.stage(.fetch) { await Task.yield() }
        return context.row
      }
      for hand in hands { hand.take(operation) }
      return operation
    }
    let app = TrackedList(tracker) { $0 }
    async let attack: Void = race(
      { hands[0].use { $0.cancel() } },
      { hands[1].use { $0.finish(with: .failure(CancellationError())) } })
    let list = ListSimulator(rows: Array(0..<StressLevel.current.operationsPerRound), viewport: 600)
    {
      app.handle($0)
    }
    list.layOut()
    while list.offset < list.maximumOffset {
      list.drag(by: 100)
      await tracker.waitUntilIdle()
    }
    for hand in hands { hand.take(nil) }
    await attack
    #expect(tracker.audit() == [])
    #expect(app.wrongRows == 0)
    checkEnds(tracker.metrics)
  }

  @Test(
    "The check detects an app that mixes rows up and an app that does not bind")
  func canFail() async {
    let distortions: [(ListEvent<Int>) -> ListEvent<Int>] = [
      { if case .cellFor(let cell, let row) = $0 { .cellFor(cell, row / 2) } else { $0 } },
      { if case .cellFor(let cell, _) = $0 { .unbind(cell) } else { $0 } },
    ]
    for distortion in distortions {
      let list = RandomList(seed: 1, behavior: .collectionView, distorting: distortion)
      list.list.layOut()
      for _ in 0..<100 { await list.step() }
      await list.finish()
      #expect(list.violations != [])
    }
  }

  private func seeds(_ count: Int) -> [UInt64] {
    var generator = SeededGenerator(seed: StressLevel.seed)
    return (0..<count).map { _ in generator.next() }
  }
}

/// A kind of list, or a variation of it in one respect.
struct Host: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let behavior: ListBehavior

  static let all: [Host] =
    [
      Host("a table view", .tableView) { _ in },
      Host("a collection view", .collectionView) { _ in },
      Host("a GTK list view", .gtkListView) { _ in },
    ]
    + variations.map { name, change in Host("a collection view, \(name)", .collectionView, change) }

  private static let variations: [(String, @Sendable (inout ListBehavior) -> Void)] = [
    ("prefetching from the first scroll on", { $0.prefetchesAtFirstLayout = false }),
    ("never cancelling prefetches", { $0.sendsCancelPrefetch = false }),
    ("without prefetching", { $0.prefetchDepth = 0 }),
    ("preparing no cells", { $0.preparedAhead = 0 }),
    ("preparing many cells", { $0.preparedAhead = 8 }),
    ("keeping many cells", { $0.keptCells = 8 }),
    ("reloading new cells first", { $0.reloadEndsFirst = false }),
    ("ending reloaded cells twice", { $0.endsReloadedCellsTwice = true }),
    ("moving rows in their cells", { $0.movedRowsChangeCells = false }),
    ("silent on stopped flings", { $0.reportsStoppedFlings = false }),
    ("guessing heights too low", { $0.estimatedHeight = 10 }),
  ]

  init(_ name: String, _ behavior: ListBehavior, _ change: (inout ListBehavior) -> Void) {
    var behavior = behavior
    change(&behavior)
    testDescription = name
    self.behavior = behavior
  }
}

/// A thread that acts on each operation as soon as it is made.
private final class ForeignHand: Sendable {
  private let operations = Box<[UpdateOperation<Int, Int>?]>([])
  private let taken = DispatchSemaphore(value: 0)

  /// Takes an operation; `nil` ends the work.
  func take(_ operation: UpdateOperation<Int, Int>?) {
    operations.append(operation)
    taken.signal()
  }

  func use(_ act: (UpdateOperation<Int, Int>) -> Void) {
    while true {
      taken.wait()
      for operation in operations.exchanged([]) {
        guard let operation else { return }
        act(operation)
      }
    }
  }
}
