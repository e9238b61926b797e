struct Blanks: Sendable {
  /// At the end of the last turn.
  var displayedRows = 0
  private(set) var rows = 0
  /// The blank time of all rows together, until `end`.
  private var time: Int64 = 0
  private var end: Int64 = 0

  /// - Parameter isSuspended: Whether the list was out of sight since the last change.
  func time(until now: Int64, isSuspended: Bool) -> Int64 {
    var later = self
    later.add(until: now, isSuspended: isSuspended)
    return later.time
  }

  /// Adds the blank time so far, before the number of blank rows or the suspension changes.
  ///
  /// Rows out of sight do not count; saturates after three centuries.
  @inline(__always)
  mutating func add(until now: Int64, isSuspended: Bool) {
    guard now > end else { return }
    if !isSuspended {
      let added = Int64(rows).multipliedReportingOverflow(by: now - end)
      let sum = time.addingReportingOverflow(added.partialValue)
      time = added.overflow || sum.overflow ? .max : sum.partialValue
    }
    end = now
  }

  mutating func change(by rows: Int) { self.rows += rows }
}
