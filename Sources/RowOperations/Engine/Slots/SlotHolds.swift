/// What holds loads back though a slot is free: pauses, and the rate of starts.
///
/// Trackers that share slots share these, and each has a copy. A tracker takes its own news into
/// its copy at once; the slots take the news of all trackers. Times are those of the slots' clock.
package struct SlotHolds: Hashable, Sendable {
  /// A load of one of the trackers.
  package struct Load: Hashable, Sendable {
    let tracker: Int
    let generation: UInt64
  }

  package enum News: Hashable, Sendable {
    /// A load got a slot.
    case started(Load, lane: Int, at: Int64)
    /// It gives the slot back, since there was nothing to load.
    case withdrawn(Load, startedAt: Int64)
    case ended(Load, well: Bool)
    /// No load of the lane starts until then; lane 0 stands for all.
    case paused(lane: Int, until: Int64)
    case resumed
  }

  package enum Hold: Hashable, Sendable {
    case paused(until: Int64)
    /// A pause is over, and the first load after it runs.
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
    /// The load that shows whether the others may follow.
    var probe: Load?
  }

  private static let second: Int64 = 1_000_000_000

  /// `nil` for no limit.
  private let startsPerSecond: Int?
  /// By lane, until a probe has ended well.
  private var pauses: [Int: Pause] = [:]
  /// Those of the second before the last one, in order.
  private var starts: [Int64] = []

  package init(startsPerSecond: Int? = nil) { self.startsPerSecond = startsPerSecond }

  package var isInUse: Bool { startsPerSecond != nil || !pauses.isEmpty }

  var pausedLanes: some Sequence<Int> { pauses.keys }

  func isProbe(_ load: Load) -> Bool { pauses.values.contains { $0.probe == load } }

  /// Why no load of a lane may start; `nil` if it may.
  package func hold(on lane: Int, at now: Int64) -> Hold? {
    for pause in [pauses[0], pauses[lane]].compactMap(\.self) {
      if pause.end > now { return .paused(until: pause.end) }
      if pause.probe != nil { return .probed }
    }
    guard let limit = startsPerSecond, starts.count >= limit else { return nil }
    let next = starts[starts.count - limit] + Self.second
    return next > now ? .tooSoon(until: next) : nil
  }

  package mutating func take(_ news: News) {
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

  /// The loads of a tracker have ended with it.
  mutating func remove(_ tracker: Int) { endProbes { $0.tracker == tracker } }

  private mutating func endProbes(where isMeant: (Load) -> Bool) {
    for (lane, pause) in pauses {
      if let probe = pause.probe, isMeant(probe) { pauses[lane]?.probe = nil }
    }
  }
}
