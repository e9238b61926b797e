/// The motion of one list until it rests, with times in nanoseconds.
struct ListMotion: Sendable {
  /// The window over which appearing rows are counted.
  static let window: Int64 = 100_000_000
  /// For a list where few rows appear.
  static let longWindow: Int64 = 1_000_000_000
  static let fewRows = 3

  let list: ListNumber
  private(set) var lastMove: Int64
  /// The rows that appeared in each of the last passes of this motion, oldest first.
  private(set) var appearances: [(time: Int64, count: Int)] = []
  /// Empty if unknown.
  var landing: [RowID] = []

  init(_ list: ListNumber, at now: Int64) {
    self.list = list
    lastMove = now
  }

  mutating func moved(at now: Int64) { lastMove = now }

  // MARK: Pace

  mutating func rowsAppeared(_ count: Int, at now: Int64) {
    let half = appearances.count / 2
    if half > 0, appearances[half - 1].time <= now - Self.longWindow {
      appearances.removeFirst(half)
    }
    if count > 0 { appearances.append((now, count)) }
  }

  /// Rows per nanosecond; `nil` if unknown.
  ///
  /// With fewer than three rows in the window, as of tall cells, the last three of the long window
  /// count. A single pass is no pace: the list may have jumped there.
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
}
