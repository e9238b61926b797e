/// Decides when rows count as seen, once each, by their time on screen.
///
/// A stay lasts while enough of the row is in sight, also if the row returns within one pass, as in
/// a reload. A cover ends it.
struct ImpressionLog<Row: Hashable> {
  struct Pass {
    /// Seen from now on, the longest stay first.
    let seen: [Row]
    /// Rows that have left, to release outside of changes.
    let left: [Row]
  }

  private struct Visit {
    /// Cells on screen that show the row.
    var displays = 0
    /// The start of the stay, if its time counts.
    var start: Int64?
    /// When the last cell left, which may return in this pass.
    var end: Int64?
    /// Too little of the row is in sight.
    var isLow = false
    /// Grows from stay to stay.
    var number = 0

    func joined(by other: Visit) -> Visit {
      let start = [start, other.start].compactMap(\.self).min()
      let displays = displays + other.displays
      return Visit(
        displays: displays, start: start, end: displays > 0 ? nil : max(end ?? 0, other.end ?? 0),
        isLow: isLow && other.isLow, number: min(number, other.number))
    }
  }

  /// A stay of these nanoseconds counts as seen.
  private let time: Int64
  /// Of the rows on screen, and of those that have left in this pass.
  private var visits: [Row: Visit] = [:]
  private(set) var seen: Set<Row> = []
  /// To report at the end of the pass.
  private var due: [Row] = []
  private var isCovered = false
  private var stays = 0
  /// When the next row on screen counts as seen, as of the last pass.
  private(set) var nextDeadline: Int64?

  init(time: Int64) { self.time = time }

  /// Rows that are on screen or were seen.
  var rows: Set<Row> { seen.union(visits.keys) }

  // MARK: Displays

  mutating func displayed(_ row: Row, at now: Int64) {
    visits[row, default: Visit()].displays += 1
    visits[row]?.end = nil
    beginStay(of: row, at: now)
  }

  mutating func endedDisplaying(_ row: Row, at now: Int64) {
    guard let displays = visits[row]?.displays else { return }
    visits[row]?.displays -= 1
    if displays == 1 { visits[row]?.end = now }
  }

  /// Rows without a cell have left.
  mutating func passEnded(at now: Int64) -> Pass {
    countLongStays(at: now)
    // A cover or a share may have counted later stays first.
    let seen = due.sorted { (visits[$0]?.number ?? 0) < (visits[$1]?.number ?? 0) }
    due = []
    let left = visits.compactMap { $0.value.displays == 0 ? $0.key : nil }
    for row in left { visits[row] = nil }
    nextDeadline = visits.values.compactMap(\.start).min().map { $0 + time }
    return Pass(seen: seen, left: left)
  }

  // MARK: Shares

  /// The time of these rows counts, or would with more of them in sight.
  var unseen: [Row] {
    visits.compactMap { row, visit in
      visit.displays > 0 && (visit.start != nil || visit.isLow) ? row : nil
    }
  }

  mutating func sightChanged(of row: Row, isEnough: Bool, at now: Int64) {
    guard !isEnough else {
      visits[row]?.isLow = false
      return beginStay(of: row, at: now)
    }
    guard let start = visits[row]?.start else { return }
    if now - start >= time { return count(row) }
    visits[row]?.start = nil
    visits[row]?.isLow = true
  }

  // MARK: Covers

  /// Ends all stays.
  mutating func covered(at now: Int64) {
    guard !isCovered else { return }
    isCovered = true
    countLongStays(at: now)
    for row in visits.keys { visits[row]?.start = nil }
  }

  /// Begins new stays.
  mutating func uncovered(at now: Int64) {
    isCovered = false
    for row in rowsByStay { beginStay(of: row, at: now) }
  }

  // MARK: Forgetting

  /// The stays of rows on screen begin now.
  ///
  /// - Returns: Rows to release when the log is not being changed.
  mutating func forget(_ rows: [Row], at now: Int64) -> [Row] {
    let forgotten = rows.compactMap { seen.remove($0) }
    if seen.isEmpty { seen = [] }
    due.removeAll { !seen.contains($0) }
    for row in rows {
      visits[row]?.start = nil
      visits[row]?.isLow = false
      beginStay(of: row, at: now)
    }
    return forgotten
  }

  mutating func forgetAll(at now: Int64) -> [Row] {
    let onScreen = rowsByStay
    return forget(Array(seen.subtracting(onScreen)) + onScreen, at: now)
  }

  /// - Returns: What to release when the log is not being changed.
  mutating func rename(_ old: Row, to new: Row) -> [Any] {
    let wasSeen = seen.contains(new)
    var gone: [Any] = []
    if let seen = seen.remove(old) {
      gone.append(seen)
      self.seen.insert(new)
    }
    gone.append(due)
    due = due.compactMap { $0 == old ? (wasSeen ? nil : new) : $0 }
    if let index = visits.index(forKey: old) {
      let (name, visit) = visits.remove(at: index)
      gone.append(name)
      visits[new] = visits[new].map { visit.joined(by: $0) } ?? visit
    }
    if seen.contains(new) { visits[new]?.start = nil }
    return gone
  }

  // MARK: Stays

  private var rowsByStay: [Row] {
    visits.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  /// Unless the stay goes on, or its time does not count.
  private mutating func beginStay(of row: Row, at now: Int64) {
    guard let visit = visits[row], visit.displays > 0, visit.start == nil, !visit.isLow,
      !isCovered, !seen.contains(row)
    else { return }
    stays += 1
    visits[row]?.start = now
    visits[row]?.number = stays
  }

  private mutating func countLongStays(at now: Int64) {
    for (row, visit) in visits {
      if let start = visit.start, (visit.end ?? now) - start >= time { count(row) }
    }
  }

  private mutating func count(_ row: Row) {
    visits[row]?.start = nil
    seen.insert(row)
    due.append(row)
  }
}
