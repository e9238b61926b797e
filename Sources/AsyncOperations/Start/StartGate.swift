import Foundation

/// The gate that an operation passes before it starts: its queue, then its dependencies, then its
/// conditions, then its turn.
///
/// It performs the actions of its ``StateMachine``.
///
/// From `enqueue` on the operation depends on the gate's door. So the queue does the waiting: no
/// thread waits, and no operation needs to override `isReady`.
///
/// If the queue is suspended, or an operation before this one has not joined its line yet, the
/// operation brings a private operation. Its start shows that the queue starts operations. A turn
/// that came earlier would be a turn without a slot, for which others wait in vain.
final class StartGate: OperationGate {
  struct Plan {
    var conditions: [OperationCondition] = []
    var categories: [ExclusionCategory] = []
    /// Ends the operation with a condition's reason.
    var fail: (@Sendable (any Error) -> Void)?
  }

  struct Contents {
    weak var operation: AsyncOperation?
    weak var queue: OperationQueue?
    var plan = Plan()
    var machine = StateMachine()
    var ticket: TurnTicket?
    var isAnnounced = false
    /// Whether a queue is about to add the operation, and looks for circles after that.
    var isEntering = false
    /// Whether the turn ends when `main()` returns.
    var endsWithMain = false
    var isOpen = false
    var door: PrivateOperation?
    var waiting = Waiting()
  }

  /// The objects of an operation that waits.
  struct Waiting {
    var watches: [StateMachine.Dependency: EndWatch] = [:]
    var evaluation: ConditionTask?
    var starter: PrivateOperation?
  }

  let contents: Lock<Contents>

  init(_ operation: AsyncOperation) { contents = Lock(Contents(operation: operation)) }

  func change(_ change: (inout Plan) -> Void) { contents.withLock { change(&$0.plan) } }

  /// `nil` if the operation is deallocated.
  var operation: AsyncOperation? { contents.withLock { $0.operation } }

  /// The part of the way that the operation has to go; `nil` if it needs no start.
  private func plan(of operation: AsyncOperation?) -> StateMachine.Plan? {
    guard let operation, !operation.isToStop else { return nil }
    return contents.withLock { contents in
      .init(
        hasConditions: !contents.plan.conditions.isEmpty,
        hasCategories: !contents.plan.categories.isEmpty)
    }
  }

  // MARK: Entering

  func enter(
    _ operation: AsyncOperation, in queue: OperationQueue, isHeldUp: Bool
  ) -> GateEntry {
    let categories = contents.withLock { contents in
      (contents.queue, contents.isEntering) = (queue, true)
      return contents.plan.categories
    }
    let isHeldUp = isHeldUp || TurnRegistry.isAnnounced(in: categories)
    let action = contents.withLock { $0.machine.entered(isHeldUp: isHeldUp) }
    if isHeldUp || waits(operation) { announce(in: categories) }
    var entry = GateEntry()
    if action == .bringStarter { entry.starter = starter(of: operation, in: queue) }
    perform(action, operation)
    entry.door = closedDoor()
    contents.withLock { $0.isEntering = false }
    return entry
  }

  /// Whether the operation has something to wait for before its line.
  private func waits(_ operation: AsyncOperation) -> Bool {
    contents.withLock { !$0.plan.conditions.isEmpty }
      || operation.dependencies.contains { !$0.isFinished }
  }

  /// Lets later operations of the categories know that this one will join their lines.
  private func announce(in categories: [ExclusionCategory]) {
    guard !categories.isEmpty else { return }
    TurnRegistry.announce(in: categories)
    let isOver = contents.withLock { contents in
      contents.isAnnounced = !contents.machine.isOver
      return contents.machine.isOver
    }
    // A cancel that came before has taken back nothing.
    if isOver { TurnRegistry.withdraw(from: categories) }
  }

  /// Takes the announcement back, if there is one.
  private func withdraw() {
    let announced = contents.withLock { contents in
      defer { contents.isAnnounced = false }
      return contents.isAnnounced ? contents.plan.categories : []
    }
    if !announced.isEmpty { TurnRegistry.withdraw(from: announced) }
  }

  private func starter(
    of operation: AsyncOperation, in queue: OperationQueue
  ) -> PrivateOperation {
    let starter = PrivateOperation(serving: operation)
    // An app that finds it in the queue can neither start it nor add it to another one.
    starter.noteAdd(to: queue)
    starter.queuePriority = operation.queuePriority
    starter.qualityOfService = operation.qualityOfService
    // Also if it was cancelled by itself.
    _ = starter.watchEnd {
      self.perform(self.contents.withLock { $0.machine.queueArrived() }, self.operation)
    }
    contents.withLock { $0.waiting.starter = starter }
    return starter
  }

  /// The door that the operation waits for; `nil` if the gate is open.
  func closedDoor() -> PrivateOperation? {
    contents.withLock { contents in
      guard !contents.isOpen else { return nil }
      let door = PrivateOperation(serving: contents.operation)
      contents.door = door
      return door
    }
  }

  // MARK: The way

  private func perform(_ action: StateMachine.Action, _ operation: AsyncOperation?) {
    switch action {
    case .none, .bringStarter: break
    case .readDependencies: readDependencies(of: operation)
    case .evaluate: evaluate(operation)
    case .join: join(operation)
    case .open: open(operation)
    }
  }

  private func readDependencies(of operation: AsyncOperation?) {
    let unfinished = (operation?.dependencies ?? []).filter { !$0.isFinished }
    let plan = plan(of: operation)
    let action = contents.withLock { contents in
      contents.waiting.starter = nil
      return contents.machine.dependenciesRead(Set(unfinished.map(ObjectIdentifier.init)), plan)
    }
    perform(action, operation)
    for dependency in unfinished { watch(dependency) }
  }

  func dependencyAdded(_ dependency: Operation) {
    let isAwaited = contents.withLock {
      $0.machine.dependencyAdded(ObjectIdentifier(dependency))
    }
    if isAwaited { watch(dependency) }
  }

  private func watch(_ dependency: Operation) {
    let id = ObjectIdentifier(dependency)
    guard let watch = dependency.whenFinished({ self.dependencyGone(id) }) else {
      return dependencyGone(id)
    }
    let isAwaited = contents.withLock { contents in
      guard contents.machine.awaits(id) else { return false }
      contents.waiting.watches[id] = watch
      return true
    }
    if !isAwaited { watch.cancel() }
  }

  func dependencyRemoved(_ dependency: Operation) { dependencyGone(ObjectIdentifier(dependency)) }

  private func dependencyGone(_ id: ObjectIdentifier) {
    let operation = operation
    let plan = plan(of: operation)
    let (watch, action) = contents.withLock { contents in
      (contents.waiting.watches.removeValue(forKey: id), contents.machine.dependencyGone(id, plan))
    }
    watch?.cancel()
    perform(action, operation)
  }

  private func evaluate(_ operation: AsyncOperation?) {
    guard let operation else { return }
    let evaluation = ConditionTask()
    let conditions = contents.withLock { contents in
      contents.waiting.evaluation = evaluation
      return contents.plan.conditions
    }
    // After an earlier cancel, which found no task, it evaluates none of them.
    evaluation.run(conditions, of: operation, while: { self.plan(of: self.operation) != nil }) {
      self.evaluated($0)
    }
  }

  private func evaluated(_ result: Result<Void, any Error>) {
    let operation = operation
    let plan = plan(of: operation)
    let fail = contents.withLock { $0.plan.fail }
    if case .failure(let reason) = result, plan != nil { fail?(reason) }
    let isSatisfied = (try? result.get()) != nil
    perform(contents.withLock { $0.machine.evaluated(isSatisfied: isSatisfied, plan) }, operation)
    releaseClosures()
  }

  private func join(_ operation: AsyncOperation?) {
    let categories = contents.withLock { $0.plan.categories }
    let (ticket, hasTurn) = TurnRegistry.join(self, categories)
    let (action, isEntering) = contents.withLock { contents in
      contents.ticket = ticket
      return (contents.machine.joined(hasTurn: hasTurn), contents.isEntering)
    }
    withdraw()
    switch action {
    case .none: if let operation, !isEntering { WaitGraph.edgeGained(by: operation) }
    case .open: open(operation)
    case .leave: TurnRegistry.leave(ticket)
    }
  }

  func open(_ operation: AsyncOperation?) {
    // It may pass without having joined a line.
    withdraw()
    let hasTurn = contents.withLock { $0.machine.hasTurn }
    // Before the gate reads as open: a thread that finds it open adds the operation to its queue,
    // which may start it at once.
    operation?.passGate(with: hasTurn ? self : nil)
    openDoor()
  }

  private func openDoor() {
    let door = contents.withLock { contents in
      contents.isOpen = true
      defer { contents.door = nil }
      return contents.door
    }
    door?.start()
  }

  // MARK: Leaving

  /// An executing operation keeps its turn until it has finished.
  func operationCancelled(_ operation: AsyncOperation) {
    if operation.state == .pending {
      leave(contents.withLock { $0.machine.abandoned() }, operation)
    }
  }

  func operationDropped() { leave(contents.withLock { $0.machine.abandoned() }, nil) }

  /// The turn lasts until the operation has finished: its `willFinish` observers may still use the
  /// exclusive resource.
  ///
  /// It outlasts the operation if the work goes on.
  func operationFinished(_ operation: AsyncOperation) {
    let action = contents.withLock { $0.machine.finished() }
    guard action == .keepTurn else { return leave(action, operation) }
    switch operation.workAfterEnd {
    case .none:
      workEnded()
    case .ownMain:
      contents.withLock { $0.endsWithMain = true }
    case .other:
      let watch = OverstayWatch.shared
      let ticket = operation.context.map { watch.turnKept($0, after: operation) }
      operation.whenWorkEnds {
        if let ticket { watch.forget(ticket) }
        self.workEnded()
      }
    }
  }

  func mainReturned() {
    if contents.withLock({ $0.endsWithMain }) { workEnded() }
  }

  private func workEnded() { leave(contents.withLock { $0.machine.workEnded() }, operation) }

  private func leave(_ action: StateMachine.EndAction, _ operation: AsyncOperation?) {
    guard action == .leave else { return }
    withdraw()
    let (ticket, waiting, isOpen) = contents.withLock { contents in
      defer { (contents.ticket, contents.waiting) = (nil, Waiting()) }
      return (contents.ticket, contents.waiting, contents.isOpen)
    }
    if let ticket { TurnRegistry.leave(ticket) }
    // Nothing is left of the way of an operation that has had its turn.
    guard !isOpen else { return }
    for watch in waiting.watches.values { watch.cancel() }
    if let operation { waiting.evaluation?.cancelTask(of: operation) }
    waiting.starter?.cancel()
    releaseClosures()
    openDoor()
  }

  /// Releases the app's closures, outside the lock.
  private func releaseClosures() {
    let released = contents.withLock { contents in
      let released = (contents.plan.conditions, contents.plan.fail, contents.waiting.evaluation)
      (contents.plan.conditions, contents.plan.fail, contents.waiting.evaluation) = ([], nil, nil)
      return released
    }
    withExtendedLifetime(released) {}
  }
}
