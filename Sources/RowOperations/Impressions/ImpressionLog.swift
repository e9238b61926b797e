/// Decides when rows count as seen, once each, by their time on screen.
///
/// A stay lasts while a cell shows the row, and goes on if the row returns within one pass, as in a
/// reload. A cover ends it.
///
/// The log keeps a small number for each row on screen and for each impression.
///
/// **Cost**: O(1) for each event, O(rows on screen) for a cover.
struct ImpressionLog: Sendable {
  /// A row that is on screen or was seen.
  struct Visit: Sendable {
    enum Stay: Hashable, Sendable {
      /// In a list that is not covered.
      case visible(since: Int64)
      /// The row may return in the same pass.
      case ended(since: Int64, until: Int64)
      /// The list is covered, or was as the last cell left.
      case covered
      /// Too little of the row is in sight.
      case low
      case seen
    }

    /// Cells on screen that show the row.
    var displays = 1
    var stay = Stay.covered
  }

  struct Pass: Hashable, Sendable {
    /// Seen from now on, longest stay first.
    var impressions: [ID<Visit>] = []
    /// Numbers that are free again.
    var forgotten: [ID<Visit>] = []
  }

  private enum Line: Int8, CaseIterable {
    /// With stays of this pass, in the order of starts.
    case visible
    case covered
    case low
    /// To report at the end of the pass.
    case due
  }

  /// A stay of these nanoseconds counts as seen.
  private let time: Int64
  private var visits = Slab<Visit, Visit>()
  private var lines = LinkedLists<Visit, Line>()
  /// Without a cell since this pass.
  private var left: [ID<Visit>] = []
  private var isCovered = false

  init(time: Int64) { self.time = time }

  var count: Int { visits.count }

  /// When the next row on screen counts as seen.
  var nextDeadline: Int64? { lines.first(in: .visible).flatMap(start).map { $0 + time } }

  // MARK: Events

  /// An unknown row came on screen.
  ///
  /// - Returns: Its number.
  mutating func rowAppeared(at now: Int64) -> ID<Visit> {
    let row = visits.insert(Visit())
    beginStay(of: row, at: now)
    return row
  }

  mutating func displayed(_ row: ID<Visit>, at now: Int64) {
    visits[row].displays += 1
    switch visits[row].stay {
    case .ended(let since, _): visits[row].stay = .visible(since: since)
    // Uncovered rows on screen have other stays, so this is the row's first cell.
    case .covered: if !isCovered { beginStay(of: row, at: now) }
    case .visible, .low, .seen: break
    }
  }

  mutating func endedDisplaying(_ row: ID<Visit>, at now: Int64) {
    guard visits[row].displays > 0 else { return }
    visits[row].displays -= 1
    guard visits[row].displays == 0 else { return }
    switch visits[row].stay {
    case .visible(let since):
      visits[row].stay = .ended(since: since, until: now)
      left.append(row)
    case .covered, .low: left.append(row)
    case .ended, .seen: break
    }
  }

  /// Their time counts, or would with more of them in sight.
  var unseen: [ID<Visit>] {
    Array(lines.elements(in: .visible)) + Array(lines.elements(in: .low))
  }

  /// For the stay of a row.
  mutating func sightChanged(of row: ID<Visit>, isEnough: Bool, at now: Int64) {
    switch visits[row].stay {
    case .visible(let since) where !isEnough:
      if now - since >= time {
        markAsSeen(row)
      } else {
        visits[row].stay = .low
        lines.append(row, to: .low)
      }
    case .low where isEnough: beginStay(of: row, at: now)
    case .visible, .ended, .covered, .low, .seen: break
    }
  }

  /// Ends all stays.
  mutating func covered(at now: Int64) {
    guard !isCovered else { return }
    isCovered = true
    while let row = lines.first(in: .visible) {
      if isLongEnough(visits[row].stay, at: now) {
        markAsSeen(row)
      } else {
        visits[row].stay = .covered
        lines.append(row, to: .covered)
      }
    }
  }

  /// Begins new stays.
  mutating func uncovered(at now: Int64) {
    guard isCovered else { return }
    isCovered = false
    for row in Array(lines.elements(in: .covered)) where visits[row].displays > 0 {
      beginStay(of: row, at: now)
    }
  }

  /// Rows without a cell have left.
  mutating func passEnded(at now: Int64) -> Pass {
    var pass = Pass()
    while let row = lines.first(in: .visible), let since = start(of: row), now - since >= time {
      if isLongEnough(visits[row].stay, at: now) {
        markAsSeen(row)
      } else {
        pass.forgotten.append(forget(row))
      }
    }
    for row in left where visits.contains(row) && visits[row].displays == 0 {
      if visits[row].stay != .seen { pass.forgotten.append(forget(row)) }
    }
    left.emptyForReuse()
    while let row = lines.first(in: .due) {
      lines.remove(row)
      pass.impressions.append(row)
    }
    return pass
  }

  // MARK: Forgetting

  /// The stay of a row on screen begins now.
  ///
  /// - Returns: Whether the number is free again.
  mutating func forgetImpression(of row: ID<Visit>, at now: Int64) -> Bool {
    guard visits.contains(row) else { return false }
    guard visits[row].displays == 0 else {
      beginStay(of: row, at: now)
      return false
    }
    _ = forget(row)
    return true
  }

  /// O(rows).
  ///
  /// - Returns: The numbers that are free again.
  mutating func forgetAll(at now: Int64) -> [ID<Visit>] {
    Array(visits.ids).filter { forgetImpression(of: $0, at: now) }
  }

  private mutating func forget(_ row: ID<Visit>) -> ID<Visit> {
    lines.remove(row)
    visits.remove(row)
    if visits.count == 0 { lines.releaseMemory() }
    return row
  }

  // MARK: Stays

  private mutating func beginStay(of row: ID<Visit>, at now: Int64) {
    visits[row].stay = isCovered ? .covered : .visible(since: now)
    lines.append(row, to: isCovered ? .covered : .visible)
  }

  private mutating func markAsSeen(_ row: ID<Visit>) {
    visits[row].stay = .seen
    lines.append(row, to: .due)
  }

  private func start(of row: ID<Visit>) -> Int64? {
    switch visits[row].stay {
    case .visible(let since), .ended(let since, _): since
    case .covered, .low, .seen: nil
    }
  }

  private func isLongEnough(_ stay: Visit.Stay, at now: Int64) -> Bool {
    switch stay {
    case .visible(let since): now - since >= time
    case .ended(let since, let until): until - since >= time
    case .covered, .low, .seen: false
    }
  }
}
