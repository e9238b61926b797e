/// Makes calls that belong to the app, away from the caller, in order and in few threads.
///
/// A call that blocks delays those behind it only for as long as ``LanePlan`` allows.
///
/// - Thread A requests a call while a lane makes its last one. Either the lane finds the call, or
///   the lane has ended under the lock and A starts it again.
final class Lanes<Call: Sendable>: Sendable {
  typealias Work = Surroundings.Work

  private struct Guarded {
    var plan: LanePlan<Call>
    /// The queues of the lanes, as many as there were at once.
    var queues: [@Sendable (@escaping Work) -> Void] = []
  }

  private let surroundings: Surroundings
  private let perform: @Sendable (Call) -> Void
  private let report: (@Sendable (LanePlan<Call>.Report) -> Void)?
  private let guarded: Lock<Guarded>

  /// - Parameters:
  ///   - report: Called on a thread of its own.
  init(
    patience: Duration, _ surroundings: Surroundings,
    report: (@Sendable (LanePlan<Call>.Report) -> Void)? = nil,
    perform: @escaping @Sendable (Call) -> Void
  ) {
    self.surroundings = surroundings
    self.perform = perform
    self.report = report
    guarded = Lock(Guarded(plan: LanePlan(patience: patience)))
  }

  /// Makes a call soon, and returns at once.
  func make(_ call: Call) {
    let action = guarded.withLock { $0.plan.requested(call, at: surroundings.now()) }
    if let lane = action.run { start(lane) }
    if let delay = action.lookAfter { look(after: delay) }
  }

  private func start(_ lane: Int) {
    let run = queue(of: lane)
    run { self.run(lane) }
  }

  private func queue(of lane: Int) -> @Sendable (@escaping Work) -> Void {
    guarded.withLock { guarded in
      while guarded.queues.count <= lane { guarded.queues.append(surroundings.makeQueue()) }
      return guarded.queues[lane]
    }
  }

  private func run(_ lane: Int) {
    // The last reference to an object of the app must not be released under the lock.
    var returned: Call?
    while let call = guarded.withLock({
      $0.plan.next(on: lane, at: surroundings.now(), after: &returned)
    }) {
      returned = nil
      perform(call)
    }
  }

  private func look(after delay: Duration) {
    surroundings.schedule(delay) { self.look() }
  }

  private func look() {
    let action = guarded.withLock { $0.plan.looked(at: surroundings.now()) }
    for lane in action.run { start(lane) }
    if let delay = action.lookAfter { look(after: delay) }
    guard let report, !action.reports.isEmpty else { return }
    surroundings.makeQueue()({ for one in action.reports { report(one) } })
  }
}

extension Lanes<Surroundings.Work> {
  /// For work of the library that may run code of the app: ends by time limits, and turns that
  /// others hand on.
  static let errands = Lanes(patience: .milliseconds(100), .system) { $0() }
}
