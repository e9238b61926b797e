/// The times of the last loads, in nanoseconds.
///
/// The estimate is their median, so that one slow load or a sleep of the machine does not distort
/// it.
package struct LoadTimes: Hashable, Sendable {
  /// The number of loads that count.
  static let count = 15

  /// A ring buffer whose oldest time is at `oldest`.
  private var ring: [Int64] = []
  private var oldest = 0
  private var ascending: [Int64] = []
  /// The lower median; `nil` before the end of the first load.
  private(set) var median: Int64?

  /// The times in the order of the loads' ends.
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

  /// Moves a time from an index to its sorted position.
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
