import Foundation

/// The gate of an operation before its start: dependencies, then conditions, then its turn.
///
/// From `enqueue` on the operation depends on the gate's door, so that no thread waits.
///
/// If the queue is suspended, or the operation has dependencies, the gate brings a private
/// operation with the same dependencies. Its start shows that the queue can start the operation. A
/// turn that a suspended queue does not use goes back. An ``AsyncOperationQueue`` reports when it
/// goes on. In a plain queue another private operation shows that; it waits for barriers behind the
/// operation.
final class StartGate: Sendable {
  struct Plan {
    var conditions: [OperationCondition] = []
    var categories: [ExclusionCategory] = []
  }

  struct Contents {
    weak var operation: AsyncOperation?
    weak var queue: OperationQueue?
    var plan = Plan()
    var machine = StateMachine()
    var ticket: TurnTicket?
    /// Opens the door, a dependency of the operation, or ends its pause.
    var release: (@Sendable () -> Void)?
    var starter: PrivateOperation?
    var evaluation: ConditionTask?
  }

  let contents: Lock<Contents>

  init(_ operation: AsyncOperation) { contents = Lock(Contents(operation: operation)) }

  var operation: AsyncOperation? { contents.withLock { $0.operation } }

  var categories: [ExclusionCategory] { contents.withLock { $0.plan.categories } }

  private var isNeeded: Bool { operation?.isToStop == false }

  private var next: StateMachine.Action {
    guard isNeeded else { return .open }
    return contents.withLock { contents in
      if !contents.plan.conditions.isEmpty { return .evaluate }
      return contents.plan.categories.isEmpty ? .open : .join
    }
  }

  private func take(_ event: (inout StateMachine) -> StateMachine.Action) {
    switch contents.withLock({ event(&$0.machine) }) {
    case .none, .bringStarter: break
    case .evaluate: evaluate()
    case .join: join()
    case .open: open()
    case .leave: leave()
    }
  }

  // MARK: Entering

  /// - Returns: The private operation, if any.
  func enter(_ queue: OperationQueue) -> PrivateOperation? {
    guard let operation else { return nil }
    closeDoor(of: operation)
    let own = queue as? AsyncOperationQueue
    let isPlain = own == nil
    let waits =
      queue.isSuspended || own?.hasBarrier == true
      || operation.dependencies.contains { !$0.isFinished }
      || isPlain && TurnRegistry.isAnnounced(in: categories)
    if isPlain, waits || contents.withLock({ !$0.plan.conditions.isEmpty }) { announce() }
    let starter = waits ? starter(of: operation, in: queue) : nil
    let next = next
    let action = contents.withLock { contents in
      contents.queue = queue
      let action = contents.machine.entered(waits: waits, next)
      if action == .bringStarter { contents.starter = starter }
      return action
    }
    take { _ in action }
    guard action == .bringStarter, let starter else { return nil }
    for dependency in operation.dependencies { starter.addDependency(dependency) }
    return starter
  }

  private func announce() {
    TurnRegistry.announce(self, in: categories)
    // An end that came before has taken back nothing.
    leaveIfOver()
  }

  private func closeDoor(of operation: AsyncOperation) {
    let door = PrivateOperation(serving: operation)
    contents.withLock { $0.release = { door.start() } }
    operation.startWaiting(for: door)
    // The operation may need no start any more.
    leaveIfOver()
  }

  private func starter(
    of operation: AsyncOperation, in queue: OperationQueue
  ) -> PrivateOperation {
    let starter = PrivateOperation(serving: operation)
    // An app that finds it in the queue cannot add it to another one.
    _ = starter.claim(by: queue)
    if let home = queue as? AsyncOperationQueue { starter.belong(to: home, nil) }
    starter.queuePriority = operation.queuePriority
    starter.qualityOfService = operation.qualityOfService
    // Also after a cancel. Its slot is still taken, so the next one arrives later.
    starter.addObserver(
      OperationObserver(willFinish: { starter in
        // It may be one that was brought later.
        let isAwaited = self.contents.withLock { contents in
          guard contents.starter === starter else { return false }
          contents.starter = nil
          return true
        }
        if isAwaited { self.arrive() }
      }))
    return starter
  }

  private func arrive() {
    // One may be left, after a cancel of the starter alone.
    if isNeeded, let rest = operation?.dependencies.first(where: { !$0.isFinished }),
      rest.whenFinished({ self.arrive() })
    {
      return
    }
    let next = next
    take { $0.queueArrived(next) }
  }

  func dependencyAdded(_ dependency: Operation) {
    contents.withLock({ $0.starter })?.addDependency(dependency)
  }

  func dependencyRemoved(_ dependency: Operation) {
    contents.withLock({ $0.starter })?.removeDependency(dependency)
    queueResumed()
  }

  // MARK: The way

  private func evaluate() {
    guard let operation else { return }
    let evaluation = ConditionTask()
    let conditions = contents.withLock { contents in
      contents.evaluation = evaluation
      return contents.plan.conditions
    }
    if let awaited = operation.awaitedPriority { evaluation.awaited(at: awaited) }
    // After an earlier cancel, it evaluates none of them.
    evaluation.run(conditions, of: operation, while: { self.isNeeded }) { self.evaluated($0) }
  }

  private func evaluated(_ result: Result<Void, any Error>) {
    if case .failure(let reason) = result, isNeeded, let operation {
      // The app may have ended it meanwhile.
      operation.finish(reportsSecond: false) { operation.decideResult(throwing: reason) }
    }
    releaseClosures()
    let next = next
    take { $0.evaluated(next) }
  }

  private func join() {
    guard let operation else { return }
    // A start that comes later finds the ticket.
    let (ticket, hasTurn) = TurnRegistry.join(self, categories, hasBegun: operation.hasBegun) {
      ticket in contents.withLock { $0.ticket = ticket }
    }
    take { $0.joined(hasTurn: hasTurn) }
    takePlace(operation, ticket)
    guard !hasTurn else { return }
    // Other threads may add to the queue when a report calls code of the app.
    Unnested.handOn { if operation.canBeInCircle { WaitGraph.look(from: operation) } }
  }

  func turnCame() { take { $0.turnCame() } }

  private func open() {
    // Together: another thread may return the turn meanwhile, and close another door.
    let now = contents.withLock { contents in
      defer { contents.release = nil }
      return contents
    }
    let hasTurn = now.machine.hasTurn
    // It may have joined no line.
    if !hasTurn { TurnRegistry.withdraw(self, from: categories) }
    // Before the door opens: the queue may start the operation at once.
    now.operation?.passGate(with: hasTurn ? self : nil)
    now.release?()
    // An earlier request for the turn found a closed gate.
    if hasTurn, let ticket = now.ticket { giveTurn(hasBegun: TurnRegistry.isInTheWay(ticket)) }
  }

  /// For when it gets in line, goes forward as it has begun, or goes back.
  private func takePlace(_ operation: AsyncOperation, _ ticket: TurnTicket) {
    let hasBegun = operation.hasBegun
    TurnRegistry.clearWay(for: ticket, hasBegun: hasBegun) { !isHeld }
    // Those behind it were there before it, and may be awaited.
    if hasBegun, let awaited = TurnRegistry.awaitedPriority(behind: ticket) {
      operation.raise(to: awaited)
    }
    guard !isHeld, let awaited = operation.awaitedPriority else { return }
    for other in operationsAhead { other.raise(to: awaited) }
  }

  // MARK: Without the turn

  func giveTurn(hasBegun: Bool) {
    if contents.withLock({ $0.queue })?.isSuspended == true {
      returnTurn()
    } else if hasBegun {
      yieldTurn()
    }
  }

  private func yieldTurn() {
    guard isHeld, let operation, operation.closeGate() else { return }
    closeDoor(of: operation)
    let ticket = contents.withLock { $0.machine.turnYielded() ? $0.ticket : nil }
    guard let ticket else { return }
    TurnRegistry.yield(ticket)
    takePlace(operation, ticket)
  }

  func returnTurn() {
    guard isHeld, let operation, let queue = contents.withLock({ $0.queue }), queue.isSuspended,
      operation.closeGate()
    else { return }
    closeDoor(of: operation)
    let starter = queue is AsyncOperationQueue ? nil : starter(of: operation, in: queue)
    let ticket = contents.withLock { contents -> TurnTicket? in
      guard contents.machine.turnReturned() else { return nil }
      defer { contents.ticket = nil }
      contents.starter = starter
      return contents.ticket
    }
    guard let ticket else { return }
    // Before the next in line return their turns, so that the line keeps its order.
    if let starter { queue.addBatch([starter]) }
    Unnested.handOn { [self] in
      TurnRegistry.leave(ticket)
      contents.withLock { $0.machine.turnLeft() }
      if operation.hasBegun { arrive() } else { queueResumed() }
    }
  }

  func queueResumed() {
    let now = contents.withLock { $0 }
    if now.machine.isInQueue, now.starter == nil, now.queue?.isSuspended == false { arrive() }
  }

  /// It starts again when it passes the gate.
  func startedBeforeTurn(_ operation: AsyncOperation) {
    let now = contents.withLock { contents in
      defer { contents.starter = nil }
      return contents
    }
    if let ticket = now.ticket {
      TurnRegistry.begun(ticket)
      takePlace(operation, ticket)
    }
    arrive()
    now.starter?.cancel()
  }

  func pause() {
    let ticket = contents.withLock { contents -> TurnTicket? in
      guard contents.machine.paused() else { return nil }
      defer { contents.ticket = nil }
      return contents.ticket
    }
    if let ticket { TurnRegistry.leave(ticket) }
  }

  /// Gets in line again after a pause.
  ///
  /// - Parameter release: Called once, at the turn or the end.
  /// - Returns: `false` if it needs no turn; `release` is then not called.
  func resume(_ release: @escaping @Sendable () -> Void) -> Bool {
    let action = contents.withLock { contents in
      let action = contents.machine.resumed()
      if action == .join { contents.release = release }
      return action
    }
    take { _ in action }
    return action == .join
  }

  // MARK: Leaving

  func operationDecided(_ operation: AsyncOperation) {
    ended()
    // A queue that has started it does not do so again.
    operation.passGate(with: nil)
  }

  /// It needs no start and no turn any more.
  func ended() { take { $0.ended() } }

  /// The turn lasts until the end of the work, which may outlast the operation.
  ///
  /// The `willFinish` observers may still use the exclusive resource.
  func operationFinished(_ operation: AsyncOperation) {
    guard isHeld else { return ended() }
    if operation.worksOn { operation.watchWork(by: .shared) }
    operation.whenWorkEnds { self.ended() }
  }

  private func leave() {
    // Used outside the lock.
    let old = contents.withLock { contents in
      defer { (contents.ticket, contents.starter, contents.release) = (nil, nil, nil) }
      return contents
    }
    if let ticket = old.ticket { TurnRegistry.leave(ticket) }
    TurnRegistry.withdraw(self, from: categories)
    old.starter?.cancel()
    if let operation = old.operation { old.evaluation?.cancelTask(of: operation) }
    releaseClosures()
    old.release?()
  }

  private func leaveIfOver() { take { $0.isOver ? .leave : .none } }

  private func releaseClosures() {
    _ = contents.withLock { contents in
      defer { (contents.plan.conditions, contents.evaluation) = ([], nil) }
      return (contents.plan.conditions, contents.evaluation)
    }
  }
}
