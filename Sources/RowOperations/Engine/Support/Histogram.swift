/// The distribution of a time, in classes of at most a sixteenth of it.
struct Histogram: Hashable, Sendable {
  /// By class of microseconds.
  private var counts: [Int] = []
  /// The occurrences in all classes.
  private(set) var count = 0

  init() {}

  mutating func add(nanoseconds: Int64) {
    let index = Self.`class`(ofTime: max(nanoseconds, 0) / 1_000)
    while counts.count <= index { counts.append(0) }
    counts[index] += 1
    count += 1
  }

  /// The time, in microseconds, that a percentage of occurrences, from 0 to 100, did not exceed;
  /// `nil` without any.
  func percentile(_ percent: Double) -> Int64? {
    guard count > 0 else { return nil }
    // The nearest rank.
    let rank = max(
      Int((Double(count) * (percent > 0 ? min(percent, 100) : 0) / 100).rounded(.up)), 1)
    var reached = 0
    for (index, number) in counts.enumerated() {
      reached += number
      if reached >= rank { return Self.time(ofClass: index) }
    }
    return nil
  }

  /// The occurrences since an earlier snapshot.
  static func - (later: Histogram, earlier: Histogram) -> Histogram {
    var difference = later
    for (index, number) in earlier.counts.enumerated() where index < difference.counts.count {
      difference.counts[index] -= number
    }
    difference.count -= earlier.count
    while difference.counts.last == 0 { difference.counts.removeLast() }
    return difference
  }

  // Each microsecond up to 16 has a class, each doubling above has 16.

  private static func `class`(ofTime time: Int64) -> Int {
    guard time >= 16 else { return Int(time) }
    let doublings = 59 - time.leadingZeroBitCount
    return doublings * 16 + Int(time >> Int64(doublings))
  }

  private static func time(ofClass index: Int) -> Int64 {
    guard index >= 16 else { return Int64(index) }
    let doublings = Int64(index / 16 - 1)
    let width: Int64 = 1 << doublings
    return Int64(index % 16 + 16) * width + width / 2
  }
}
