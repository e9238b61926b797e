/// The turns of a tracker, the depth of calls of the app, and the steps that are due.
///
/// The app's code runs only between two effects. Its calls change the engine at once, and their
/// effects queue up.
package struct Turns: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case resting
    /// The main queue takes a turn soon.
    case requested
    /// Whether another turn follows.
    case taking(isNextRequested: Bool)
  }

  /// Renders come after starts, so that a row that begins to load is rendered once.
  package enum Step: CaseIterable, Sendable {
    /// Commits arrivals, then evaluates.
    case evaluate
    case admit
    case performStarts
    case finish
    case performRenders
  }

  /// What follows a change, once it is complete.
  package struct FollowUp: Hashable, Sendable {
    package var hasWork = false
    /// Whether to post a turn to the main queue.
    var needsTurn = false

    package init() {}
  }

  package enum Task: Sendable {
    case perform(TrackerEngine.Effect)
    /// Forget these numbers.
    case forget(TrackerEngine.FreedNumbers)
    /// Fill the slots that became free.
    case admit
    /// Release objects of the app; without any, the loop ends.
    case release
    /// Stop here; a later loop continues.
    case pause
  }

  package struct Loop: Sendable {
    fileprivate var budget: Int

    var isSpent: Bool { budget <= 0 }
  }

  fileprivate(set) var phase = Phase.resting
  /// The number of calls of the app's code in progress.
  fileprivate var calls = 0
  /// Whether an admitted row needed no operation.
  fileprivate var hasFreedSlots = false
  /// The app's code may add this number of effects to a loop, so that each one ends; a later loop
  /// performs the rest.
  var addedEffects = 1_000

  // MARK: Requests

  var isRequested: Bool {
    switch phase {
    case .resting, .taking(isNextRequested: false): false
    case .requested, .taking(isNextRequested: true): true
    }
  }

  fileprivate var isTaking: Bool {
    switch phase {
    case .resting, .requested: false
    case .taking: true
    }
  }

  /// - Returns: Whether to post the turn to the main queue.
  package mutating func request() -> Bool {
    guard !isRequested else { return false }
    phase = isTaking ? .taking(isNextRequested: true) : .requested
    return true
  }

  /// A turn in progress requests the next one at its end.
  fileprivate mutating func request(ifNeeded isNeeded: Bool) -> Bool {
    guard isNeeded, phase == .resting else { return false }
    return request()
  }

  // MARK: Calls

  /// Code of the app may be running, called by a loop or a binding.
  var isBusy: Bool { calls > 0 }

  mutating func callBegan() { calls += 1 }

  mutating func callEnded() { calls -= 1 }

  /// An admitted row needed no operation.
  package mutating func slotFreed() { hasFreedSlots = true }
}

extension TrackerEngine {
  /// - Returns: Whether the call comes from inside another turn.
  package mutating func beginTurn() -> Bool {
    defer { turns.phase = .taking(isNextRequested: false) }
    return turns.isTaking
  }

  /// - Parameters:
  ///   - isNested: The answer of ``beginTurn()``.
  ///   - isContinued: Whether the shell has work for another turn.
  package mutating func turnEnded(
    isNested: Bool, isContinued: Bool, hasDiscarded: Bool
  ) -> Turns.FollowUp {
    if !isNested { turns.phase = turns.isRequested ? .requested : .resting }
    var next = followUp(hasDiscarded: hasDiscarded)
    if turns.request(ifNeeded: isContinued) { next.needsTurn = true }
    return next
  }

  /// What is due after a call of the app.
  ///
  /// Nothing follows within a call of the app's code: its caller goes on.
  package mutating func followUp(hasDiscarded: @autoclosure () -> Bool) -> Turns.FollowUp {
    var next = Turns.FollowUp()
    guard !turns.isBusy else { return next }
    let hasEffects = effects.count > 0 || turns.hasFreedSlots
    switch turns.phase {
    case .requested:
      // Discarded objects alone wait for the turn, since each row that scrolls past leaves some.
      next.hasWork = hasEffects
    case .taking:
      // Each turn runs the loop, also for values that were overwritten.
      next.hasWork = true
    case .resting:
      next.needsTurn = turns.request(ifNeeded: needsTurn)
      next.hasWork = hasEffects || !next.needsTurn && (hasFreedNumbers || hasDiscarded())
    }
    return next
  }

  // MARK: Loops

  package mutating func beginLoop() -> Turns.Loop {
    turns.callBegan()
    return Turns.Loop(budget: effects.count + turns.addedEffects)
  }

  package mutating func next(_ loop: inout Turns.Loop) -> Turns.Task {
    guard loop.budget > 0 else { return .pause }
    loop.budget -= 1
    if let effect = nextEffect() { return .perform(effect) }
    if let freed = takeFreedNumbers() { return .forget(freed) }
    guard turns.hasFreedSlots else { return .release }
    turns.hasFreedSlots = false
    return .admit
  }

  /// - Returns: Whether to post a turn.
  package mutating func endLoop(isDone: Bool) -> Bool {
    turns.callEnded()
    // If a loop stops in a turn, the end of the turn goes on.
    return turns.request(ifNeeded: !isDone || needsTurn)
  }
}
