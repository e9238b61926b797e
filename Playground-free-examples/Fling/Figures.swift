import Foundation

/// The figures of a run.
struct Figures: Encodable, Equatable, Sendable {
  /// How many rows the list has.
  var rows: Int
  /// How many loads may run at once.
  var slots = 4
  /// The number of the first row on the server.
  var firstNumber = 0
  /// How often a row came on screen.
  var rowsPassed: Int
  var displayed: Int
  var started: Int
  /// With `--batch`: the requests for these loads.
  var batches: Int?
  /// With `--live`: the streams that rows on screen have opened, the most at once, and the changes
  /// that came.
  var streams: Int?
  var streamsAtOnce: Int?
  var changes: Int?
  var finished: Int
  var cancelledWaiting: Int
  var cancelledRunning: Int
  var cancelledPerStage: [String: Int]
  var refusedStale: Int
  var failed: Int
  /// How many loads failed for which reason.
  var failures: [String: Int]
  /// With `--origin`: the lowest row that failed with HTTP 404 or 410, and the lowest and highest
  /// ones that loaded.
  var lowestMissingRow: Int?
  var lowestLoadedRow: Int?
  var highestLoadedRow: Int?
  /// The longest time that the server has requested before the next attempt, in seconds.
  var longestRetryAfter: Double?
  var finishedOffScreen: Int
  /// Of complete replies: those that broke off, were too large or had another status count nothing.
  var bytes: Int
  /// The field of the documents that is compared with the row that requested them.
  var numberField = NumberField.row.description
  /// Another field that has the row's number in all documents in which that one does not.
  var likelyNumberField: String?
  /// The meaning of the number in the documents, as far as they show it.
  var rowNumbers: RowNumbers
  /// Replies that have a number.
  var repliesNamingARow: Int
  /// Those whose number is not that of the row that requested them.
  var repliesNamingAnotherRow: Int
  /// The first of them.
  var misnamedReply: MisnamedReply?
  /// The number in each of them less that of the row, if it is the same in all of several.
  var numberDifference: Int?
  /// The number in all of them, if it is the same.
  var onlyNumber: Int?
  /// Rows whose document has no number, and the lowest of them.
  var rowsWithoutNumber = 0
  var firstWithoutNumber: Int?
  /// The address of the one document that all rows were redirected to.
  var sharedTarget: String?
  /// The document that answered more rows than any other, if it answered three or more.
  var sharedDocument: SharedDocument?
  /// The address without a query that all rows were redirected to, each with a query and a document
  /// of its own.
  var sharedPath: String?
  /// Of the loads that ended with a value; `nil` if there are none.
  var secondsToLoad: LoadPercentiles?
  /// The longest of all flings; `nil` if a row on screen was not loaded after one.
  var secondsToSettle: Double?
  /// Of all flings together.
  var notLoadedAtStandstill: Int
  /// Of all flings together: rows that failed, or took longer than a minute.
  var notLoadedAfterSettling: Int
  /// Rows that never showed a value, though the list stood still with them on screen.
  var neverLoaded: Int
  /// The first of these rows whose file has not changed, if there are files.
  var firstNeverLoaded: Int?
  /// With `--folder`: how many of these rows have files that changed or vanished meanwhile.
  var neverLoadedChanged: Int?
  /// For how long how many rows on screen showed no value.
  var blankRowSeconds: Double
  /// Rows that showed a value.
  var rowsShown: Int
  /// Shown rows whose value has the number of a row, or was compared with the value that was sent.
  var rowsChecked: Int
  /// With `--folder`: files that changed or vanished since their rows were loaded.
  var changedMeanwhile: Int?
  /// Rows that showed the reply to another row's request, or a value that was never sent for them.
  var mixedUpRows: Int
  /// Rows that showed another row's document: the rows above, and those whose own request was
  /// answered with it; `nil` if only the server knows.
  var wrongRows: Int?

  /// The most frequent reasons for failures, and the others as one.
  func frequentFailures(_ limit: Int = 6) -> [(reason: String, count: Int)] {
    let sorted = failures.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    let others = sorted.dropFirst(limit)
    guard !others.isEmpty else { return sorted }
    return sorted.prefix(limit) + [("other reasons", others.map(\.count).reduce(0, +))]
  }
}

/// How long loads took, in seconds: so many percent of them as long or shorter.
struct LoadPercentiles: Encodable, Equatable, Sendable {
  let p50, p90, p99: Double

  init?(_ times: LoadTimes) {
    let seconds = times.percentiles([50, 90, 99]).map(\.roundedSeconds)
    guard seconds.count == 3 else { return nil }
    (p50, p90, p99) = (seconds[0], seconds[1], seconds[2])
  }
}
