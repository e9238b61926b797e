/// What holds loads back though a slot is free: pauses, and the rate of starts.
///
/// Each tracker has a copy, which takes its own news at once; that of the slots takes all news.
/// Times are those of the slots' clock.
struct SlotHolds: Hashable, Sendable {
  struct Load: Hashable, Sendable {
    let tracker: Int
    let generation: UInt64
  }

  enum News: Hashable, Sendable {
    case started(Load, lane: Int, at: Int64)
    case withdrawn(Load, startedAt: Int64)
    case ended(Load, well: Bool)
    /// Lane 0 stands for all.
    case paused(lane: Int, until: Int64)
    case resumed
  }

  enum Hold: Hashable, Sendable {
    case paused(until: Int64)
    /// The first load after a pause runs.
    case probed
    case tooSoon(until: Int64)

    var end: Int64? {
      switch self {
      case .paused(let end), .tooSoon(let end): end
      case .probed: nil
      }
    }
  }

  private struct Pause: Hashable, Sendable {
    let end: Int64
    var probe: Load?
  }

  private static let second: Int64 = 1_000_000_000

  private let startsPerSecond: Int?
  private var pauses: [Int: Pause] = [:]
  /// Those of a second.
  private var starts: [Int64] = []

  init(startsPerSecond: Int? = nil) { self.startsPerSecond = startsPerSecond }

  var isInUse: Bool { startsPerSecond != nil || !pauses.isEmpty }

  var pausedLanes: some Sequence<Int> { pauses.keys }

  func isProbe(_ load: Load) -> Bool { pauses.values.contains { $0.probe == load } }

  func hold(on lane: Int, at now: Int64) -> Hold? {
    for pause in [pauses[0], pauses[lane]].compactMap(\.self) {
      if pause.end > now { return .paused(until: pause.end) }
      if pause.probe != nil { return .probed }
    }
    guard let limit = startsPerSecond, starts.count >= limit else { return nil }
    let next = starts[starts.count - limit] + Self.second
    return next > now ? .tooSoon(until: next) : nil
  }

  mutating func take(_ news: News) {
    switch news {
    case .started(let load, let lane, let now):
      if startsPerSecond != nil {
        starts.removeAll { $0 + Self.second <= now }
        starts.append(now)
      }
      for lane in Set([0, lane]) { pauses[lane]?.probe = load }
    case .withdrawn(let load, let start):
      if let index = starts.lastIndex(of: start) { starts.remove(at: index) }
      endProbes { $0 == load }
    case .ended(let load, well: true): pauses = pauses.filter { $0.value.probe != load }
    case .ended(let load, well: false): endProbes { $0 == load }
    case .paused(let lane, let end):
      pauses[lane] = Pause(end: max(end, pauses[lane]?.end ?? end))
    case .resumed: pauses = [:]
    }
  }

  mutating func remove(_ tracker: Int) { endProbes { $0.tracker == tracker } }

  private mutating func endProbes(where isMeant: (Load) -> Bool) {
    for (lane, pause) in pauses {
      if let probe = pause.probe, isMeant(probe) { pauses[lane]?.probe = nil }
    }
  }
}
