/// The times of the last loads, in nanoseconds.
///
/// The estimate is their median, which one slow load or a sleep of the machine does not distort.
package struct LoadTimes: Hashable, Sendable {
  static let count = 15

  /// A ring buffer whose oldest time is at `oldest`.
  private var ring: [Int64] = []
  private var oldest = 0
  private var ascending: [Int64] = []
  /// The lower one; `nil` before the first load has ended.
  private(set) var median: Int64?

  /// Oldest first.
  package var recent: [Int64] { ring.indices.map { ring[(oldest + $0) % ring.count] } }

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

  /// Keeps the order sorted.
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
