/// Decides whether a row may start loading while the list moves.
///
/// All times are nanoseconds on the tracker's clock.
package struct ScrollGate {
  /// The window over which appearing rows are counted.
  package static let window: Int64 = 100_000_000
  /// The window for a list where few rows appear.
  package static let longWindow: Int64 = 1_000_000_000
  /// The interval at which held rows are evaluated again while no row appears.
  package static let reevaluationStep: Int64 = 50_000_000
  package static let fewRows = 3
  /// Shorter loads come from a cache and do not count as loads.
  package static let shortestLoad: Int64 = 5_000_000

  /// The rule for rows that may start while the list moves.
  package enum Policy: Hashable, Sendable {
    /// A row starts if it stays on screen for at least half the time of a load.
    case adaptive
    case whenSettled
    case immediate
  }

  package let policy: Policy
  package let quietTime: Int64

  package private(set) var isMoving = false
  private var lastMove: Int64 = 0
  /// The number of rows that appeared in each of the last passes of this scroll, oldest first.
  package private(set) var appearances: [(time: Int64, count: Int)] = []
  package private(set) var loadTimes = LoadTimes()
  /// The times of the last loads above `shortestLoad`, as a ring buffer.
  private var slowLoads: [Int64] = []
  private var oldestSlowLoad = 0

  package init(policy: Policy, quietTime: Int64) {
    self.policy = policy
    self.quietTime = quietTime
  }

  // MARK: Motion

  package mutating func moved(at now: Int64) {
    if !isMoving { appearances.removeAll(keepingCapacity: true) }
    isMoving = true
    lastMove = now
  }

  package mutating func settled() { isMoving = false }

  /// The time at which the list counts as settled unless it moves again.
  package var quietDeadline: Int64? { isMoving ? lastMove + quietTime : nil }

  // MARK: Appearing rows

  /// Counts appearing rows.
  ///
  /// Rows that appear at rest do not reveal the pace.
  package mutating func rowsAppeared(_ count: Int, at now: Int64) {
    guard isMoving else { return }
    let stale = appearances.prefix { $0.time <= now - Self.longWindow }
    if !stale.isEmpty { appearances.removeFirst(stale.count) }
    if count > 0 { appearances.append((now, count)) }
  }

  /// The rows that come on screen per nanosecond; `nil` if unknown.
  ///
  /// Fewer than three rows in the window are too few, as with two tall cells on screen. Then the
  /// last three rows of the long window count. The rows of a single pass are no pace, however many
  /// they are: the list may have jumped there, and rests now.
  private func pace(at now: Int64) -> Double? {
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

  /// The rows that come on screen per second.
  package func rate(at now: Int64) -> Double { isMoving ? (pace(at: now) ?? 0) * 1e9 : 0 }

  /// The way that the list still has before it, by the pace at which rows appear.
  package func course(at now: Int64) -> Course? { pace(at: now).map { Course(pace: $0) } }

  // MARK: Load times

  package mutating func loadEnded(after time: Int64) {
    loadTimes.add(time)
    guard time >= Self.shortestLoad else { return }
    guard slowLoads.count == LoadTimes.count else { return slowLoads.append(time) }
    slowLoads[oldestSlowLoad] = time
    oldestSlowLoad = (oldestSlowLoad + 1) % LoadTimes.count
  }

  /// The median of the last loads above `shortestLoad`.
  ///
  /// Sorts on each call, since calls are rare.
  package var slowLoadTime: Int64? {
    slowLoads.isEmpty ? nil : slowLoads.sorted()[(slowLoads.count - 1) / 2]
  }

  /// Adds a cancelled load, which would have taken at least this long.
  package mutating func loadCancelled(after time: Int64) {
    if time > loadTimes.median ?? 0 { loadEnded(after: time) }
  }

  /// The running time after which a prefetched load yields its slot to a displayed row.
  package var hangTime: Int64 { loadTimes.median.map { $0 * 2 } ?? 500_000_000 }

  // MARK: Decisions

  /// Whether the policy holds a row back that is on screen for that time.
  ///
  /// `.adaptive` holds a row back that leaves before half a load could end. It starts one that
  /// leaves a little before the end of its load, since the list may stop earlier than expected.
  package func holds(_ visit: Visit) -> Bool {
    guard isMoving else { return false }
    switch policy {
    case .immediate: return false
    case .whenSettled: return true
    case .adaptive: return loadTimes.median.map { visit.end < Double($0) / 2 } ?? false
    }
  }

  /// The time at which a decision may change without an input.
  ///
  /// It falls on regular steps after the newest appearance and on the moment when the oldest one
  /// leaves the window.
  package func nextReevaluation(after time: Int64) -> Int64? {
    guard isMoving, policy == .adaptive, let newest = appearances.last?.time else { return nil }
    let step = newest + (max(time - newest, 0) / Self.reevaluationStep + 1) * Self.reevaluationStep
    let oldest = appearances.first { $0.time > time - Self.window }?.time
    let next = min(step, oldest.map { $0 + Self.window } ?? step)
    return next <= newest + Self.longWindow ? next : nil
  }
}
