import Foundation

/// The gate that an operation passes before it starts: dependencies, then conditions, then its
/// turn.
///
/// If there is something to wait for, the operation depends on the gate's door from `enqueue` on.
/// So the queue does the waiting: no thread waits, and no operation needs to override `isReady`.
///
/// - Thread A moves the gate on; thread B cancels the operation. A itself ends the work that it
///   began in between (an evaluation, a place in line), since it then finds that the gate is over.
final class StartGate: Sendable {
  /// The operation's dependency while the gate is closed; it is in no queue.
  final class Door: AsyncOperation, @unchecked Sendable {
    // Sendable: it has no mutable state.
    override func main() { finish() }
  }

  struct Plan {
    var conditions: [OperationCondition] = []
    /// For each category, how many operations may execute at once.
    var limits: [ExclusionCategory: Int] = [:]
    /// Ends the operation with a condition's reason.
    var fail: (@Sendable (any Error) -> Void)?
  }

  private enum Dependency {
    case ours
    /// An operation that is not of this library; the payload waits for it.
    case followed(AsyncOperation)
  }

  private struct Contents {
    weak var operation: AsyncOperation?
    var plan = Plan()
    /// The dependencies that have not finished, once all are known.
    var dependencies: [ObjectIdentifier: Dependency]?
    var evaluation: TaskOperation<Void>?
    var ticket: ExclusionTicket?
    /// Whether the operation no longer waits for anything.
    var isOver = false
    var isOpen = false
    var door: Door?
  }

  private let contents: Lock<Contents>

  init(_ operation: AsyncOperation) { contents = Lock(Contents(operation: operation)) }

  func change(_ change: (inout Plan) -> Void) { contents.withLock { change(&$0.plan) } }

  // MARK: Passing

  /// The operation is about to be added to its queue.
  func enter(_ operation: AsyncOperation) {
    let unfinished = operation.dependencies.filter { !$0.isFinished }
    let isOver = contents.withLock { contents in
      if contents.isOver { return true }
      contents.dependencies = Dictionary(
        unfinished.map { (ObjectIdentifier($0), Dependency.ours) }, uniquingKeysWith: { $1 })
      return false
    }
    if isOver { return }
    for dependency in unfinished {
      let id = ObjectIdentifier(dependency)
      if let follower = dependency.whenFinished({ self.dependencyGone(id) }) {
        follow(id, with: follower)
      }
    }
    if unfinished.isEmpty { evaluate() }
  }

  private func follow(_ id: ObjectIdentifier, with follower: AsyncOperation) {
    let isWanted = contents.withLock { contents in
      guard contents.dependencies?[id] != nil else { return false }
      contents.dependencies?[id] = .followed(follower)
      return true
    }
    if !isWanted { follower.cancel() }
  }

  /// The operation no longer waits for a dependency: it has finished, or it was removed.
  func dependencyGone(_ id: ObjectIdentifier) {
    let (dependency, isLast) = contents.withLock { contents in
      let dependency = contents.dependencies?.removeValue(forKey: id)
      return (dependency, dependency != nil && contents.dependencies?.isEmpty == true)
    }
    if case .followed(let follower) = dependency { follower.cancel() }
    if isLast { evaluate() }
  }

  /// The operation, if it still has to pass the gate.
  private var waiting: AsyncOperation? {
    let operation = contents.withLock { $0.isOver ? nil : $0.operation }
    return operation.flatMap { $0.isToStop ? nil : $0 }
  }

  private func evaluate() {
    let conditions = contents.withLock { $0.plan.conditions }
    guard let operation = waiting, !conditions.isEmpty else { return lineUp() }
    let evaluation = TaskOperation {
      for condition in conditions { try await condition.evaluate() }
    }
    evaluation.qualityOfService = operation.effectiveQualityOfService
    contents.withLock { $0.evaluation = evaluation }
    evaluation.onResult { self.evaluated($0) }
    evaluation.start()
    if waiting == nil { evaluation.cancel() }
  }

  private func evaluated(_ result: Result<Void, any Error>) {
    switch result {
    case .success:
      lineUp()
    case .failure(let reason):
      if waiting != nil { contents.withLock { $0.plan.fail }?(reason) }
      open()
    }
    releaseConditions()
  }

  private func lineUp() {
    let limits = contents.withLock { $0.plan.limits }
    guard waiting != nil, !limits.isEmpty else { return open() }
    let (ticket, isFirst) = ExclusionRegistry.join(self, limits)
    let isOver = contents.withLock { contents in
      contents.ticket = ticket
      return contents.isOver
    }
    if isOver { ExclusionRegistry.leave(ticket) }
    if isFirst || isOver { open() }
  }

  /// The operation has its turn in all its lines.
  func turnCame() { open() }

  private func open() {
    // Before the gate reads as open: a thread that finds it open adds the operation to its queue,
    // which may start it at once.
    contents.withLock { $0.operation }?.gatePassed()
    let (isFirst, door) = contents.withLock { contents in
      defer { contents.isOpen = true }
      return (!contents.isOpen, contents.door)
    }
    if isFirst { door?.start() }
  }

  /// The door that the operation waits for; `nil` if the gate is open.
  func closedDoor() -> Door? {
    contents.withLock { contents in
      guard !contents.isOpen else { return nil }
      let door = Door()
      contents.door = door
      return door
    }
  }

  // MARK: Leaving

  /// An executing operation keeps its turn until it has finished.
  func operationCancelled(_ operation: AsyncOperation) {
    let evaluation = contents.withLock { $0.evaluation }
    evaluation?.cancel()
    if operation.state == .pending { leave() }
  }

  /// The turn lasts until the operation has finished: its `willFinish` observers may still use the
  /// exclusive resource.
  func operationFinished(_ operation: AsyncOperation) { leave() }

  fileprivate func leave() {
    let (isFirst, ticket) = contents.withLock { contents in
      defer { contents.isOver = true }
      return (!contents.isOver, contents.ticket)
    }
    guard isFirst else { return }
    if let ticket { ExclusionRegistry.leave(ticket) }
    stopFollowing()
    releaseConditions()
    open()
  }

  private func stopFollowing() {
    let dependencies = contents.withLock { contents in
      defer { contents.dependencies = nil }
      return contents.dependencies ?? [:]
    }
    for case .followed(let follower) in dependencies.values { follower.cancel() }
  }

  /// Releases the app's closures, outside the lock.
  private func releaseConditions() {
    let released = contents.withLock { contents in
      defer {
        (contents.plan.conditions, contents.plan.fail, contents.evaluation) = ([], nil, nil)
      }
      return (contents.plan.conditions, contents.plan.fail, contents.evaluation)
    }
    withExtendedLifetime(released) {}
  }

  // MARK: Explanation

  /// The reason why the operation waits here, in words; `nil` if it does not wait.
  var explanation: String? {
    let (evaluation, ticket, limits) = contents.withLock {
      ($0.evaluation, $0.ticket, $0.plan.limits)
    }
    if let ticket {
      let positions = ExclusionRegistry.countsBefore(ticket, in: limits.keys)
        .filter { $0.count >= limits[$0.category] ?? 1 }
        .sorted { $0.category.name < $1.category.name }
        .map { "\(($0.count + 1).ordinal) in line for '\($0.category.name)'" }
      return positions.isEmpty ? nil : "it is \(positions.joined(separator: " and "))"
    }
    return evaluation.map { _ in "it waits for its conditions, which are being evaluated" }
  }
}

/// Belongs to the operation, so that its gate also leaves when the operation is deallocated.
private final class GateHolder: Sendable {
  let gate: StartGate

  init(_ gate: StartGate) { self.gate = gate }

  deinit { gate.leave() }
}

extension AsyncOperation {
  /// Whether an operation has a gate to pass before it starts.
  enum Passage {
    case none
    case closed(StartGate)
    case passed
  }

  /// Changes the plan of the operation's gate.
  ///
  /// If a queue has the operation, the change is refused and reported.
  func changeGate(_ change: (inout StartGate.Plan) -> Void) {
    let new = StartGate(self)
    let gate = guarded.withLock { guarded -> StartGate? in
      guard !guarded.membership.isAdded, !guarded.machine.wasStarted else { return nil }
      guard case .closed(let gate) = guarded.gate else {
        new.change(change)
        guarded.gate = .closed(new)
        return new
      }
      gate.change(change)
      return gate
    }
    guard let gate else {
      OperationDiagnostics.report(
        .addedTooLate, self,
        """
        A condition or a category was added after the operation was enqueued or started, which was \
        ignored. Add it before.
        """)
      return
    }
    guard gate === new else { return }
    let holder = GateHolder(gate)
    addObserver(
      OperationObserver(
        cancelled: { holder.gate.operationCancelled($0) },
        didFinish: { holder.gate.operationFinished($0) }))
    // The operation was cancelled before it had an observer to call.
    if isCancelled { gate.operationCancelled(self) }
  }

  /// Makes the operation wait for its gate, and begins its way through the gate.
  func enterGate() {
    guard case .closed(let gate) = guarded.withLock({ $0.gate }) else { return }
    gate.enter(self)
    if let door = gate.closedDoor() { startWaiting(for: door) }
  }

  func dependencyRemoved(_ dependency: Operation) {
    guard case .closed(let gate) = guarded.withLock({ $0.gate }) else { return }
    gate.dependencyGone(ObjectIdentifier(dependency))
  }

  func gatePassed() { guarded.withLock { $0.gate = .passed } }
}
