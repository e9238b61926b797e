import Foundation
import RowOperations
import RowOperationsTesting

/// Which waiting row loads next, and which running load gives its slot.
extension NaiveTracker {
  /// The kind of a row's claim, and its rank among those of its kind.
  func claimRank(_ row: Int) -> (Int, Int, Int)? {
    if displayedRows.contains(row), let order = displayOrder[row] { return (0, 0, order.rank) }
    if landing.contains(row) { return (1, 0, landingRank[row] ?? 0) }
    if isPrefetched(row), let order = prefetchRank[row] {
      return (2, order.hasIndex ? 1 : 0, order.rank)
    }
    return nil
  }

  func isAdmitted(_ row: Int) -> Bool {
    guard !isSuspended, claimRank(row) != nil else { return false }
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

  /// When a row is on screen, and whether its list moves.
  typealias Stay = (begin: Double, end: Double, isInMotion: Bool, isBehind: Bool)

  /// When a row is on screen, from now on.
  private func visit(_ row: Int) -> (begin: Double, end: Double) {
    let stay = stay(row)
    return (stay.begin, stay.end)
  }

  func stay(_ row: Int) -> Stay {
    var (begin, end, isInMotion) = (Double.infinity, Double.infinity, isMoving)
    var isBehind = false
    let places = isMoving ? staysInWindows(row) : []
    let first = places.min {
      ($0.begin, -$0.end, $0.isInMotion ? 1 : 0, $0.isBehind ? 1 : 0)
        < ($1.begin, -$1.end, $1.isInMotion ? 1 : 0, $1.isBehind ? 1 : 0)
    }
    if let first {
      (begin, end, isInMotion, isBehind) = first
    } else if let pace = paceOutsideOfWindows(row) {
      let screen = Double(displayedRowsBefore.count)
      let way = pace * 499_500_000
      let passed = Double(appearedCount - (prefetchedAfter[row] ?? 0))
      switch claimRank(row)?.0 {
      case 0:
        let age = Double(now - (displayOrder[row]?.since ?? 0))
        end = max(time(toPass: screen, of: way) - age, 0)
      case 1: begin = time(toPass: way - screen, of: way)
      default:
        begin = time(toPass: max(screen - passed, 1), of: way)
        end = time(toPass: max(screen - passed, 1) + screen, of: way)
      }
    }
    if displayedRows.contains(row) { begin = 0 }
    if landing.contains(row) { end = .infinity }
    return (begin, end, isInMotion, isBehind && !displayedRows.contains(row))
  }

  /// The pace at which a row comes on screen that no window holds.
  private func paceOutsideOfWindows(_ row: Int) -> Double? {
    let landing = motions.filter { $0.value.landing.contains(row) }.keys.min()
    return landing.map { pace(of: $0) } ?? commonPace
  }

  private func staysInWindows(_ row: Int) -> [Stay] {
    windows.flatMap { window in
      window.held.filter { window.rows[$0]?.contains(row) == true }
        .compactMap { place in
          if let motion = motions[window.list] { return stay(at: place, in: window, motion) }
          if window.shown.contains(place), displayedRows.contains(row) {
            return (0, .infinity, false, false)
          }
          return landing.contains(row) ? nil : (.infinity, .infinity, false, false)
        }
    }
  }

  private func stay(at place: Int, in window: NaiveWindow, _ motion: Motion) -> Stay {
    let places = window.held.filter { place in
      window.rows[place]?.contains { motion.landing.contains($0) } == true
    }
    let pace = pace(of: window.list)
    let (top, bottom) = (window.shown.lowerBound, window.shown.upperBound - 1)
    var (isDown, way) = (window.isForward, pace.map { $0 * 499_500_000 })
    if let first = places.min(), let last = places.max() {
      let (down, up) = (last - bottom, top - first)
      (isDown, way) = (down == up ? isDown : down > up, Double(max(down, up, 0)))
    }
    let entry = Double(isDown ? place - bottom : top - place) - 0.5
    let exit = entry + Double(window.shown.count)
    way = way ?? leastWay(of: window, motion)
    guard let way, exit > 0 else {
      let isBehind = way != nil && exit < -1 && window.key.section == nil
      return (.infinity, .infinity, true, isBehind)
    }
    return (time(toPass: entry, of: way), time(toPass: exit, of: way), true, false)
  }

  /// A list that lands outside of its window goes through all of it at least, once it moves.
  private func leastWay(of window: NaiveWindow, _ motion: Motion) -> Double? {
    let moves = motion.appearances.contains { $0.count > 0 && $0.time > now - 1_000_000_000 }
    guard !motion.landing.isEmpty, moves, window.key.section == nil else { return nil }
    let ahead = window.held.filter {
      window.isForward ? $0 >= window.shown.upperBound : $0 < window.shown.lowerBound
    }
    let isAtEnd =
      window.isForward
      ? window.held.upperBound >= window.bounds.upperBound
      : window.held.lowerBound <= window.bounds.lowerBound
    return isAtEnd ? nil : Double(ahead.count)
  }

  // MARK: Urgency

  /// The next wait for a slot.
  var wait: Double {
    let load = expectedTime
    let due = waiting.count { visit($0).begin <= 2 * load }
    let places = slots * max(settings.batchSize, 1)
    return load * max((Double(due) / Double(places)).rounded(.up), 1)
  }

  /// The share of the next wait for a slot for which a row would be blank.
  func urgency(_ row: Int, _ wait: Double) -> Double {
    let load = expectedTime
    let (begin, end) = visit(row)
    if begin <= load, end >= wait + load { return 1 }
    return (min(wait + load, end) - max(load, begin)) / wait
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
    guard let most = admitted.map({ urgency($0, wait) }).max() else { return [] }
    let urgent = admitted.filter { isEqual(urgency($0, wait), most) }
    if gathersRiders(admitted) { return [] }
    let visits = urgent.map { visit($0) }
    return zip(urgent, visits).filter { row, visit in
      !zip(urgent, visits).contains { $1 == visit && goesBefore($0, row) }
    }.map(\.0)
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

  /// Whether a row waits that loses time by waiting, so that other loads give way to it.
  var isUrgent: Bool {
    let wait = wait
    return candidates.contains { urgency($0, wait) > 0 }
  }

  /// The least urgent of the running prefetches that lose nothing by waiting, and that have just
  /// begun or are behind.
  var distantPrefetches: [Int] {
    let (load, wait) = (expectedTime, wait)
    let young = runs.filter { row, run in
      run.batch == nil && claimRank(row)?.0 == 2 && !run.isHung
        && (Double(now - run.startedAt) < load / 2 || isMoving && stay(row).isBehind)
        && urgency(row, wait) <= 0
    }.keys
    guard let least = young.map({ urgency($0, wait) }).min() else { return [] }
    let equals = young.filter { isEqual(urgency($0, wait), least) }
    return equals.filter { row in
      !equals.contains { other in
        visit(other) == visit(row) && claimRank(other) ?? (0, 0, 0) > claimRank(row) ?? (0, 0, 0)
      }
    }
  }

  // MARK: Times and slots

  /// The median of the last fifteen load times.
  var loadTime: Double? {
    let times = loadTimes.suffix(15).sorted()
    return times.isEmpty ? nil : times[(times.count - 1) / 2]
  }

  /// What a load is expected to take: before the first one ends, as long as one has run, and at
  /// least 50 ms.
  var expectedTime: Double {
    let ages = (runs.values.map(\.startedAt) + batches.map(\.startedAt)).map { Double(now - $0) }
    return loadTime ?? ages.reduce(max(longestCut, 50_000_000), max)
  }

  /// How long a prefetch runs before it counts as hung.
  var hangTime: Double { loadTime.map { $0 * 2 } ?? max(500_000_000, longestCut * 2) }

  mutating func recordLoadTime(_ time: Double) { loadTimes.append(time) }

  /// Records how long a load ran until its cancel.
  mutating func recordCut(after time: Double) {
    if let loadTime {
      if time > loadTime { recordLoadTime(time) }
    } else {
      longestCut = max(longestCut, time)
    }
  }

  /// The number of slots in use.
  private var slotsInUse: Int { runs.values.count { $0.batch == nil } + batches.count }

  var hasFreeSlot: Bool { slotsInUse + max(lingering.count - slots, 0) < slots }

  var wouldGainByCancelling: Bool {
    slotsInUse - 1 + max(lingering.count + 1 - slots, 0) < slots
  }
}
