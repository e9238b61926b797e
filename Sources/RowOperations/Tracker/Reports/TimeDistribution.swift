/// The distribution of a duration.
///
/// Times are counted in classes of at most a sixteenth of their time, so a percentile is off by at
/// most 4 % or a microsecond. Two snapshots can be subtracted.
///
/// **Cost**: O(1) to count, O(classes) for a percentile; at most 8 KB.
public struct TimeDistribution: Hashable, Sendable {
  private let histogram: Histogram

  /// The number of occurrences.
  public var count: Int { histogram.count }

  init(_ histogram: Histogram = Histogram()) { self.histogram = histogram }

  /// The median; `nil` without occurrences.
  public var median: Duration? { percentile(50) }

  /// The time that a percentage did not exceed; `nil` without occurrences.
  ///
  /// - Parameter percent: From 0 to 100.
  public func percentile(_ percent: Double) -> Duration? {
    histogram.percentile(percent).map { .microseconds($0) }
  }

  /// The occurrences since an earlier snapshot.
  public static func - (later: TimeDistribution, earlier: TimeDistribution) -> TimeDistribution {
    TimeDistribution(later.histogram - earlier.histogram)
  }
}

extension TimeDistribution: CustomStringConvertible {
  /// The number of occurrences, the median and the 95th percentile.
  public var description: String {
    guard let median, let slow = percentile(95) else { return "never" }
    return "\(count) times, median \(median), 95 % within \(slow)"
  }
}
