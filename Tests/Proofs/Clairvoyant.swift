/// A loader that knows the whole course of a list: a bound of the blank time that it leaves, and a
/// schedule.
///
/// All times are in milliseconds. The page `AClairvoyant.md` of the engine derives the bound.
package struct Clairvoyant: Sendable {
  /// A row that needs a load.
  package struct Load: Sendable {
    /// The earliest start.
    package let release: Double
    /// How long the load takes.
    package let time: Double
    /// When the row is on screen, in order.
    package let visits: [Range<Double>]

    package init(release: Double, time: Double, visits: [Range<Double>]) {
      self.release = release
      self.time = time
      self.visits = visits
    }

    /// The time on screen without a value, if the load ends at a time.
    package func blank(until end: Double) -> Double {
      visits.reduce(0) { $0 + max(min($1.upperBound, end) - $1.lowerBound, 0) }
    }
  }

  /// Blank times, summed over the rows.
  package struct Blank: Sendable {
    /// No schedule of the loads undercuts it.
    package var least: Double
    /// The blank time of the best schedule that was found.
    package var found: Double

    package static let zero = Blank(least: 0, found: 0)
  }

  private let loads: [Load]
  private let slots: Int

  /// - Parameter slots: How many loads may run at a time.
  package init(_ loads: [Load], slots: Int) {
    self.loads = loads.filter { !$0.visits.isEmpty }
    self.slots = slots
  }

  /// A bound of the blank time of all schedules, and the blank time of one.
  ///
  /// - Parameter reached: The blank time of a known schedule, which sets the length of the steps;
  ///   `nil` for that of the loads in the order of their releases.
  package func blank(reached: Double?) -> Blank {
    let reached = reached ?? blank(inOrderOf: loads.map(\.release))
    guard reached > 0, let end = loads.compactMap(\.visits.last?.upperBound).max() else {
      return .zero
    }
    let times = loads.map(\.time).sorted()
    // Shorter buckets make the bound closer and slower.
    let bucket = max(times[times.count / 2] / 4, end / 2000)
    var prices = SlotPrices(bucket: bucket, end: end)
    let starts = loads.map { PossibleStarts($0, prices) }
    var ascent = Ascent(reached: reached)
    var found = reached
    for _ in 0..<400 {
      var bound = -Double(slots) * prices.total
      var excess = [Double](repeating: -Double(slots) * bucket, count: prices.values.count)
      var chosen: [Double?] = []
      for load in starts {
        let (cost, start) = load.cheapest(prices)
        bound += cost
        chosen.append(start)
        if let start { prices.addTime(from: start, to: start + load.time, to: &excess) }
      }
      found = min(found, blank(inOrderOf: chosen))
      guard ascent.step(from: bound, excess: excess, &prices) else { break }
    }
    // A little less, since a sum of rounded numbers may exceed the exact one.
    return Blank(least: ascent.best * (1 - 1e-9), found: found)
  }

  /// The blank time of a schedule: the loads go in the order of some times, each as soon as it is
  /// released and a slot is free.
  ///
  /// - Parameter times: A time for each load, in the order of the loads; `nil` for a row that does
  ///   not load.
  private func blank(inOrderOf times: [Double?]) -> Double {
    var free = Array(repeating: 0.0, count: slots)
    let order = loads.indices.sorted { (times[$0] ?? .infinity, $0) < (times[$1] ?? .infinity, $1) }
    return order.reduce(0) { sum, index in
      let load = loads[index]
      let slot = free.indices.min { free[$0] < free[$1] } ?? 0
      let end = max(free[slot], load.release) + load.time
      // A row that has left by then takes no slot.
      let isOfUse = times[index] != nil && end < load.visits.last?.upperBound ?? 0
      if isOfUse { free[slot] = end }
      return sum + load.blank(until: isOfUse ? end : .infinity)
    }
  }
}

/// Improves prices step by step: slots become dearer where too many loads run, and cheaper where
/// slots idle.
private struct Ascent {
  let reached: Double
  /// The largest bound so far.
  private(set) var best = 0.0
  private var direction: [Double] = []
  private var factor = 1.0
  private var misses = 0

  init(reached: Double) { self.reached = reached }

  /// - Parameter excess: The time that loads take in each bucket, beyond that of the slots.
  /// - Returns: Whether prices have changed.
  mutating func step(from bound: Double, excess: [Double], _ prices: inout SlotPrices) -> Bool {
    misses = bound > best ? 0 : misses + 1
    best = max(best, bound)
    if misses == 10 { (factor, misses) = (factor * 0.7, 0) }
    if direction.isEmpty { direction = excess.map { _ in 0 } }
    for (index, excess) in excess.enumerated() {
      // A price of 0 cannot fall. A part of the last direction remains, against zigzags.
      let change = prices.values[index] == 0 ? max(excess, 0) : excess
      direction[index] = change + 0.7 * direction[index]
    }
    let square = direction.reduce(0) { $0 + $1 * $1 }
    guard square > 0, reached > bound else { return false }
    prices.move(along: direction, by: factor * (reached - bound) / square)
    return true
  }
}
