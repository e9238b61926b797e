import RowOperations

/// What a feed did, by its events.
@MainActor
final class FeedLog {
  private(set) var loads = RowLoads()
  private(set) var tally = LoadTally()
  var timeline = Timeline()

  func record(_ event: TrackerEvent<Int>) {
    loads.record(event)
    tally.record(event)
    timeline.record(event)
  }
}

/// The rows that wait and the rows that load.
struct RowLoads: Sendable {
  private var waiting: Set<Int> = []
  /// The generation of each row's load.
  private var running: [Int: UInt64] = [:]

  mutating func record(_ event: TrackerEvent<Int>) {
    switch event.kind {
    case .waiting: waiting.insert(event.row)
    case .leftWaiting: waiting.remove(event.row)
    case .started(let generation):
      waiting.remove(event.row)
      running[event.row] = generation
    case .finished(let generation), .failed(let generation, _), .cancelled(let generation):
      if running[event.row] == generation { running[event.row] = nil }
    default: break
    }
  }

  /// The look of a row without a value and without an error.
  func look(of row: Int) -> RowLook {
    if running[row] != nil { return .loading }
    return waiting.contains(row) ? .waiting : .notWanted
  }
}

/// Why loads failed, and how long those took that ended with a value.
struct LoadTally: Sendable {
  private(set) var failures: [String: Int] = [:]
  private var times: [Duration] = []
  /// The start of each running load, by its generation.
  private var starts: [UInt64: Duration] = [:]

  mutating func record(_ event: TrackerEvent<Int>) {
    switch event.kind {
    case .started(let generation): starts[generation] = event.time
    case .finished(let generation):
      if let start = starts.removeValue(forKey: generation) { times.append(event.time - start) }
    case .failed(let generation, let error):
      starts[generation] = nil
      failures[reason(of: error), default: 0] += 1
    case .cancelled(let generation), .refused(let generation): starts[generation] = nil
    default: break
    }
  }

  /// The time that so many percent of the loads did not exceed; `nil` without loads.
  func percentile(_ percent: Int) -> Duration? {
    let sorted = times.sorted()
    // The nearest rank.
    let rank = (percent * sorted.count + 99) / 100
    return sorted.isEmpty ? nil : sorted[min(max(rank, 1), sorted.count) - 1]
  }
}
