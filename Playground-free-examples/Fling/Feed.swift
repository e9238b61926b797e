import RowOperations
import RowOperationsTesting

/// What fills the rows of the list: the tracker, or the plain recipe.
@MainActor
protocol Feed: AnyObject {
  /// What it did, told as a tracker tells it.
  var timeline: Timeline<Int> { get }
  /// What it did, in numbers.
  var counts: FeedCounts { get }
  /// How many values were rendered into a cell that shows another row.
  var wrongRows: Int { get }

  func handle(_ event: ListEvent<Int>)
  /// What a cell shows, and for which row.
  func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)?
  func waitUntilIdle() async
}

/// What a feed did.
struct FeedCounts {
  var started = 0
  var finished = 0
  var failed = 0
  var cancelledWaiting = 0
  var cancelledRunning = 0
  var cancelledPerStage: [UpdateStage: Int] = [:]
  var refusedStale = 0
  var shared = 0
  var finishedOffScreen = 0
}

extension Feed {
  /// The rows on screen whose cells show neither their value nor why there is none.
  func pendingRows(in list: ListSimulator<Int>) -> [Int] {
    list.visibleRows.filter { row in
      guard let cell = list.cell(for: row), let content = content(of: cell), content.row == row
      else { return true }
      return content.phase.value == nil && content.phase.error == nil
    }
  }
}

/// A list whose rows a tracker loads.
@MainActor
final class TrackedFeed: Feed {
  let timeline = Timeline<Int> { $0 }
  private let tracker: DisplayTracker<Int, RowDocument>
  private let app: TrackedList<Int, RowDocument>

  init(_ source: RowSource, _ options: Options) {
    var configuration = TrackerConfiguration<Int, RowDocument>()
    configuration.slots = UpdateSlots(options.slots)
    configuration.scrollPolicy = options.policy
    configuration.timeout = options.timeout
    configuration.onEvent = timeline.record
    tracker = DisplayTracker(configuration: configuration) { try await source.update($0) }
    app = TrackedList(tracker) { $0.row }
  }

  var counts: FeedCounts {
    let metrics = tracker.metrics
    return FeedCounts(
      started: metrics.started, finished: metrics.finished, failed: metrics.failed,
      cancelledWaiting: metrics.cancelledWaiting, cancelledRunning: metrics.cancelledRunning,
      cancelledPerStage: metrics.cancelledPerStage, refusedStale: metrics.refusedStale,
      shared: metrics.shared, finishedOffScreen: metrics.finishedOffScreen)
  }

  var wrongRows: Int { app.wrongRows }

  func handle(_ event: ListEvent<Int>) { app.handle(event) }

  func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)? {
    app.content(of: cell)
  }

  func waitUntilIdle() async { await tracker.waitUntilIdle() }
}
