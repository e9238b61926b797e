/// The motion of one list, from its first move until it rests.
///
/// All times are nanoseconds on the tracker's clock.
package struct ListMotion: Sendable {
  /// The window over which appearing rows are counted.
  package static let window: Int64 = 100_000_000
  /// The window for a list where few rows appear.
  static let longWindow: Int64 = 1_000_000_000
  /// The interval at which held rows are evaluated again while no row appears.
  static let reevaluationStep: Int64 = 50_000_000
  static let fewRows = 3

  /// A row on screen when the list rests.
  package struct Landing: Hashable, Sendable {
    package let row: RowID
    /// The rank of the row's landing claim, which tells the row from a later one of its number.
    package let rank: UInt64

    package init(row: RowID, rank: UInt64) {
      self.row = row
      self.rank = rank
    }
  }

  package let list: ListNumber
  package private(set) var lastMove: Int64
  /// The number of rows that appeared in each of the last passes of this motion, oldest first.
  package private(set) var appearances: [(time: Int64, count: Int)] = []
  /// Where the list lands; empty if unknown.
  package internal(set) var landing: [Landing] = []

  init(_ list: ListNumber, at now: Int64) {
    self.list = list
    lastMove = now
  }

  mutating func moved(at now: Int64) { lastMove = now }

  // MARK: Pace

  /// Counts appearing rows.
  mutating func rowsAppeared(_ count: Int, at now: Int64) {
    let stale = appearances.prefix { $0.time <= now - Self.longWindow }
    if !stale.isEmpty { appearances.removeFirst(stale.count) }
    if count > 0 { appearances.append((now, count)) }
  }

  /// Whether a row appeared within the long window.
  func rowsAppearedLately(at now: Int64) -> Bool {
    appearances.last.map { $0.time > now - Self.longWindow } ?? false
  }

  /// The rows that come on screen per nanosecond; `nil` if unknown.
  ///
  /// Fewer than three rows in the window are too few, as with two tall cells on screen. Then the
  /// last three rows of the long window count. The rows of a single pass are no pace, however many
  /// they are: the list may have jumped there, and rests now.
  func pace(at now: Int64) -> Double? {
    var (rows, passes) = (0, 0)
    var oldest: (time: Int64, count: Int)?
    for appearance in appearances.reversed() {
      guard appearance.time > now - Self.longWindow else { break }
      let isRecent = appearance.time > now - Self.window
      guard isRecent || rows < Self.fewRows || passes < 2 else { break }
      oldest = appearance
      rows += appearance.count
      passes += 1
    }
    guard let oldest, passes > 1 else { return nil }
    if oldest.time > now - Self.window {
      return rows >= Self.fewRows ? Double(rows) / Double(Self.window) : nil
    }
    return Double(rows - oldest.count) / Double(now - oldest.time)
  }

  /// The time at which the pace changes without an input.
  ///
  /// It falls on regular steps after the newest appearance and on the moment when the oldest one
  /// leaves the window.
  func nextReevaluation(after time: Int64) -> Int64? {
    guard let newest = appearances.last?.time else { return nil }
    let step = newest + (max(time - newest, 0) / Self.reevaluationStep + 1) * Self.reevaluationStep
    let oldest = appearances.first { $0.time > time - Self.window }?.time
    let next = min(step, oldest.map { $0 + Self.window } ?? step)
    return next <= newest + Self.longWindow ? next : nil
  }
}
