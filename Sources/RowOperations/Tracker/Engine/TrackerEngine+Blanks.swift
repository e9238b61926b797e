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

  /// Counts the displayed rows of a load without a value.
  ///
  /// When the value arrives, adds the time that it took.
  @inline(__always)
  mutating func updateBlanks(of load: LoadID, at now: Int64) {
    guard loads[load].updateBlank() else { return }
    addBlankTime(until: now)
    let rows = settings.sharesLoads ? shownRows[load] ?? 0 : 1
    blankRows += loads[load].isBlank ? rows : -rows
    guard !loads[load].isBlank, loads[load].wasDisplayed, loads[load].knowledge != .nothing else {
      return
    }
    let start = loads[load].displayedAt
    // A row that was displayed during a suspension has no meaningful time.
    if lastResume.map({ $0 <= start }) ?? true {
      metrics.timeToFirstValue.add(nanoseconds: now - start)
    }
  }

  /// Counts a row after a change of its display in this turn.
  @inline(__always)
  mutating func countDisplay(of row: RowID, _ change: Int) {
    displayedRows += change
    if settings.sharesLoads { countDisplay(ofSharing: rows[row].load, change) }
  }

  private mutating func countDisplay(ofSharing load: LoadID, _ change: Int) {
    let shown = (shownRows[load] ?? 0) + change
    shownRows[load] = shown == 0 ? nil : shown
    if loads[load].isBlank { blankRows += change }
  }

  /// Removes a load without rows from the blank rows.
  mutating func dropBlanks(of load: LoadID, at now: Int64) {
    guard loads[load].isBlank else { return }
    addBlankTime(until: now)
    blankRows -= settings.sharesLoads ? shownRows[load] ?? 0 : 1
    loads[load].isBlank = false
  }
}
