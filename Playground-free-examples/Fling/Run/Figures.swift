import RowOperations
import RowOperationsTesting

/// A finished run.
struct Run {
  let name: String
  let figures: Figures
  var timeline = Timeline()
}

/// The figures of a run.
struct Figures: Encodable, Equatable, Sendable {
  /// How many rows the list has.
  var rows: Int
  /// How often a row came on screen.
  var rowsPassed: Int
  var displayed: Int
  var started: Int
  var finished: Int
  var failed: Int
  /// How many loads failed for which reason.
  var failures: [String: Int] = [:]
  var cancelledWaiting = 0
  var cancelledRunning = 0
  var refusedStale = 0
  var finishedOffScreen = 0
  /// Of whole replies.
  var bytes: Int
  /// The seconds that so many percent of the loads did not exceed; `nil` without loads.
  var secondsToLoad: [String: Double]?
  /// The longest of all flings; `nil` if a row on screen was not loaded after one.
  var secondsToSettle: Double?
  /// Of all flings together.
  var notLoadedAtStandstill = 0
  /// Of all flings together: rows that failed, or took longer than a minute.
  var notLoadedAfterSettling = 0
  /// Rows that never showed a value, though the list stood still with them on screen.
  var neverLoaded = 0
  /// For how long how many rows on screen showed no value.
  var blankRowSeconds: Double
  /// Rows that showed a value.
  var rowsChecked: Int
  /// Rows that showed another row's document.
  var wrongRows = 0
}

extension Figures {
  @MainActor
  init(
    of list: ListSimulator<Int>, _ feed: any Feed, _ log: FeedLog, bytes: Int, _ findings: Findings,
    _ options: Options
  ) {
    let counts = feed.counts
    let percentiles = [50, 90, 99].compactMap { percent in
      log.tally.percentile(percent).map { ("p\(percent)", $0.roundedSeconds) }
    }
    self.init(
      rows: options.rows, rowsPassed: list.rowsPassed, displayed: list.visibleRows.count,
      started: counts.started, finished: counts.finished,
      failed: counts.failed, failures: log.tally.failures,
      cancelledWaiting: counts.cancelledWaiting, cancelledRunning: counts.cancelledRunning,
      refusedStale: counts.refusedStale, finishedOffScreen: counts.finishedOffScreen,
      bytes: bytes,
      secondsToLoad: percentiles.isEmpty ? nil : Dictionary(uniqueKeysWithValues: percentiles),
      secondsToSettle: findings.longestRest?.roundedSeconds,
      notLoadedAtStandstill: findings.notLoadedAtStandstill,
      notLoadedAfterSettling: findings.notLoadedAfterwards, neverLoaded: findings.neverLoaded,
      blankRowSeconds: findings.blankRowTime.roundedSeconds, rowsChecked: findings.shown.count,
      wrongRows: max(findings.wrong.count, feed.wrongRows))
  }
}

extension Duration {
  /// In seconds, to the millisecond.
  fileprivate var roundedSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
