/// Prices of a slot: one for each bucket of time, per millisecond.
struct SlotPrices {
  /// A moment, as a bucket and the time in it.
  struct Moment {
    let bucket: Int
    let rest: Double
  }

  let bucket: Double
  private(set) var values: [Double]
  /// The price of a slot from the beginning to the start of each bucket.
  private var sums: [Double]

  init(bucket: Double, end: Double) {
    self.bucket = bucket
    values = Array(repeating: 0, count: Int((end / bucket).rounded(.up)))
    sums = Array(repeating: 0, count: values.count + 1)
  }

  /// The price of a slot for all time.
  var total: Double { sums[values.count] }

  /// A moment; those after the last bucket count as its end, since slots are free from there on.
  func moment(_ time: Double) -> Moment {
    let index = Int(time / bucket)
    return index >= values.count
      ? Moment(bucket: values.count, rest: 0)
      : Moment(bucket: index, rest: max(time - Double(index) * bucket, 0))
  }

  func price(until moment: Moment) -> Double {
    moment.rest == 0
      ? sums[moment.bucket] : sums[moment.bucket] + moment.rest * values[moment.bucket]
  }

  mutating func move(along direction: [Double], by step: Double) {
    for index in values.indices {
      values[index] = max(values[index] + step * direction[index], 0)
      sums[index + 1] = sums[index] + values[index] * bucket
    }
  }

  /// Adds the part of a time that lies in each bucket.
  func addTime(from start: Double, to end: Double, to buckets: inout [Double]) {
    var index = Int(start / bucket)
    while index < buckets.count, Double(index) * bucket < end {
      let low = max(start, Double(index) * bucket)
      buckets[index] += max(min(end, Double(index + 1) * bucket) - low, 0)
      index += 1
    }
  }
}

/// The starts of a load, among which the cheapest one is at any prices.
///
/// Between two neighbours the price is linear, and the blank time linear or bent down. Hence no
/// start between them is cheaper than both.
struct PossibleStarts {
  private struct Choice {
    let start: Double
    let blank: Double
    let from: SlotPrices.Moment
    let to: SlotPrices.Moment
  }

  let time: Double
  private let blankWithoutLoad: Double
  private let choices: [Choice]

  init(_ load: Clairvoyant.Load, _ prices: SlotPrices) {
    let time = load.time
    self.time = time
    blankWithoutLoad = load.blank(until: .infinity)
    // A later load is of no use.
    let last = (load.visits.last?.upperBound ?? 0) - time
    var starts = [load.release] + load.visits.map { $0.lowerBound - time }
    let bucket = prices.bucket
    // Starts and ends at the borders of buckets.
    for shift in [0, time.truncatingRemainder(dividingBy: bucket)] {
      let first = ((load.release + shift) / bucket).rounded(.down) * bucket - shift
      starts += stride(from: first, to: last, by: bucket)
    }
    // In order, so that the first of several cheapest ones is the same in each run.
    let possible = Set(starts.filter { $0 >= load.release && $0 < last }).sorted(by: >)
    choices = possible.map { start in
      Choice(
        start: start, blank: load.blank(until: start + time), from: prices.moment(start),
        to: prices.moment(start + time))
    }
  }

  /// The smallest sum of blank time and price; without a start, the row stays blank.
  func cheapest(_ prices: SlotPrices) -> (cost: Double, start: Double?) {
    var cost = blankWithoutLoad
    var start: Double?
    for choice in choices {
      let sum = choice.blank + prices.price(until: choice.to) - prices.price(until: choice.from)
      if sum < cost { (cost, start) = (sum, choice.start) }
    }
    return (cost, start)
  }
}
