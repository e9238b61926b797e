import Foundation

/// Whether a row may start loading while the list moves.
///
/// All times are nanoseconds on the tracker's clock.
package struct ScrollGate {
  /// The stretch of time over which appearing rows are counted.
  package static let window: Int64 = 100_000_000
  /// The stretch where few rows appear.
  package static let longWindow: Int64 = 1_000_000_000
  /// How often a row that is held back is judged again while no row appears.
  package static let reevaluationStep: Int64 = 50_000_000
  package static let fewRows = 3
  /// `-1 / ln 0.998` milliseconds.
  package static let timeConstant = 499_500_000.0
  /// What takes less comes from a cache, and says nothing of loads.
  package static let shortestLoad: Int64 = 5_000_000

  package let policy: ScrollPolicy
  package let quietTime: Int64

  package private(set) var isMoving = false
  private var lastMove: Int64 = 0
  /// How many rows appeared in each of the last passes since the list moves, oldest first.
  package private(set) var appearances: [(time: Int64, count: Int)] = []
  package private(set) var loadTimes = LoadTimes()
  /// The last loads that took longer than a look into a cache, a ring.
  private var slowLoads: [Int64] = []
  private var oldestSlowLoad = 0

  package init(policy: ScrollPolicy, quietTime: Int64) {
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

  /// When the list counts as settled if nothing more is heard of it.
  package var quietDeadline: Int64? { isMoving ? lastMove + quietTime : nil }

  // MARK: Appearing rows

  /// Rows that come on screen while the list rests say nothing of its pace.
  package mutating func rowsAppeared(_ count: Int, at now: Int64) {
    guard isMoving else { return }
    let stale = appearances.prefix { $0.time <= now - Self.longWindow }
    if !stale.isEmpty { appearances.removeFirst(stale.count) }
    if count > 0 { appearances.append((now, count)) }
  }

  /// How many rows come on screen in a nanosecond since the list moves; `nil` if that is not known.
  ///
  /// Fewer than three rows in the window say little, as with two tall cells on screen. Then the
  /// last three rows of the long window count.
  private func pace(at now: Int64) -> Double? {
    var rows = 0
    var oldest: (time: Int64, count: Int)?
    for appearance in appearances.reversed() {
      guard appearance.time > now - Self.longWindow else { break }
      let isRecent = appearance.time > now - Self.window
      guard isRecent || rows < Self.fewRows else { break }
      oldest = appearance
      rows += appearance.count
    }
    guard let oldest else { return nil }
    if oldest.time > now - Self.window {
      return rows >= Self.fewRows ? Double(rows) / Double(Self.window) : nil
    }
    return rows > oldest.count ? Double(rows - oldest.count) / Double(now - oldest.time) : nil
  }

  /// How many rows come on screen in a second.
  package func rate(at now: Int64) -> Double { isMoving ? (pace(at: now) ?? 0) * 1e9 : 0 }

  /// How long a row stays on screen; `nil` if no row has appeared lately.
  ///
  /// By Little's law that is the number of rows on screen over the rate at which rows appear, at
  /// this pace. A list that decelerates as ``Deceleration/normal`` loses its pace with a time
  /// constant of half a second; integrated, a row that takes `d` at this pace takes `-τ ln(1 - d /
  /// τ)`, and one with `d >= τ` stays.
  private func dwell(_ displayedRows: Int, at now: Int64) -> Double? {
    guard let pace = pace(at: now) else { return nil }
    let dwell = Double(displayedRows) / pace
    let time = Self.timeConstant
    return dwell < time ? -time * log(1 - dwell / time) : .infinity
  }

  // MARK: Load times

  package mutating func loadEnded(after time: Int64) {
    loadTimes.add(time)
    guard time >= Self.shortestLoad else { return }
    guard slowLoads.count == LoadTimes.count else { return slowLoads.append(time) }
    slowLoads[oldestSlowLoad] = time
    oldestSlowLoad = (oldestSlowLoad + 1) % LoadTimes.count
  }

  /// The median of the last loads that took longer than a look into a cache.
  ///
  /// Sorted when it is asked for, which is rare.
  package var slowLoadTime: Int64? {
    slowLoads.isEmpty ? nil : slowLoads.sorted()[(slowLoads.count - 1) / 2]
  }

  /// A load was cancelled: it would have taken at least this long.
  package mutating func loadCancelled(after time: Int64) {
    if time > loadTimes.median ?? 0 { loadEnded(after: time) }
  }

  /// After how long a prefetched load gives its slot to a row on screen.
  package var hangTime: Int64 { loadTimes.median.map { $0 * 2 } ?? 500_000_000 }

  // MARK: The judgement

  /// Whether a row with that claim may start now.
  ///
  /// With `.adaptive`, a row starts if it stays on screen for longer than a load takes. A row that
  /// is displayed already has spent a part of that time.
  ///
  /// - Parameter displayedSince: For a displayed row, when it came on screen.
  package func admits(
    _ kind: Priority.Kind, displayedSince: Int64 = 0, displayedRows: Int, at now: Int64
  ) -> Bool {
    guard isMoving else { return true }
    switch policy {
    case .immediate: return true
    case .whenSettled: return false
    case .adaptive:
      guard let loadTime = loadTimes.median, let dwell = dwell(displayedRows, at: now) else {
        return true
      }
      switch kind {
      case .landing: return true
      case .staying, .displayed: return dwell - Double(now - displayedSince) >= Double(loadTime)
      case .prefetched: return dwell >= Double(loadTime)
      }
    }
  }

  /// Why a row is held back now: how long it stays on screen, and how long loads take.
  ///
  /// `nil` if it is not held back, or by a policy that does not reckon with times.
  package func reasonToHold(
    displayedSince: Int64, displayedRows: Int, at now: Int64
  ) -> (dwell: Int64, load: Int64)? {
    guard policy == .adaptive, let loadTime = loadTimes.median,
      let dwell = dwell(displayedRows, at: now), dwell < .infinity
    else { return nil }
    return (max(Int64(dwell) - (now - displayedSince), 0), loadTime)
  }

  /// Whether a displayed row stays on screen for so many loads that it goes before the rows that
  /// the list lands on.
  package func isStaying(displayedSince: Int64, displayedRows: Int, at now: Int64) -> Bool {
    guard let loadTime = slowLoadTime else { return false }
    guard isMoving, let dwell = dwell(displayedRows, at: now) else { return true }
    return dwell - Double(now - displayedSince) >= 4 * Double(loadTime)
  }

  /// When a judgement may turn out otherwise though nothing has happened since a time.
  ///
  /// At regular steps after the newest appearance, and when the oldest one leaves the window.
  package func nextReevaluation(after time: Int64) -> Int64? {
    guard isMoving, policy == .adaptive, let newest = appearances.last?.time else { return nil }
    let step = newest + (max(time - newest, 0) / Self.reevaluationStep + 1) * Self.reevaluationStep
    let oldest = appearances.first { $0.time > time - Self.window }?.time
    let next = min(step, oldest.map { $0 + Self.window } ?? step)
    return next <= newest + Self.longWindow ? next : nil
  }
}
