/// Decides which rows have been on screen for long enough to count as seen, each once.
///
/// A row's stay lasts while a cell shows it. A stay goes on if the row leaves and comes back within
/// one pass, as in a reload. It ends when the list is covered, and a new one begins when
/// the list is uncovered.
///
/// Rows are small numbers. The log keeps one for each row on screen and for each impression.
///
/// **Cost**: O(1) for each event, O(rows on screen) when the list is covered or uncovered.
struct ImpressionLog: Sendable {
  /// A row that is on screen, or that was seen.
  struct Visit: Sendable {
    enum Stay: Hashable, Sendable {
      /// On screen, in a list that is not covered.
      case visible(since: Int64)
      /// No cell shows the row any more. It may come back in the same pass.
      case ended(since: Int64, until: Int64)
      /// The list is covered, or was when the last cell left.
      case covered
      /// The row has been seen, and stays known.
      case seen
    }

    /// How many cells on screen show the row.
    var displays = 1
    var stay = Stay.covered
  }

  /// The results of a pass.
  struct Pass: Hashable, Sendable {
    /// The rows that count as seen from now on, the longest stay first.
    var impressions: [ID<Visit>] = []
    /// The numbers that stand for no row any more.
    var forgotten: [ID<Visit>] = []
  }

  private enum Line: Int8, CaseIterable {
    /// Rows with a stay that lasts or has ended in this pass, in the order in which stays began.
    case visible
    case covered
    /// Rows that were seen and are reported when the pass ends.
    case due
  }

  /// How long a row has to stay, in nanoseconds.
  private let time: Int64
  private var visits = Slab<Visit>()
  private var lines = LinkedLists<Visit, Line>()
  /// The rows that the last cell has left in this pass.
  private var left: [ID<Visit>] = []
  private var isCovered = false

  init(time: Int64) { self.time = time }

  /// How many rows it knows.
  var count: Int { visits.count }

  /// When a row on screen will count as seen.
  var nextDeadline: Int64? { lines.first(in: .visible).flatMap(start).map { $0 + time } }

  // MARK: Events

  /// A row that is not known came on screen.
  ///
  /// - Returns: Its number.
  mutating func rowAppeared(at now: Int64) -> ID<Visit> {
    let row = visits.insert(Visit())
    beginStay(of: row, at: now)
    return row
  }

  /// A cell that shows a known row came on screen.
  mutating func displayed(_ row: ID<Visit>, at now: Int64) {
    visits[row].displays += 1
    switch visits[row].stay {
    case .ended(let since, _): visits[row].stay = .visible(since: since)
    case .covered: if !isCovered, visits[row].displays == 1 { beginStay(of: row, at: now) }
    case .visible, .seen: break
    }
  }

  /// A cell that shows a known row left the screen.
  mutating func endedDisplaying(_ row: ID<Visit>, at now: Int64) {
    guard visits[row].displays > 0 else { return }
    visits[row].displays -= 1
    guard visits[row].displays == 0 else { return }
    switch visits[row].stay {
    case .visible(let since):
      visits[row].stay = .ended(since: since, until: now)
      left.append(row)
    case .covered: left.append(row)
    case .ended, .seen: break
    }
  }

  /// The user cannot see the list any more.
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

  /// The user sees the list again.
  mutating func uncovered(at now: Int64) {
    guard isCovered else { return }
    isCovered = false
    for row in Array(lines.elements(in: .covered)) where visits[row].displays > 0 {
      beginStay(of: row, at: now)
    }
  }

  /// The pass ends: rows without a cell have left.
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

  /// The row has not been seen; if it is on screen, it is as if it came on screen now.
  ///
  /// - Returns: Whether the number stands for no row any more.
  mutating func forgetImpression(of row: ID<Visit>, at now: Int64) -> Bool {
    guard visits.contains(row) else { return false }
    guard visits[row].displays == 0 else {
      beginStay(of: row, at: now)
      return false
    }
    _ = forget(row)
    return true
  }

  /// No row has been seen.
  ///
  /// O(rows).
  ///
  /// - Returns: The numbers that stand for no row any more.
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
    case .covered, .seen: nil
    }
  }

  private func isLongEnough(_ stay: Visit.Stay, at now: Int64) -> Bool {
    switch stay {
    case .visible(let since): now - since >= time
    case .ended(let since, let until): until - since >= time
    case .covered, .seen: false
    }
  }
}
