import Foundation

/// What an operation has to pass before it starts: first its conditions, then its turn in line.
///
/// The gate is an operation that the other one depends on, so the queue does the waiting, no thread
/// does, and nothing needs to override `isReady`. It is in no queue and takes no place anywhere,
/// unless the operation has other dependencies: then it waits for those in a queue without a limit.
///
/// Thread A lets the gate go on; thread B cancels the operation, and with it the gate. What A has
/// begun in between (an evaluation, a place in line) it ends itself when it then sees the cancel.
final class StartGate: AsyncOperation, @unchecked Sendable {
  private struct Guarded {
    weak var operation: AsyncOperation?
    var conditions: [OperationCondition] = []
    /// Ends the operation with a condition's reason.
    var fail: Failing?
    var categories: Set<ExclusionCategory> = []
    var evaluation: TaskOperation<Void>?
    var hasEntered = false
  }

  private struct Failing {
    let body: @Sendable (any Error) -> Void
  }

  private struct Waiting: @unchecked Sendable {
    // Sendable: a queue may be used from any thread; older SDKs do not say so.
    let queue = OperationQueue()

    init() {
      queue.name = "OperationComposition.StartGate"
      queue.maxConcurrentOperationCount = .max
    }
  }

  private static let waiting = Waiting()
  private static let lastTicket = Lock<ExclusionTicket>(0)

  // Sendable: all that changes is in here.
  private let contents: Lock<Guarded>
  let ticket = lastTicket.withLock { last in
    last += 1
    return last
  }

  private init(_ operation: AsyncOperation) {
    contents = Lock(Guarded(operation: operation))
    super.init()
  }

  /// The gate of an operation; it has at most one.
  static func of(_ operation: AsyncOperation) -> StartGate {
    for case let gate as StartGate in operation.dependencies { return gate }
    let gate = StartGate(operation)
    operation.addDependency(gate)
    operation.addObserver(
      OperationObserver(willEnqueue: gate.enter, cancelled: gate.operationCancelled))
    // It was cancelled before it had an observer to tell.
    if operation.isCancelled { gate.cancel() }
    return gate
  }

  func add(_ categories: Set<ExclusionCategory>) {
    contents.withLock { $0.categories.formUnion(categories) }
  }

  func add(_ condition: OperationCondition, fail: @escaping @Sendable (any Error) -> Void) {
    contents.withLock { guarded in
      guarded.conditions.append(condition)
      guarded.fail = Failing(body: fail)
    }
  }

  // MARK: On the way

  /// The operation is about to be added to its queue.
  private func enter(_ operation: AsyncOperation) {
    let isFirst = contents.withLock { guarded in
      defer { guarded.hasEntered = true }
      return !guarded.hasEntered
    }
    guard isFirst else { return }
    let others = operation.dependencies.filter { $0 !== self && !$0.isFinished }
    guard !others.isEmpty else { return start() }
    for other in others { addDependency(other) }
    Self.waiting.queue.enqueue(self)
  }

  override func main() {
    let conditions = contents.withLock { $0.conditions }
    guard !conditions.isEmpty else { return lineUp() }
    let evaluation = TaskOperation {
      for condition in conditions { try await condition.evaluate() }
    }
    evaluation.addObserver(OperationObserver(willFinish: { [self] _ in evaluated(evaluation) }))
    contents.withLock { $0.evaluation = evaluation }
    evaluation.start()
    if isCancelled { evaluation.cancel() }
  }

  private func evaluated(_ evaluation: TaskOperation<Void>) {
    let fail = contents.withLock { $0.fail }
    switch evaluation.result {
    case .success?:
      lineUp()
    case .failure(let reason)?:
      if !isCancelled { fail?.body(reason) }
      finish()
    case nil:
      finish()
    }
    letGo()
  }

  private func lineUp() {
    let categories = contents.withLock { $0.categories }
    guard !categories.isEmpty, !isCancelled else {
      finish()
      return
    }
    ExclusionRegistry.join(self, categories)
    if isCancelled { ExclusionRegistry.leave(self) }
  }

  /// It is the first in all its lines.
  func turnCame() {
    // Its turn lasts until the operation has finished, which no observer is told of: those of
    // `willFinish` may still use what the operation is to be alone in.
    let end = BlockOperation { [self] in ExclusionRegistry.leave(self) }
    if let operation = contents.withLock({ $0.operation }) { end.addDependency(operation) }
    Self.waiting.queue.enqueue(end)
    finish()
  }

  // MARK: Leaving early

  private func operationCancelled(_ operation: AsyncOperation) {
    cancel()
    // If it had its turn already: it will not make use of it, and its queue may be suspended.
    if operation.state == .pending { ExclusionRegistry.leave(self) }
    letGo()
  }

  override func didCancel() {
    contents.withLock { $0.evaluation }?.cancel()
    ExclusionRegistry.leave(self)
    finish()
  }

  /// Drops what belongs to the app, outside the lock.
  private func letGo() {
    let dropped = contents.withLock { guarded in
      defer { (guarded.conditions, guarded.fail, guarded.evaluation) = ([], nil, nil) }
      return (guarded.conditions, guarded.fail, guarded.evaluation)
    }
    withExtendedLifetime(dropped) {}
  }
}
