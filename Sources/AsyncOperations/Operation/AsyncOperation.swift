import Foundation

/// An operation that keeps working after `main()` returns, and that finishes exactly once.
///
/// Override ``main()`` and begin the work there. Call ``finish()`` once when the work is over, from
/// any thread, before or after `main()` returns.
///
/// ```swift
/// final class Download: AsyncOperation, @unchecked Sendable {
///   private let task: URLSessionTask
///
///   init(_ task: URLSessionTask) { self.task = task }
///
///   override func main() {
///     task.resume()  // The task's delegate calls finish().
///   }
///
///   override func didCancel() {
///     task.cancel()
///   }
/// }
/// ```
///
/// **Threading**: any thread may use any member. Emissions, observers, `main()` and ``didCancel()``
/// run outside the lock, so they may call back into the operation.
///
/// **Cancellation**: `cancel()` is advisory, as on Apple systems. An operation that is cancelled
/// before it starts never runs `main()`, and finishes when its queue starts it. One that executes
/// calls ``didCancel()``, and finishes when its work calls ``finish()``.
///
/// **Ordering**: the operation emits `isExecuting` when it starts, and `isExecuting` and
/// `isFinished` when it ends. It emits `isFinished` alone if it was cancelled or finished before
/// its start. After `isFinished` it calls the `didFinish` observers, then resumes the tasks that
/// wait for a result.
///
/// **Cost**: O(1) per call. Only `waitUntilFinished()` blocks a thread.
///
/// A subclass never overrides `isReady`. It restates `@unchecked Sendable` and guards its own
/// mutable state with a lock. Where the main actor is the default isolation, write `nonisolated
/// final class`.
open class AsyncOperation: Operation, @unchecked Sendable {
  /// The state of an operation.
  public enum State: Hashable, Sendable {
    case pending
    case executing
    case finished
  }

  struct Guarded {
    var machine = StateMachine()
    var observers: [OperationObserver] = []
    var membership = QueueMembership()
    var endWatchers: [@Sendable () -> Void] = []
    /// Running code: `main()`, a body in a task, children of a group that ended.
    var work = 0
    var workWatchers: [@Sendable () -> Void] = []
    /// For a report of code that goes on for too long.
    var overstay: Timekeeper.Ticket?
    var hasDependencies = false
    /// Whether another operation has depended on it, or a body has awaited it.
    var hasDependents = false
    var gate: StartGate?
    var passage = Passage.closed
    /// The context of its own turn, or of the turn of a group that it belongs to.
    var context: WorkContext?
    var waits = Waits()
    var isInCircle = false
    /// The highest priority of tasks that await it, raw, for fast copies.
    var awaited: UInt8?
    var home: AsyncOperationQueue?
    var platform = PlatformExtras()

    /// The way past its gate, if it has one.
    ///
    /// - Thread A opens the gate; thread B, of the queue, starts the operation. Either B finds an
    ///   open gate, or it notes the start, and A starts the operation as it opens the gate.
    enum Passage {
      case closed
      /// The queue has started the operation; it starts when it passes.
      case closedToStart
      case open
    }

    var isHeldByGate: Bool {
      gate != nil && passage != .open && machine.isPending
    }
  }

  // Sendable: all mutable state of this class is in here.
  let guarded = Lock(Guarded())
  /// Set by a subclass in this package.
  let hook: (any TaskHook)?

  /// Makes an operation; subclasses call it.
  public override init() {
    hook = nil
    super.init()
  }

  @usableFromInline
  package init(hook: any TaskHook) {
    self.hook = hook
    super.init()
  }

  deinit {
    gate?.ended()
    releaseDependencies()
  }

  // MARK: Members to override

  /// Begins the work; an override calls ``finish()`` once when it is over.
  ///
  /// Runs at most once, on the thread of the start. The default reports a misuse and finishes.
  open override func main() {
    OperationDiagnostics.report(
      .missingBody, self, "It has no body, so it finished at once. Override main().")
    finish()
  }

  /// Wakes up the work after a cancel, so that it ends soon.
  ///
  /// It runs at most once, on the cancelling thread, and only for a cancel during the execution.
  /// Another thread may finish the operation before or while this runs.
  open func didCancel() {}

  // MARK: Finishing

  /// Ends the operation.
  ///
  /// Call it once, from any thread. If it comes before the start, the body does not run, and the
  /// operation finishes when its queue starts it. A second call is ignored, and reported unless the
  /// operation was cancelled.
  ///
  /// - Returns: `true` for the call that decided. `isFinished` may follow a moment later.
  @discardableResult
  public final func finish() -> Bool {
    finish {}
  }

  /// Ends the operation; `store` runs under the lock if this call decides.
  ///
  /// - Parameter reportsSecond: `false` for bodies of the library, which may end late.
  @discardableResult
  final func finish(reportsSecond: Bool = true, storing store: () -> Void) -> Bool {
    let (decides, transition) = decide(storing: store) { $0.finishRequested() }
    if reportsSecond || transition.action != .reportSecondFinish { perform(transition) }
    return decides
  }

  private func decide(
    storing store: () -> Void, _ event: (inout StateMachine) -> StateMachine.Action
  ) -> (Bool, Transition) {
    var decides = false
    let transition = transition { guarded in
      decides = !guarded.machine.isDecided
      if decides { store() }
      return event(&guarded.machine)
    }
    return (decides, transition)
  }

  /// Whether further work is useless.
  package final var isToStop: Bool {
    guarded.withLock { $0.machine.isCancelled || $0.machine.isDecided }
  }

  // MARK: Starting

  /// Starts the operation; only the queue calls it.
  ///
  /// Call it by hand only on an operation that is in no queue and whose dependencies have finished.
  /// A second start is ignored and reported. On Linux the process ends if an operation that a queue
  /// has is started by hand.
  public final override func start() {
    var closed: StartGate?
    let transition = transition { guarded in
      if guarded.isHeldByGate {
        closed = guarded.gate
        guarded.passage = .closedToStart
        return .none
      }
      return beginStart(&guarded)
    }
    guard let closed else { return perform(transition) }
    if guarded.withLock({ $0.membership.isAdded }) { return closed.startedBeforeTurn(self) }
    let error = closed.notEnqueued
    OperationDiagnostics.report(.notEnqueued, self, error.description)
    // The end starts it.
    _ = cancelAndFinish { decideResult(throwing: error) }
  }

  // MARK: Cancelling

  /// Requests an early end of the operation.
  ///
  /// A second cancel, or one after the end was decided, does nothing.
  ///
  /// **Threading**: any thread. Observers and ``didCancel()`` run before it returns. The task of a
  /// ``TaskOperation`` is cancelled a moment later, on another thread.
  public final override func cancel() { endCancel(beginCancel()) }

  final func cancelAndFinish(storing store: () -> Void) -> Bool {
    let (decides, transition) = decide(storing: store) { $0.cancelAndFinishRequested() }
    perform(transition)
    return decides
  }

  // MARK: State

  /// The state of the operation; it never goes back.
  public final var state: State {
    guarded.withLock { guarded in
      if guarded.machine.isFinished { return .finished }
      return guarded.machine.isExecuting ? .executing : .pending
    }
  }

  /// Whether it was cancelled before its end was decided.
  public final override var isCancelled: Bool {
    guarded.withLock { $0.machine.isCancelled } && isSystemCancelled
  }

  public final override var isExecuting: Bool { guarded.withLock { $0.machine.isExecuting } }

  /// Whether the result is set and dependents may start.
  public final override var isFinished: Bool { guarded.withLock { $0.machine.isFinished } }

  /// Always `true`: `start()` may return before the work is over.
  public final override var isAsynchronous: Bool { true }

  // MARK: Publishing the end

  /// Not under a lock: the queue reads the state back at once.
  func emit(_ key: String) {
    didChangeValue(forKey: key)
  }

  func decideResult() {}

  /// Called under the lock.
  func decideResult(throwing error: any Error) {}

  var endError: (any Error)? { isCancelled ? CancellationError() : nil }

  func deliverResult() {}

  func resumeWaiters() {}

  var children: [Operation] { [] }

  final var unfinishedChildren: [Operation] { children.filter { !$0.isFinished } }

  /// Those that a first cancel reaches, and their queue.
  func childrenToCancel() -> ([Operation], AsyncOperationQueue?) { ([], nil) }

  var workInProgress: String? { nil }

  var lastFailure: (any Error)? { nil }

  func explainWait(of child: Operation) -> String { "" }

  // MARK: Completion block and dependencies

  #if !canImport(ObjectiveC)
    /// A closure that runs once after the operation has finished, on a global dispatch queue.
    ///
    /// It may run after waiting tasks and dependents. A block that is set after the end is dropped.
    /// The operation releases the block when it finishes.
    open override var completionBlock: (@Sendable () -> Void)? {
      get { guarded.withLock { $0.platform.completion } }
      set { setCompletion(newValue) }
    }

  #endif

  /// The operations that this one waits for.
  open override var dependencies: [Operation] {
    allDependencies.filter { !($0 is PrivateOperation) }
  }

  /// Makes the operation wait for the end of another one.
  ///
  /// A cancelled operation waits for nothing. A dependency on itself is refused and reported.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies).
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else {
      OperationDiagnostics.report(
        .dependsOnItself, self,
        "It would depend on itself and never start. The dependency was not added.")
      return
    }
    (operation as? AsyncOperation)?.gainDependent()
    startWaiting(for: operation)
    gate?.dependencyAdded(operation)
    if let awaited = awaitedPriority { operation.raise(to: awaited) }
    if canBeInCircle { WaitGraph.look(from: self) }
  }

  final var gate: StartGate? { guarded.withLock { $0.gate } }

  final func gainDependent() { guarded.withLock { $0.hasDependents = true } }

  /// Ends the wait for another operation, finished or not.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies).
  open override func removeDependency(_ operation: Operation) {
    stopWaiting(for: operation)
    gate?.dependencyRemoved(operation)
  }

  // An extension cannot call the system's own implementations.

  final func addToSystem(_ dependency: Operation) { super.addDependency(dependency) }

  final func removeFromSystem(_ dependency: Operation) { super.removeDependency(dependency) }

  final func cancelInSystem() { super.cancel() }

  final var dependenciesInSystem: [Operation] { super.dependencies }

  final var isCancelledInSystem: Bool { super.isCancelled }
}
