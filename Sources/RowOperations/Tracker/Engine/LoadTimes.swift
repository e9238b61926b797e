/// How long the last loads took, in nanoseconds.
///
/// The estimate is their median: one slow load among quick ones, or a sleep of the machine, leaves it
/// as it is.
package struct LoadTimes: Hashable, Sendable {
  /// How many loads count.
  static let count = 15

  /// In the order in which the loads ended.
  package private(set) var recent: [Int64] = []
  private var ascending: [Int64] = []

  /// The lower one of two in the middle; `nil` before the first load ended.
  package var median: Int64? {
    ascending.isEmpty ? nil : ascending[(ascending.count - 1) / 2]
  }

  /// O(``count``).
  package mutating func add(_ time: Int64) {
    if recent.count == Self.count, let old = ascending.firstIndex(of: recent.removeFirst()) {
      ascending.remove(at: old)
    }
    recent.append(time)
    ascending.insert(time, at: ascending.firstIndex { $0 > time } ?? ascending.count)
  }
}
