/// Whether a row may start loading while the list moves.
///
/// All times are nanoseconds on the tracker's clock.
package struct ScrollGate {
  /// The stretch of time over which appearing rows are counted.
  package static let window: Int64 = 100_000_000

  package let policy: ScrollPolicy
  package let quietTime: Int64

  package private(set) var isMoving = false
  private var lastMove: Int64 = 0
  /// How many rows appeared in each of the last passes, oldest first.
  package private(set) var appearances: [(time: Int64, count: Int)] = []
  private var appeared = 0
  package private(set) var loadTimes = LoadTimes()

  package init(policy: ScrollPolicy, quietTime: Int64) {
    self.policy = policy
    self.quietTime = quietTime
  }

  // MARK: Motion

  package mutating func moved(at now: Int64) {
    isMoving = true
    lastMove = now
  }

  package mutating func settled() { isMoving = false }

  /// When the list counts as settled if nothing more is heard of it.
  package var quietDeadline: Int64? { isMoving ? lastMove + quietTime : nil }

  // MARK: Appearing rows

  package mutating func rowsAppeared(_ count: Int, at now: Int64) {
    forgetAppearances(before: now)
    guard count > 0 else { return }
    appearances.append((now, count))
    appeared += count
  }

  private mutating func forgetAppearances(before now: Int64) {
    let stale = appearances.prefix { $0.time <= now - Self.window }
    guard !stale.isEmpty else { return }
    appeared -= stale.reduce(0) { $0 + $1.count }
    appearances.removeFirst(stale.count)
  }

  // MARK: Load times

  package mutating func loadEnded(after time: Int64) { loadTimes.add(time) }

  /// A load was cancelled: it would have taken at least this long.
  package mutating func loadCancelled(after time: Int64) {
    if time > loadTimes.median ?? 0 { loadTimes.add(time) }
  }

  // MARK: The judgement

  /// Whether a row with that claim may start now.
  ///
  /// With `.adaptive`, a row starts if it stays on screen for longer than a load takes. By Little's
  /// law the time that a row stays is the number of displayed rows over the rate at which rows
  /// appear; a row that is displayed already has spent a part of it.
  ///
  /// - Parameter displayedSince: For a displayed row, when it came on screen.
  package mutating func admits(
    _ kind: Priority.Kind, displayedSince: Int64 = 0, displayedRows: Int, at now: Int64
  ) -> Bool {
    guard isMoving else { return true }
    switch policy {
    case .immediate: return true
    case .whenSettled: return false
    case .adaptive:
      forgetAppearances(before: now)
      guard let loadTime = loadTimes.median, appeared > 0 else { return true }
      let dwell = Double(displayedRows) * Double(Self.window) / Double(appeared)
      switch kind {
      case .landing: return true
      case .displayed: return dwell - Double(now - displayedSince) >= Double(loadTime)
      case .prefetched: return dwell >= Double(loadTime)
      }
    }
  }

  /// When a judgement may turn out otherwise though nothing has happened.
  package var nextJudgement: Int64? {
    guard isMoving, policy == .adaptive else { return nil }
    return appearances.first.map { $0.time + Self.window }
  }
}
