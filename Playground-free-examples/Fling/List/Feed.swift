import Console
import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

/// Loads the rows of the list: the tracker, or the plain recipe.
@MainActor
protocol Feed: AnyObject {
  /// The time of its creation, from which the times of its events count.
  var start: ContinuousClock.Instant { get }
  /// Its counts so far.
  var counts: FeedCounts { get }
  /// How many values were rendered into a cell that shows another row, as far as it knows.
  var wrongRows: Int { get }

  func handle(_ event: ListEvent<Int>)
  /// The row and the phase that a cell shows.
  func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)?
  func waitUntilIdle() async
  /// Ends the recording, if there is one.
  ///
  /// - Throws: A `Complaint` if the file does not have all of it.
  func endRecording() throws
}

/// The two ways to load the rows.
@MainActor
enum FeedKind: CaseIterable {
  case recipe, tracker

  var name: String { self == .recipe ? "The plain recipe" : "RowOperations" }

  /// - Parameter log: Gets its events.
  func feed(_ source: RowSource, _ options: Options, _ log: FeedLog) throws -> any Feed {
    self == .recipe
      ? RecipeFeed(source, options, log) : try TrackedFeed(source, options, log)
  }
}

/// The counts of a feed.
struct FeedCounts {
  var started = 0
  var finished = 0
  var failed = 0
  var cancelledWaiting = 0
  var cancelledRunning = 0
  var refusedStale = 0
  var finishedOffScreen = 0
}

extension Feed {
  var wrongRows: Int { 0 }

  func endRecording() throws {}

  /// The rows on screen with a cell that shows neither a value nor a failure.
  func pendingRows(in list: ListSimulator<Int>) -> [Int] {
    blankRows(in: list).filter { phase(of: $0, in: list)?.error == nil }
  }

  /// The rows on screen with a cell that shows no value, failed ones among them.
  func blankRows(in list: ListSimulator<Int>) -> [Int] {
    list.visibleRows.filter { phase(of: $0, in: list)?.value == nil }
  }

  /// The phase that the cell of a row shows, unless the cell shows another row.
  func phase(of row: Int, in list: ListSimulator<Int>) -> RowPhase<RowDocument>? {
    guard let cell = list.cell(for: row), let content = content(of: cell), content.row == row
    else { return nil }
    return content.phase
  }
}

/// A list whose rows a tracker loads.
@MainActor
final class TrackedFeed: Feed {
  let start = ContinuousClock.now
  private let tracker: DisplayTracker<Int, RowDocument>
  private let app: TrackedList<Int, RowDocument>
  /// Is written while the list scrolls, so that an interrupted run has one too.
  private let recording: ListRecording?

  /// - Throws: A `Complaint` if the file of the recording cannot be written.
  init(_ source: RowSource, _ options: Options, _ log: FeedLog) throws {
    var configuration = TrackerConfiguration<Int, RowDocument>()
    configuration.slots = UpdateSlots(options.slots)
    configuration.scrollPolicy = options.policy
    configuration.timeout = options.timeout
    configuration.onEvent = { log.record($0) }
    tracker = DisplayTracker(configuration: configuration) { try await source.update($0) }
    app = TrackedList(tracker) { $0.row }
    recording = try options.recording.map { [tracker] path in
      do {
        return try ListRecording(of: tracker, to: URL(fileURLWithPath: path))
      } catch {
        throw Complaint("\(path) cannot be written: \(error.localizedDescription)")
      }
    }
    tracker.setOrder(0..<options.rows)
  }

  var counts: FeedCounts {
    let metrics = tracker.metrics
    return FeedCounts(
      started: metrics.started, finished: metrics.finished, failed: metrics.failed,
      cancelledWaiting: metrics.cancelledWaiting, cancelledRunning: metrics.cancelledRunning,
      refusedStale: metrics.refusedStale, finishedOffScreen: metrics.finishedOffScreen)
  }

  var wrongRows: Int { app.wrongRows }

  func endRecording() throws {
    recording?.stop()
    if let recording, let error = recording.failure {
      throw Complaint("\(recording.url.path) cannot be written: \(error.localizedDescription)")
    }
  }

  func handle(_ event: ListEvent<Int>) { app.handle(event) }

  func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)? {
    app.content(of: cell)
  }

  func waitUntilIdle() async { await tracker.waitUntilIdle() }
}
