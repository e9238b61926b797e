import Foundation

/// What an operation has to pass before it starts: its dependencies, then its conditions, then its turn
/// in its lines.
///
/// The gate is an operation that the other one depends on from `enqueue` on, so the queue does the
/// waiting, no thread does, and nothing needs to override `isReady`. It is in no queue.
///
/// - Thread A moves the gate on; thread B cancels the operation. What A began in between (an
///   evaluation, a place in line) A ends itself, since it then finds that the gate is over.
final class StartGate: AsyncOperation, @unchecked Sendable {
  struct Plan {
    var conditions: [OperationCondition] = []
    /// For each category, how many operations may execute beside each other.
    var limits: [ExclusionCategory: Int] = [:]
    /// Ends the operation with a condition's reason.
    var fail: (@Sendable (any Error) -> Void)?
  }

  private struct Contents {
    weak var operation: AsyncOperation?
    var plan = Plan()
    /// How many dependencies have not finished, and one more until all are known.
    var remaining = 1
    var evaluation: TaskOperation<Void>?
    var ticket: ExclusionTicket?
    /// Whether the operation waits for nothing any more.
    var isOver = false
    var isOpen = false
  }

  // Sendable: all that changes is in here.
  private let contents: Lock<Contents>

  init(_ operation: AsyncOperation) {
    contents = Lock(Contents(operation: operation))
    super.init()
  }

  override func main() { finish() }

  func change(_ change: (inout Plan) -> Void) { contents.withLock { change(&$0.plan) } }

  // MARK: On the way

  /// The operation is about to be added to its queue.
  func enter(_ operation: AsyncOperation) {
    let dependencies = operation.dependencies.filter { !$0.isFinished }
    contents.withLock { $0.remaining += dependencies.count }
    for dependency in dependencies { dependency.whenFinished { self.dependencyFinished() } }
    dependencyFinished()
  }

  private func dependencyFinished() {
    let isLast = contents.withLock { contents in
      contents.remaining -= 1
      return contents.remaining == 0
    }
    if isLast { evaluate() }
  }

  /// The operation, if it has still to pass the gate.
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
    evaluation.qualityOfService = operation.qualityOfService
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

  /// It has its turn in all its lines.
  func turnCame() { open() }

  private func open() {
    let (isFirst, operation) = contents.withLock { contents in
      defer { contents.isOpen = true }
      return (!contents.isOpen, contents.operation)
    }
    guard isFirst else { return }
    operation?.gatePassed()
    start()
  }

  // MARK: Leaving

  /// One that executes keeps its turn until it has finished.
  func operationCancelled(_ operation: AsyncOperation) {
    let evaluation = contents.withLock { $0.evaluation }
    evaluation?.cancel()
    if operation.state == .pending { leave() }
  }

  /// Its turn lasts until the operation has finished: its `willFinish` observers may still use what the
  /// operation is exclusive in.
  func operationFinished(_ operation: AsyncOperation) { leave() }

  private func leave() {
    let ticket = contents.withLock { contents in
      contents.isOver = true
      return contents.ticket
    }
    if let ticket { ExclusionRegistry.leave(ticket) }
    releaseConditions()
    open()
  }

  /// Releases what belongs to the app, outside the lock.
  private func releaseConditions() {
    let released = contents.withLock { contents in
      defer {
        (contents.plan.conditions, contents.plan.fail, contents.evaluation) = ([], nil, nil)
      }
      return (contents.plan.conditions, contents.plan.fail, contents.evaluation)
    }
    withExtendedLifetime(released) {}
  }

  // MARK: What others read

  /// What the operation waits for here; `nil` if that is nothing.
  var explanation: String? {
    let (evaluation, ticket, limits, isOpen) = contents.withLock {
      ($0.evaluation, $0.ticket, $0.plan.limits, $0.isOpen)
    }
    guard !isOpen else { return nil }
    if let ticket {
      let places = ExclusionRegistry.countsBefore(ticket, in: limits.keys)
        .filter { $0.count >= limits[$0.category] ?? 1 }
        .sorted { $0.category.name < $1.category.name }
        .map { "number \($0.count + 1) in line for “\($0.category.name)”" }
      return "is \(places.joined(separator: " and "))"
    }
    return evaluation == nil ? nil : "waits for its conditions, which are being evaluated"
  }
}

extension AsyncOperation {
  /// Whether an operation has something to pass before it starts.
  enum Passage {
    case none
    case closed(StartGate)
    case passed
  }

  /// Changes the plan of the operation's gate, unless a queue has the operation: that is refused and
  /// reported.
  func changeGate(_ change: (inout StartGate.Plan) -> Void) {
    let new = StartGate(self)
    let gate = guarded.withLock { guarded -> StartGate? in
      guard !guarded.place.isAdded, !guarded.machine.wasStarted else { return nil }
      if case .closed(let gate) = guarded.gate { return gate }
      guarded.gate = .closed(new)
      return new
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
    gate.change(change)
    guard gate === new else { return }
    addObserver(
      OperationObserver(cancelled: gate.operationCancelled, didFinish: gate.operationFinished))
    // It was cancelled before it had an observer to call.
    if isCancelled { gate.operationCancelled(self) }
  }

  /// Has the operation wait for its gate, and begins what leads through it.
  func enterGate() {
    guard case .closed(let gate) = guarded.withLock({ $0.gate }) else { return }
    startWaiting(for: gate)
    gate.enter(self)
  }

  func gatePassed() { guarded.withLock { $0.gate = .passed } }
}
