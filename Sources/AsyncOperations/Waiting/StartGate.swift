import Foundation

/// The gate that an operation passes before it starts: its queue and its dependencies, then its
/// conditions, then its turn.
///
/// From `enqueue` on the operation depends on the gate's door, so that no thread waits.
///
/// If the queue is suspended, or the operation has dependencies, it brings a private operation with
/// the same dependencies. Its start shows that the queue can start the operation. A turn that a
/// suspended queue does not use goes back. An ``AsyncOperationQueue`` reports when it goes on. In a
/// plain queue another private operation shows that; it waits for barriers behind the operation.
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
    /// A dependency of the operation, which ends when the operation may start.
    var door: PrivateOperation?
    var starter: PrivateOperation?
    var evaluation: ConditionTask?
    /// Called when the turn comes of an operation that cannot be held back by the door.
    var turnCame: (@Sendable () -> Void)?
  }

  let contents: Lock<Contents>

  init(_ operation: AsyncOperation) { contents = Lock(Contents(operation: operation)) }

  func change(_ change: (inout Plan) -> Void) { contents.withLock { change(&$0.plan) } }

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

  func enter(
    _ operation: AsyncOperation, in queue: OperationQueue
  ) -> PrivateOperation? {
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
    if contents.withLock({ $0.machine.isOver }) { TurnRegistry.withdraw(self, from: categories) }
  }

  private func closeDoor(of operation: AsyncOperation) {
    let door = PrivateOperation(serving: operation)
    contents.withLock { $0.door = door }
    operation.startWaiting(for: door)
    // The operation may need no start any more.
    if contents.withLock({ $0.machine.isOver }) { takeDoor()?.start() }
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
    // Also if it was cancelled by itself. Its slot is still taken, so the next one arrives later.
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
    // One may be left, as after a cancel of the starter alone.
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
    // After an earlier cancel, which found no task, it evaluates none of them.
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
    let hasBegun = contents.withLock { $0.turnCame != nil }
    let (ticket, hasTurn) = TurnRegistry.join(self, categories, hasBegun: hasBegun) { ticket in
      contents.withLock { $0.ticket = ticket }
    }
    take { $0.joined(hasTurn: hasTurn) }
    guard !hasTurn, let operation else { return }
    TurnRegistry.clearWay(for: ticket, hasBegun: hasBegun) { !isHeld }
    if let awaited = operation.awaitedPriority {
      for other in operationsAhead { other.raise(to: awaited) }
    }
    // Other threads may add to the queue when a report calls code of the app.
    Unnested.handOn { if operation.canBeInCircle { WaitGraph.look(from: operation) } }
  }

  func turnCame() { take { $0.turnCame() } }

  private func open() {
    // Together: another thread may return the turn meanwhile, and close another door.
    let (hasTurn, ticket, door) = contents.withLock { contents in
      defer { contents.door = nil }
      return (contents.machine.hasTurn, contents.ticket, contents.door)
    }
    // It may need no turn any more, and so have joined no line.
    if !hasTurn { TurnRegistry.withdraw(self, from: categories) }
    // Before the door opens: the queue may start the operation at once.
    operation?.passGate(with: hasTurn ? self : nil)
    callTurnCame()
    door?.start()
    // Another thread that asked for the turn before found a closed gate.
    if hasTurn, let ticket { giveTurn(hasBegun: TurnRegistry.isInTheWay(ticket)) }
  }

  private func callTurnCame() {
    let turnCame = contents.withLock { contents in
      defer { contents.turnCame = nil }
      return contents.turnCame
    }
    turnCame?()
  }

  private func takeDoor() -> PrivateOperation? {
    contents.withLock { contents in
      defer { contents.door = nil }
      return contents.door
    }
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
    if let ticket { TurnRegistry.yield(ticket) }
  }

  func returnTurn() {
    guard isHeld, let operation, let queue = contents.withLock({ $0.queue }), queue.isSuspended,
      operation.closeGate()
    else { return }
    closeDoor(of: operation)
    let starter = queue is AsyncOperationQueue ? nil : starter(of: operation, in: queue)
    let (isReturned, hasStarted, ticket) = contents.withLock { contents in
      guard contents.machine.turnReturned() else { return (false, false, nil as TurnTicket?) }
      defer { contents.ticket = nil }
      let hasStarted = contents.turnCame != nil
      if !hasStarted { contents.starter = starter }
      return (true, hasStarted, contents.ticket)
    }
    guard isReturned else { return }
    // Before the next in line return their turns, so that the line keeps its order.
    if !hasStarted, let starter { queue.addBatch([starter]) }
    Unnested.handOn { [self] in
      if let ticket { TurnRegistry.leave(ticket) }
      if hasStarted { arrive() } else { queueResumed() }
    }
  }

  func queueResumed() {
    let (isReturned, queue) = contents.withLock { contents in
      (contents.machine.isInQueue && contents.starter == nil, contents.queue)
    }
    if isReturned, queue?.isSuspended == false { arrive() }
  }

  /// The queue has started it without its turn: it starts again when the turn comes.
  func startedBeforeTurn(_ operation: AsyncOperation) {
    let (starter, ticket) = contents.withLock { contents in
      contents.turnCame = { operation.start() }
      defer { contents.starter = nil }
      return (contents.starter, contents.ticket)
    }
    if let ticket {
      TurnRegistry.begun(ticket)
      TurnRegistry.clearWay(for: ticket, hasBegun: true) { !isHeld }
    }
    arrive()
    starter?.cancel()
    // The turn may have come meanwhile, or the end.
    if !operation.isHeldByGate { callTurnCame() }
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
  /// - Parameter turnCame: Called once when the operation has its turn, unless it ends before.
  /// - Returns: `false` if it needs no turn; `turnCame` is then not called.
  func resume(_ turnCame: @escaping @Sendable () -> Void) -> Bool {
    let action = contents.withLock { contents in
      let action = contents.machine.resumed()
      if action == .join { contents.turnCame = turnCame }
      return action
    }
    take { _ in action }
    return action == .join
  }

  // MARK: Leaving

  func operationDecided(_ operation: AsyncOperation) {
    take { $0.ended() }
    // A queue that has started it does not do so again.
    callTurnCame()
  }

  func operationDropped() { take { $0.ended() } }

  /// The turn lasts until the operation has finished, and outlasts it if its work goes on.
  ///
  /// The `willFinish` observers may still use the exclusive resource.
  func operationFinished(_ operation: AsyncOperation) {
    guard contents.withLock({ $0.machine.hasTurn }) else { return take { $0.ended() } }
    if operation.worksOn { operation.watchWork(by: .shared) }
    operation.whenWorkEnds { self.take { $0.ended() } }
  }

  private func leave() {
    let (ticket, starter, evaluation, operation) = contents.withLock { contents in
      defer { (contents.ticket, contents.starter) = (nil, nil) }
      return (contents.ticket, contents.starter, contents.evaluation, contents.operation)
    }
    if let ticket { TurnRegistry.leave(ticket) }
    TurnRegistry.withdraw(self, from: categories)
    starter?.cancel()
    if let operation { evaluation?.cancelTask(of: operation) }
    releaseClosures()
    takeDoor()?.start()
  }

  private func releaseClosures() {
    _ = contents.withLock { contents in
      defer { (contents.plan.conditions, contents.evaluation) = ([], nil) }
      return (contents.plan.conditions, contents.evaluation)
    }
  }
}
