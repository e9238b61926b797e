/// Calls that wait for a lane, and the lanes that make them, as a value.
///
/// A lane makes one call after the other, and ends when none waits. One lane is enough while calls
/// return soon. While the oldest waiting call is older than the patience, a fresh lane starts. So
/// slow calls of the app delay other ones by little more than the patience, up to a limit of lanes.
struct LanePlan<Call: Sendable>: Sendable {
  typealias Instant = Moment

  /// The largest number of lanes.
  static var limit: Int { 32 }

  private struct Waiting {
    let call: Call
    let arrival: Instant
  }

  private enum Lane {
    case free
    /// Its run is requested, and it has not taken a call.
    case starting
    case busy(Call, since: Instant, isReported: Bool)
  }

  /// How long a call may wait, or run, before the plan acts.
  private let patience: Duration
  /// `nil` before `first`.
  private var waiting: [Waiting?] = []
  private var first = 0
  /// The lanes that were in use at the same time, so that a call looks at few.
  private var lanes: [Lane] = []
  /// When the next look is due; `nil` if none is.
  private var look: Instant?
  /// Times before this moment do not count: nothing ran, as in a debugger.
  private var epoch: Instant?
  private var isFullReported = false

  init(patience: Duration) { self.patience = patience }

  // MARK: Calls

  struct RequestedAction: Equatable {
    /// The lane to run.
    var run: Int?
    /// How long to wait before a look.
    var lookAfter: Duration?
  }

  mutating func requested(_ call: Call, at now: Instant) -> RequestedAction {
    waiting.append(Waiting(call: call, arrival: now))
    var action = RequestedAction()
    if look == nil {
      look = now.advanced(by: patience)
      action.lookAfter = patience
    }
    // A lane that is stuck takes no further call.
    let takesCalls = lanes.contains { lane in
      switch lane {
      case .free: false
      case .starting: true
      case .busy(_, let since, _): age(of: since, at: now) < patience
      }
    }
    if !takesCalls { action.run = startLane() }
    return action
  }

  private mutating func startLane() -> Int? {
    for index in lanes.indices {
      guard case .free = lanes[index] else { continue }
      lanes[index] = .starting
      return index
    }
    guard lanes.count < Self.limit else { return nil }
    lanes.append(.starting)
    return lanes.count - 1
  }

  /// - Parameter returned: Receives the lane's last call, for release outside the lock.
  /// - Returns: The call to make; `nil` ends the lane's run.
  mutating func next(on lane: Int, at now: Instant, after returned: inout Call?) -> Call? {
    if case .busy(let call, _, _) = lanes[lane] { returned = call }
    guard first < waiting.count, let next = waiting[first] else {
      lanes[lane] = .free
      return nil
    }
    waiting[first] = nil
    first += 1
    // Amortized O(1): a removal moves at most as many calls as were made since the last one.
    if first > waiting.count / 2 {
      waiting.removeFirst(first)
      first = 0
    }
    if waiting.isEmpty { waiting = [] }
    lanes[lane] = .busy(next.call, since: now, isReported: false)
    return next.call
  }

  // MARK: Looks

  enum Report: Sendable {
    /// The call has run longer than the patience.
    case blocked(Call)
    /// Calls that each return in time keep others waiting; this is the one that has run longest.
    case crowded(Call)
    /// All lanes are busy, and a call waits longer than the patience.
    case full
  }

  struct LookedAction: Sendable {
    /// The lanes to run.
    var run: [Int] = []
    var reports: [Report] = []
    /// How long to wait before the next look; `nil` if there is nothing to watch.
    var lookAfter: Duration?
  }

  mutating func looked(at now: Instant) -> LookedAction {
    // A look that comes late proves that time passed in which nothing could run.
    if let look, look.advanced(by: patience) < now { epoch = now }
    var action = LookedAction()
    action.reports = reportBlockedCalls(at: now)
    let late = waiting[first...].prefix { age(of: $0?.arrival ?? now, at: now) >= patience }.count
    let starting = lanes.filter { if case .starting = $0 { true } else { false } }.count
    var missing = late - starting
    while missing > 0, let lane = startLane() {
      action.run.append(lane)
      missing -= 1
    }
    if !action.run.isEmpty, action.reports.isEmpty, let longest = longestCall {
      action.reports.append(.crowded(longest))
    }
    if missing > 0, !isFullReported { action.reports.append(.full) }
    isFullReported = missing > 0
    look = nextLook(after: now)
    action.lookAfter = look.map { now.duration(to: $0) }
    return action
  }

  private mutating func reportBlockedCalls(at now: Instant) -> [Report] {
    var reports: [Report] = []
    for index in lanes.indices {
      guard case .busy(let call, let since, false) = lanes[index],
        age(of: since, at: now) >= patience
      else { continue }
      lanes[index] = .busy(call, since: since, isReported: true)
      reports.append(.blocked(call))
    }
    return reports
  }

  private var longestCall: Call? {
    var longest: (call: Call, since: Instant)?
    for case .busy(let call, let since, _) in lanes where longest.map({ since < $0.since }) ?? true
    {
      longest = (call, since)
    }
    return longest?.call
  }

  /// The moment at which the next call has waited or run for too long, though not too soon.
  private func nextLook(after now: Instant) -> Instant? {
    var starts = first < waiting.count ? [waiting[first]?.arrival ?? now] : []
    for case .busy(_, let since, false) in lanes { starts.append(since) }
    guard let earliest = starts.map({ counted($0) }).min() else { return nil }
    return max(earliest.advanced(by: patience), now.advanced(by: patience / 10))
  }

  private func age(of moment: Instant, at now: Instant) -> Duration {
    counted(moment).duration(to: now)
  }

  private func counted(_ moment: Instant) -> Instant { epoch.map { max($0, moment) } ?? moment }
}
