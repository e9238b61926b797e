import RowOperations

/// The outcomes and the times of loads, by the events of a feed.
struct LoadTally: Sendable {
  private(set) var failures: [FailureReason: Int] = [:]
  private(set) var times = LoadTimes()
  /// The lowest row that the server did not find.
  private(set) var lowestMissingRow: Int?
  private(set) var lowestLoadedRow: Int?
  private(set) var highestLoadedRow: Int?
  /// The longest time that the server has requested before the next attempt.
  private(set) var longestRetryAfter: Duration?
  /// The start of each running load, by its generation.
  private var starts: [UInt64: Duration] = [:]

  mutating func record(_ event: TrackerEvent<Int>) {
    switch event.kind {
    case .started(let generation):
      starts[generation] = event.time
    case .finished(let generation):
      if let start = starts.removeValue(forKey: generation) { times.add(event.time - start) }
      lowestLoadedRow = min(lowestLoadedRow ?? event.row, event.row)
      highestLoadedRow = max(highestLoadedRow ?? event.row, event.row)
    case .failed(let generation, let error):
      starts[generation] = nil
      let reason = FailureReason(error)
      failures[reason, default: 0] += 1
      guard let error = HTTPStatusError(error) else { return }
      if [404, 410].contains(error.status) {
        lowestMissingRow = min(lowestMissingRow ?? event.row, event.row)
      }
      if let wait = error.retryAfter { longestRetryAfter = max(longestRetryAfter ?? wait, wait) }
    case .cancelled(let generation), .refused(let generation):
      starts[generation] = nil
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .joined, .ran,
      .stopped, .evicted, .listening, .stoppedListening:
      break
    }
  }
}

/// How long the loads took that ended with a value.
struct LoadTimes: Sendable {
  private var times: [Duration] = []

  mutating func add(_ time: Duration) { times.append(time) }

  /// The times that so many percent of the loads did not exceed; empty without loads.
  func percentiles(_ percents: [Int]) -> [Duration] {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return [] }
    return percents.map { percent in
      // The nearest rank.
      let rank = (percent * sorted.count + 99) / 100
      return sorted[min(max(rank, 1), sorted.count) - 1]
    }
  }
}
