import Foundation
import RowOperationsTesting

@testable import RowOperations

/// Which waiting row loads next, and which running load gives its slot.
extension NaiveTracker {
  /// The kind of a row's claim, and its rank among those of its kind.
  func claimRank(_ row: Int) -> (Int, Int, Int)? {
    if displayedRows.contains(row), let order = displayOrder[row] { return (0, 0, order.rank) }
    if landing.contains(row) { return (1, 0, landingRank[row] ?? 0) }
    if let rank = expected[row] { return (2, 1, rank) }
    return prefetched.firstIndex(of: row).map { (2, 0, -$0) }
  }

  func isAdmitted(_ row: Int) -> Bool {
    guard !isSuspended, claimRank(row) != nil, !isHeld(row) else { return false }
    let stay = stay(row)
    guard stay.isInMotion, settings.scrollPolicy != .immediate else { return true }
    guard settings.scrollPolicy == .adaptive else { return false }
    guard let loadTime else { return true }
    return stay.end >= loadTime / 2
  }

  // MARK: Visits

  /// The pace of rows that no window holds.
  private var commonPace: Double? {
    if motions[0] != nil { return pace(of: 0) }
    return motions.keys.sorted().compactMap { pace(of: $0) }.first
  }

  /// The rows of a list that come on screen per nanosecond, as they appeared in its motion.
  private func pace(of list: Int) -> Double? {
    let moves = (motions[list]?.appearances ?? []).filter {
      $0.count > 0 && $0.time > now - 1_000_000_000
    }
    let recent = moves.filter { $0.time > now - 100_000_000 }
    var (rows, time) = (recent.reduce(0) { $0 + $1.count }, Int64(100_000_000))
    if rows < 3 || recent.count < 2 {
      guard
        let first = moves.indices.last(where: { start in
          moves[start].time <= now - 100_000_000
            && (start == 0
              || start < moves.count - 1 && moves[start...].reduce(0) { $0 + $1.count } >= 3)
        })
      else { return nil }
      rows = moves[(first + 1)...].reduce(0) { $0 + $1.count }
      time = now - moves[first].time
    }
    return rows > 0 ? Double(rows) / Double(time) : nil
  }

  /// The time after which a list with so many rows before it has passed some of them.
  private func time(toPass rows: Double, of way: Double) -> Double {
    if rows <= 0 { return 0 }
    return rows < way ? 499_500_000 * (log(way) - log(way - rows)) : .infinity
  }

  /// When a row is on screen, from now on, and whether its list moves.
  typealias Stay = (begin: Double, end: Double, isInMotion: Bool)

  func stay(_ row: Int) -> Stay {
    var stay: Stay = (.infinity, .infinity, isMoving)
    let places = isMoving ? staysInWindows(row) : []
    let first = places.min {
      ($0.begin, -$0.end, $0.isInMotion ? 1 : 0)
        < ($1.begin, -$1.end, $1.isInMotion ? 1 : 0)
    }
    if let first {
      stay = first
    } else if let pace = commonPace {
      let screen = Double(displayedRowsBefore.count)
      let way = pace * 499_500_000
      let passed = Double(appearedCount - (prefetchedAfter[row] ?? 0))
      switch claimRank(row)?.0 {
      case 0:
        let age = Double(now - (displayOrder[row]?.since ?? 0))
        stay.end = max(time(toPass: screen, of: way) - age, 0)
      case 1: stay.begin = time(toPass: way - screen, of: way)
      default:
        stay.begin = time(toPass: max(screen - passed, 1), of: way)
        stay.end = time(toPass: max(screen - passed, 1) + screen, of: way)
      }
    }
    if displayedRows.contains(row) { stay.begin = 0 }
    if landing.contains(row) { stay.end = .infinity }
    return stay
  }

  private func staysInWindows(_ row: Int) -> [Stay] {
    windows.flatMap { window in
      window.held.filter { window.rows[$0]?.contains(row) == true }
        .compactMap { place in
          if let motion = motions[window.list] {
            // A section that scrolls by itself brings no rows while its list moves.
            let isAway = window.key.section != nil && !displayedRows.contains(row)
            return isAway ? (.infinity, .infinity, true) : stay(at: place, in: window, motion)
          }
          if window.shown.contains(place), displayedRows.contains(row) {
            return (0, .infinity, false)
          }
          return landing.contains(row) ? nil : (.infinity, .infinity, false)
        }
    }
  }

  private func stay(at place: Int, in window: NaiveWindow, _ motion: Motion) -> Stay {
    let landing = landing
    let places =
      motion.landing.isEmpty
      ? []
      : window.held.filter { place in
        window.rows[place]?.contains { landing.contains($0) } == true
      }
    let (top, bottom) = (window.shown.lowerBound, window.shown.upperBound - 1)
    var (isDown, way) = (window.isForward, pace(of: window.list).map { $0 * 499_500_000 })
    if let first = places.min(), let last = places.max() {
      let (down, up) = (last - bottom, top - first)
      (isDown, way) = (down == up ? isDown : down > up, Double(max(down, up, 0)))
    }
    let entry = Double(isDown ? place - bottom : top - place) - 0.5
    let exit = entry + Double(window.shown.count)
    guard let way, exit > 0 else { return (.infinity, .infinity, true) }
    return (time(toPass: entry, of: way), time(toPass: exit, of: way), true)
  }

  // MARK: Urgency

  /// The next wait for a slot.
  var wait: Double {
    let load = expectedTime
    let due = waiting.count { stay($0).begin <= 2 * load }
    let places = slots * max(settings.batchSize, 1)
    return load * max((Double(due) / Double(places)).rounded(.up), 1)
  }

  /// The share of the next wait for a slot for which a row would be blank.
  ///
  /// - Parameter elapsed: How long its load has run already.
  func urgency(_ row: Int, _ wait: Double, elapsed: Double = 0) -> Double {
    let load = expectedTime
    let stay = stay(row)
    if elapsed == 0, stay.begin <= load, stay.end >= wait + load { return 1 }
    return (min(wait + load, stay.end) - max(load - elapsed, 0, stay.begin)) / wait
  }

  var waiting: [Int] {
    knownRows.filter { mayStart($0) && wantsLoad($0) && claimRank($0) != nil }
  }

  /// The rows that may load next: the most urgent one, and those that are as urgent but for a
  /// rounding error.
  ///
  /// Of rows with the same visit, only the first may load.
  var candidates: [Int] {
    let wait = wait
    let admitted = waiting.filter { isAdmitted($0) }
    let able = admitted.filter { !isFull(lane($0)) || loads.contains(where: isWeakest(for: $0)) }
    guard let most = able.map({ urgency($0, wait) }).max() else { return [] }
    let urgent = able.filter { isEqual(urgency($0, wait), most) }
    if gathersRiders(admitted) { return [] }
    return urgent.filter { row in
      !urgent.contains { stay($0) == stay(row) && goesBefore($0, row) }
    }
  }

  /// Whether the next batch waits for further rows, since even the one after it brings all rows
  /// before they are on screen.
  private func gathersRiders(_ admitted: [Int]) -> Bool {
    guard settings.batchSize > waiting.count, settings.scrollPolicy == .adaptive,
      commonPace != nil
    else { return false }
    let end = wait + expectedTime + 50_000_000
    return admitted.allSatisfy { row in
      let stay = stay(row)
      return claimRank(row)?.0 == 2 && part(of: row) == 0 && stay.isInMotion && stay.begin > end
    }
  }

  /// Displayed rows go first, then prefetched ones, then landing ones.
  private func goesBefore(_ a: Int, _ b: Int) -> Bool {
    guard var first = claimRank(a), var second = claimRank(b) else { return false }
    (first.0, second.0) = ((3 - first.0) % 3, (3 - second.0) % 3)
    return first < second
  }

  func isEqual(_ a: Double, _ b: Double) -> Bool { a == b || abs(a - b) < 1e-9 }

  /// The urgency of the most urgent row, if it loses time by waiting, so that another load may give
  /// way to it.
  var greatestNeed: Double? {
    let wait = wait
    return candidates.map { urgency($0, wait) }.max().flatMap { $0 > 0 ? $0 : nil }
  }

  // MARK: Yielding

  /// The strongest claim of a load's rows.
  func rank(_ load: Load) -> (Int, Int, Int)? {
    load.members.compactMap { claimRank($0) }.min { $0 < $1 }
  }

  /// The loss of a load if it gives its slot away and waits for another one.
  private func loss(_ load: Load) -> Double {
    let (wait, elapsed) = (wait, Double(now - load.startedAt))
    return load.members.filter { mayStart($0) }
      .map { urgency($0, wait, elapsed: elapsed) }.max() ?? -.infinity
  }

  /// The running prefetches that lose least, and that give way to a row with this urgency.
  func leastPrefetches(of loads: [Load], yieldingTo need: Double) -> [Load] {
    let running = loads.filter { rank($0)?.0 == 2 && $0.pass < pass }.map { ($0, loss($0)) }
    guard let least = running.map(\.1).min(), least + 0.5 <= need + 1e-9 else { return [] }
    let equals = running.filter { isEqual($0.1, least) }
    return equals.filter { load, loss in
      !equals.contains { other, otherLoss in
        otherLoss == loss && rank(other) ?? (3, 0, 0) > rank(load) ?? (3, 0, 0)
      }
    }.map(\.0)
  }

  /// Whether a load gives way first to a row, which in a full lane is a load of the lane.
  func isWeakest(for row: Int) -> (Load) -> Bool {
    let need = urgency(row, wait)
    let holders = isFull(lane(row)) ? loads.filter { lane($0.rows[0]) == lane(row) } : loads
    guard need > 0 else { return { _ in false } }
    if let oldest = holders.compactMap(\.unclaimedSince).min() {
      return { load in load.unclaimedSince == oldest && holders.contains { $0.order == load.order }
      }
    }
    let least = leastPrefetches(of: holders, yieldingTo: need)
    return { load in least.contains { $0.order == load.order } }
  }

  /// Whether a load gives its place to a row that could not start otherwise.
  func yields(_ load: Load) -> Bool {
    wouldGainByCancelling
      && candidates.contains { row in
        (!hasFreeSlot || isFull(lane(row))) && isWeakest(for: row)(load)
      }
  }

  // MARK: Times and slots

  /// The median of the last fifteen load times.
  var loadTime: Double? {
    let times = loadTimes.suffix(15).sorted()
    return times.isEmpty ? nil : max(times[(times.count - 1) / 2], 1)
  }

  /// The expected time of a load: before the first one ends, as long as one has run, and at
  /// least 50 ms.
  var expectedTime: Double {
    loadTime ?? loads.map { Double(now - $0.startedAt) }.reduce(50_000_000, max)
  }

  var hasFreeSlot: Bool { loads.count + max(lingering.count - slots, 0) < slots }

  var wouldGainByCancelling: Bool {
    loads.count - 1 + max(lingering.count + 1 - slots, 0) < slots
  }
}
