/// Makes calls that belong to the app, away from the caller, one after the other.
///
/// A call that blocks keeps its thread. Those behind it go on, on another one, when it has run for
/// as long as the patience.
///
/// - Thread A requests a call while the lane makes its last one. Either the lane finds the call, or
///   it has ended under the lock and A starts a new one.
final class Lanes<Call: Sendable>: Sendable {
  private struct Guarded {
    /// The calls that wait, the first ones last, and those that came after them.
    private var first: [Call] = []
    private var later: [Call] = []
    /// The number of the lane that takes calls.
    var lane = 0
    /// Whether that lane runs, its call, and the beginning of the call.
    var isRunning = false
    var current: (call: Call, since: ContinuousClock.Instant)?
    var isLooking = false

    mutating func add(_ call: Call) { later.append(call) }

    mutating func popFirst() -> Call? {
      if first.isEmpty {
        first = later.reversed()
        later = []
      }
      return first.popLast()
    }

    /// - Returns: The number of a lane to run; `nil` if one runs, or no call waits.
    mutating func startLane() -> Int? {
      guard !isRunning, !(first.isEmpty && later.isEmpty) else { return nil }
      isRunning = true
      lane += 1
      return lane
    }
  }

  private let patience: Duration
  private let surroundings: Surroundings
  private let perform: @Sendable (Call) -> Void
  private let blocked: (@Sendable (Call) -> Void)?
  private let guarded = Lock(Guarded())

  /// - Parameter blocked: Called on a thread of its own, once for each call that blocks.
  init(
    patience: Duration, _ surroundings: Surroundings, blocked: (@Sendable (Call) -> Void)? = nil,
    perform: @escaping @Sendable (Call) -> Void
  ) {
    self.patience = patience
    self.surroundings = surroundings
    self.perform = perform
    self.blocked = blocked
  }

  /// Makes a call soon, and returns at once.
  func make(_ call: Call) {
    let (lane, looks) = guarded.withLock { guarded in
      guarded.add(call)
      defer { guarded.isLooking = true }
      return (guarded.startLane(), !guarded.isLooking)
    }
    if let lane { run(lane) }
    if looks { look(after: patience) }
  }

  private func run(_ lane: Int) {
    surroundings.run {
      // The last reference to an object of the app must not be released under the lock.
      var returned: Call?
      while let call = self.next(on: lane, after: &returned) {
        returned = nil
        self.perform(call)
      }
    }
  }

  private func next(on lane: Int, after returned: inout Call?) -> Call? {
    guarded.withLock { guarded in
      guard lane == guarded.lane else { return nil }
      returned = guarded.current?.call
      let next = guarded.popFirst()
      guarded.current = next.map { ($0, surroundings.now()) }
      guarded.isRunning = next != nil
      return next
    }
  }

  private func look(after delay: Duration) {
    surroundings.schedule(delay) { self.look() }
  }

  private func look() {
    let (lane, call, delay) = guarded.withLock { guarded -> (Int?, Call?, Duration?) in
      guard let current = guarded.current else {
        guarded.isLooking = guarded.isRunning
        return (nil, nil, guarded.isRunning ? patience : nil)
      }
      let rest = patience - current.since.duration(to: surroundings.now())
      guard rest <= .zero else { return (nil, nil, rest) }
      // The lane ends when its call returns.
      guarded.lane += 1
      (guarded.isRunning, guarded.current) = (false, nil)
      let lane = guarded.startLane()
      guarded.isLooking = lane != nil
      return (lane, current.call, lane.map { _ in patience })
    }
    if let lane { run(lane) }
    if let delay { look(after: delay) }
    if let call, let blocked { surroundings.run { blocked(call) } }
  }
}

extension Lanes<Surroundings.Work> {
  /// For work of the library that may run code of the app: ends by time limits, and turns that
  /// others hand on.
  static let errands = Lanes(patience: .milliseconds(100), .system) { $0() }
}
