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
    let change = loads[load].updateBlanks(among: settings.sharesLoads ? loads[load].shownRows : 1)
    guard change != 0 else { return }
    addBlankTime(until: now)
    blankRows += Int(change)
    guard change < 0, loads[load].wasDisplayed, loads[load].hasValue else { return }
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
    if settings.sharesLoads { loads[rows[row].load].shownRows += Int32(change) }
  }

  /// Its rows are gone.
  mutating func dropBlanks(of load: LoadID, at now: Int64) {
    guard loads[load].blankRows > 0 else { return }
    addBlankTime(until: now)
    blankRows -= Int(loads[load].blankRows)
    loads[load].blankRows = 0
  }
}
