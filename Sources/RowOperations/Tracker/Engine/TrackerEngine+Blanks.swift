/// The time for which displayed rows show no value.
extension TrackerEngine {
  /// The tracker's metrics until a time.
  package func metrics(at now: Int64) -> TrackerMetrics {
    var (metrics, engine) = (metrics, self)
    engine.addBlankTime(until: now)
    metrics.blankTime = .nanoseconds(engine.blankTime)
    return metrics
  }

  /// Adds the blank time so far, before the number of blank rows or the suspension changes.
  ///
  /// Saturates after three centuries.
  @inline(__always)
  mutating func addBlankTime(until now: Int64) {
    guard now > blankTimeEnd else { return }
    // A suspended list is out of sight, so its rows do not count as blank.
    if !isSuspended {
      let added = Int64(blankRows).multipliedReportingOverflow(by: now - blankTimeEnd)
      let sum = blankTime.addingReportingOverflow(added.partialValue)
      blankTime = added.overflow || sum.overflow ? .max : sum.partialValue
    }
    blankTimeEnd = now
  }

  /// Counts a displayed row without a value.
  ///
  /// When the first value of a display arrives, adds the time that it took.
  @inline(__always)
  mutating func updateBlanks(of row: RowID, at now: Int64) {
    guard rows[row].updateBlank() else { return }
    addBlankTime(until: now)
    blankRows += rows[row].isBlank ? 1 : -1
    guard rows[row].wasDisplayed, rows[row].takeFirstValue() else { return }
    let start = rows[row].displayedAt
    // A row that was displayed during a suspension has no meaningful time.
    if lastResume.map({ $0 <= start }) ?? true {
      metrics.timeToFirstValue.add(nanoseconds: now - start)
    }
  }

  /// Removes a row from the blank rows.
  mutating func dropBlanks(of row: RowID, at now: Int64) {
    guard rows[row].isBlank else { return }
    addBlankTime(until: now)
    blankRows -= 1
    rows[row].isBlank = false
  }
}
