/// The times of the last loads, in nanoseconds.
///
/// The estimate is their median, which one slow load or a sleep does not distort.
struct LoadTimes: Hashable, Sendable {
  static let count = 15

  /// Oldest first.
  private(set) var recent: [Int64] = []
  private var ascending: [Int64] = []

  /// The lower one; `nil` before the first load has ended.
  var median: Int64? { ascending.isEmpty ? nil : ascending[(ascending.count - 1) / 2] }

  mutating func add(_ time: Int64) {
    if recent.count == Self.count {
      let oldest = recent.removeFirst()
      if let index = ascending.firstIndex(of: oldest) { ascending.remove(at: index) }
    }
    recent.append(time)
    ascending.insert(time, at: ascending.firstIndex { $0 > time } ?? ascending.count)
  }
}
