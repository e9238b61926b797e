/// How long rows on screen show no value.
extension TrackerEngine {
  /// What the tracker has done until a time.
  package func metrics(at now: Int64) -> TrackerMetrics {
    var (metrics, engine) = (metrics, self)
    engine.addBlankTime(until: now)
    metrics.blankTime = .nanoseconds(engine.blankTime)
    return metrics
  }

  /// The number of blank rows, or whether they are in sight, is about to change.
  ///
  /// Three centuries are as long as it gets.
  @inline(__always)
  mutating func addBlankTime(until now: Int64) {
    guard now > blankTimeEnd else { return }
    // Nobody sees a list that is out of sight.
    if !isSuspended {
      let added = Int64(blankRows).multipliedReportingOverflow(by: now - blankTimeEnd)
      let sum = blankTime.addingReportingOverflow(added.partialValue)
      blankTime = added.overflow || sum.overflow ? .max : sum.partialValue
    }
    blankTimeEnd = now
  }

  /// Counts the displayed rows of a load that show no value.
  ///
  /// When they show one, notes how long that took.
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
    // The time out of sight is no time on screen.
    if lastResume.map({ $0 <= start }) ?? true {
      metrics.timeToFirstValue.add(nanoseconds: now - start)
    }
  }

  /// A row is displayed at the end of a turn that was not before, or the reverse.
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

  /// Its rows are gone.
  mutating func dropBlanks(of load: LoadID, at now: Int64) {
    guard loads[load].isBlank else { return }
    addBlankTime(until: now)
    blankRows -= settings.sharesLoads ? shownRows[load] ?? 0 : 1
    loads[load].isBlank = false
  }
}
