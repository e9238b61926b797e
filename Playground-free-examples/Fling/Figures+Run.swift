import RowOperations
import RowOperationsTesting

extension Figures {
  /// The figures of a run that is over.
  ///
  /// - Parameters:
  ///   - tally: The loads of the feed.
  ///   - numbers: By the replies of all runs with the server.
  ///   - changedMeanwhile: With `--folder`: the files that changed since their rows were loaded.
  @MainActor
  init(
    of list: ListSimulator<Int>, _ feed: any Feed, _ source: RowSource, _ findings: Findings,
    _ tally: LoadTally, _ numbers: RowNumbers, changedMeanwhile: Int?
  ) {
    let isForeign = if case .foreign = source.content { true } else { false }
    let counts = feed.counts
    let replies = source.replies
    let neverLoaded = findings.neverLoaded
    let rowsChecked = findings.checkedRows(numbers).count
    let mixedUp = feed.wrongRows + feed.misplacedCells(in: list) + findings.mixedUpRows.count
    self.init(
      rows: source.count, slots: source.slots, firstNumber: source.first,
      rowsPassed: list.rowsPassed,
      displayed: list.visibleRows.count,
      started: counts.started, batches: counts.batches,
      streams: counts.streams?.opened, streamsAtOnce: counts.streams?.atOnce,
      changes: counts.streams == nil ? nil : replies.changes,
      finished: counts.finished,
      cancelledWaiting: counts.cancelledWaiting,
      cancelledRunning: counts.cancelledRunning,
      cancelledPerStage: Dictionary(
        uniqueKeysWithValues: counts.cancelledPerStage.map { ($0.key.name, $0.value) }),
      refusedStale: counts.refusedStale,
      failed: counts.failed,
      failures: Dictionary(
        tally.failures.map { ($0.key.description, $0.value) }, uniquingKeysWith: +),
      lowestMissingRow: isForeign ? tally.lowestMissingRow : nil,
      lowestLoadedRow: isForeign ? tally.lowestLoadedRow : nil,
      highestLoadedRow: isForeign ? tally.highestLoadedRow : nil,
      longestRetryAfter: tally.longestRetryAfter?.roundedSeconds,
      finishedOffScreen: counts.finishedOffScreen,
      bytes: replies.bytes,
      numberField: source.number.description,
      likelyNumberField: isForeign ? replies.numbers.likeliest?.description : nil,
      rowNumbers: numbers,
      repliesNamingARow: replies.namingOwnRow + replies.namingAnotherRow,
      repliesNamingAnotherRow: replies.namingAnotherRow,
      misnamedReply: replies.misnamed,
      numberDifference: replies.difference,
      onlyNumber: replies.onlyNumber,
      rowsWithoutNumber: replies.withoutNumber?.count ?? 0,
      firstWithoutNumber: replies.withoutNumber?.first,
      sharedTarget: replies.sharedTarget,
      sharedDocument: replies.sharedDocument,
      sharedPath: replies.sharedPath,
      secondsToLoad: LoadPercentiles(tally.times),
      secondsToSettle: findings.longestRest?.roundedSeconds,
      notLoadedAtStandstill: findings.notLoadedAtStandstill,
      notLoadedAfterSettling: findings.notLoadedAfterwards,
      neverLoaded: neverLoaded.count,
      firstNeverLoaded: neverLoaded.first { source.files?.hasChanged($0) != true },
      neverLoadedChanged: source.files.map { files in neverLoaded.count(where: files.hasChanged) },
      blankRowSeconds: findings.blankRowTime.roundedSeconds,
      rowsShown: findings.shown.count,
      rowsChecked: rowsChecked,
      changedMeanwhile: changedMeanwhile,
      mixedUpRows: mixedUp,
      wrongRows: Self.wrongRows(
        mixedUp: mixedUp, misnamed: findings.misnamedRows.subtracting(findings.mixedUpRows).count,
        checked: rowsChecked, numbers))
  }

  /// - Parameters:
  ///   - misnamed: Rows that showed the reply to their own request, with another number in it.
  ///   - checked: Rows whose reply shows whether it is one for them.
  static func wrongRows(
    mixedUp: Int, misnamed: Int, checked: Int, _ numbers: RowNumbers
  ) -> Int? {
    let known = mixedUp + (numbers == .rows ? misnamed : 0)
    return known == 0 && checked == 0 ? nil : known
  }
}

extension Feed {
  /// The cells that show the value of another row, or another row than that of their place.
  fileprivate func misplacedCells(in list: ListSimulator<Int>) -> Int {
    list.visibleCells.count { cell in
      guard let content = content(of: cell), let value = content.phase.value else { return false }
      return value.row != content.row || list.cell(for: content.row) !== cell
    }
  }
}
