import Foundation
import RowOperations
import RowOperationsTesting

/// The order in which rows get slots.
extension NaiveTracker {
  func claimRank(_ row: Int) -> (Int, Int, Int)? {
    if landing.contains(row) { return (0, 0, landingRank[row] ?? 0) }
    if displayedRows.contains(row), let order = displayOrder[row] {
      return (1, isMoving ? -order.pass : order.pass, order.rank)
    }
    if isPrefetched(row), let order = prefetchRank[row] {
      return (2, order.hasIndex ? 1 : 0, order.rank)
    }
    return nil
  }

  func isAdmitted(_ row: Int) -> Bool {
    guard !isSuspended, let claimRank = claimRank(row) else { return false }
    if claimRank.0 == 2, prefetchingRuns >= slots - 1 { return false }
    guard isMoving, settings.scrollPolicy != .immediate else { return true }
    guard settings.scrollPolicy == .adaptive else { return false }
    guard claimRank.0 > 0, let loadTime, let left = timeLeft(row) else { return true }
    return left >= loadTime
  }

  /// Whether a displayed row stays on screen for four median loads of at least 5 ms.
  func isStaying(_ row: Int) -> Bool {
    let times = loadTimes.filter { $0 >= 5_000_000 }.suffix(15).sorted()
    guard !times.isEmpty else { return false }
    guard isMoving, let left = timeLeft(row) else { return true }
    return left >= 4 * times[(times.count - 1) / 2]
  }

  /// The remaining time of a row on screen, at the pace at which rows appeared in this scroll.
  ///
  /// A row stays for good if its dwell reaches the time constant of a fling.
  func timeLeft(_ row: Int) -> Double? {
    let moves = appearances.filter {
      $0.count > 0 && $0.time > now - 1_000_000_000
    }
    let recent = moves.filter { $0.time > now - 100_000_000 }
    var (rows, time) = (recent.reduce(0) { $0 + $1.count }, Int64(100_000_000))
    if rows < 3 {
      guard
        let first = moves.indices.last(where: { start in
          moves[start].time <= now - 100_000_000
            && (start == 0 || moves[start...].reduce(0) { $0 + $1.count } >= 3)
        })
      else { return nil }
      rows = moves[(first + 1)...].reduce(0) { $0 + $1.count }
      time = now - moves[first].time
    }
    guard rows > 0 else { return nil }
    let dwell = Double(displayedRowsBefore.count) * Double(time) / Double(rows)
    let age = claimRank(row)?.0 == 1 ? Double(now - (displayOrder[row]?.since ?? 0)) : 0
    let constant = 499_500_000.0
    return dwell >= constant ? .infinity : -constant * log(1 - dwell / constant) - age
  }

  /// The median of the last fifteen load times.
  var loadTime: Double? {
    let times = loadTimes.suffix(15).sorted()
    return times.isEmpty ? nil : times[(times.count - 1) / 2]
  }

  mutating func recordLoadTime(_ time: Double) { loadTimes.append(time) }

  var prefetchingRuns: Int { runs.keys.count { claimRank($0)?.0 == 2 } }

  /// The strongest claim that can load now.
  ///
  /// While the list moves, displayed rows of older passes have less time left than the newest row,
  /// and are held back with it.
  var candidate: Int? {
    let waiting = knownRows.filter { mayStart($0) && wantsLoad($0) }
      .compactMap { row in claimRank(row).map { (row, $0) } }
      .sorted { $0.1 < $1.1 }
    if let first = waiting.first(where: { $0.1.0 == 1 })?.0, waiting.first?.1.0 == 0,
      isStaying(first), isAdmitted(first)
    {
      return first
    }
    for kind in 0...2 {
      guard let first = waiting.first(where: { $0.1.0 == kind }) else { continue }
      if isAdmitted(first.0) { return first.0 }
    }
    return nil
  }

  /// Whether the strongest claim is more than a prefetch, so that unclaimed loads give way to it.
  var candidateIsOnScreen: Bool {
    candidate.flatMap { claimRank($0) }.map { $0.0 < 2 } ?? false
  }

  var weakestRunningPrefetch: Int? {
    runs.keys.compactMap { row in claimRank(row).map { (row, $0) } }.filter { $0.1.0 == 2 }
      .max { $0.1 < $1.1 }?.0
  }

  var hasFreeSlot: Bool { runs.count + max(lingering.count - slots, 0) < slots }

  var wouldGainByCancelling: Bool {
    runs.count - 1 + max(lingering.count + 1 - slots, 0) < slots
  }
}
