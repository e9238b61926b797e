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
  mutating func addBlankTime(until now: Int64) {
    // Nobody sees a list that is out of sight.
    if !isSuspended { blankTime += Int64(blankRows) * max(now - blankTimeEnd, 0) }
    blankTimeEnd = now
  }

  /// Counts the displayed rows of a load that show no value.
  ///
  /// When they show one, notes how long that took.
  @inline(__always)
  mutating func updateBlanks(of load: LoadID, at now: Int64) {
    let rows = settings.sharesLoads ? self.rows.countDisplayed(from: loads[load].firstRow) : 1
    let change = loads[load].updateBlanks(among: rows)
    guard change != 0 else { return }
    blankRows += Int(change)
    guard change < 0, loads[load].wasDisplayed, loads[load].hasValue else { return }
    metrics.timeToFirstValue.add(nanoseconds: now - loads[load].displayedAt, times: Int(-change))
  }

  /// Its rows are gone.
  mutating func dropBlanks(of load: LoadID, at now: Int64) {
    guard loads[load].blankRows > 0 else { return }
    addBlankTime(until: now)
    blankRows -= Int(loads[load].blankRows)
    loads[load].blankRows = 0
  }
}
