/// The distribution of a duration over all its occurrences.
///
/// Times are counted in classes of at most a sixteenth of their time, so a percentile is off by at
/// most 4 % or a microsecond. Two snapshots can be subtracted.
///
/// **Cost**: O(1) to count, O(classes) for a percentile; at most 8 KB.
public struct TimeDistribution: Hashable, Sendable {
  /// The number of occurrences in each class of microseconds.
  private var counts: [Int] = []
  /// The number of occurrences.
  public private(set) var count = 0

  init() {}

  /// The median; `nil` without occurrences.
  public var median: Duration? { percentile(50) }

  /// The time that a percentage of the occurrences did not exceed; `nil` without occurrences.
  ///
  /// - Parameter percent: From 0 to 100.
  public func percentile(_ percent: Double) -> Duration? {
    guard count > 0 else { return nil }
    // The nearest rank.
    let rank = max(
      Int((Double(count) * (percent > 0 ? min(percent, 100) : 0) / 100).rounded(.up)), 1)
    var reached = 0
    for (index, number) in counts.enumerated() {
      reached += number
      if reached >= rank { return .microseconds(Self.time(ofClass: index)) }
    }
    return nil
  }

  /// Returns the occurrences since an earlier snapshot of the same distribution.
  ///
  /// - Parameters:
  ///   - later: The newer snapshot.
  ///   - earlier: The older one.
  public static func - (later: TimeDistribution, earlier: TimeDistribution) -> TimeDistribution {
    var difference = later
    for (index, number) in earlier.counts.enumerated() where index < difference.counts.count {
      difference.counts[index] -= number
    }
    difference.count -= earlier.count
    while difference.counts.last == 0 { difference.counts.removeLast() }
    return difference
  }

  mutating func add(nanoseconds: Int64) {
    let index = Self.`class`(ofTime: max(nanoseconds, 0) / 1_000)
    while counts.count <= index { counts.append(0) }
    counts[index] += 1
    count += 1
  }

  // Each microsecond up to 16 has a class; above, each doubling has 16 classes.

  private static func `class`(ofTime time: Int64) -> Int {
    guard time >= 16 else { return Int(time) }
    let doublings = 59 - time.leadingZeroBitCount
    return doublings * 16 + Int(time >> Int64(doublings))
  }

  /// The middle of a class.
  private static func time(ofClass index: Int) -> Int64 {
    guard index >= 16 else { return Int64(index) }
    let doublings = Int64(index / 16 - 1)
    let width: Int64 = 1 << doublings
    return Int64(index % 16 + 16) * width + width / 2
  }
}

extension TimeDistribution: CustomStringConvertible {
  /// The number of occurrences, the median and the 95th percentile.
  public var description: String {
    guard let median, let slow = percentile(95) else { return "never" }
    return "\(count) times, median \(median), 95 % within \(slow)"
  }
}
