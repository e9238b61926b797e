/// How long the last loads took, in nanoseconds.
///
/// The estimate is their median: one slow load among quick ones, or a sleep of the machine, leaves it
/// as it is.
package struct LoadTimes: Hashable, Sendable {
  /// How many loads count.
  static let count = 15

  /// A ring: the oldest one is at `oldest`.
  private var ring: [Int64] = []
  private var oldest = 0
  private var ascending: [Int64] = []
  /// The lower one of two in the middle; `nil` before the first load ended.
  package private(set) var median: Int64?

  /// In the order in which the loads ended.
  package var recent: [Int64] { Array(ring[oldest...] + ring[..<oldest]) }

  /// O(``count``).
  package mutating func add(_ time: Int64) {
    if ring.count < Self.count {
      ring.append(time)
      ascending.append(time)
      move(time, to: ascending.count - 1)
    } else {
      let index = ascending.firstIndex(of: ring[oldest]) ?? 0
      ring[oldest] = time
      oldest = (oldest + 1) % Self.count
      move(time, to: index)
    }
    median = ascending[(ascending.count - 1) / 2]
  }

  /// Replaces one time by another, and moves it to where it belongs.
  private mutating func move(_ time: Int64, to start: Int) {
    ascending.withUnsafeMutableBufferPointer { times in
      var index = start
      while index > 0, times[index - 1] > time {
        times[index] = times[index - 1]
        index -= 1
      }
      while index < times.count - 1, times[index + 1] < time {
        times[index] = times[index + 1]
        index += 1
      }
      times[index] = time
    }
  }
}
