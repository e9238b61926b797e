import Foundation

/// An operation whose work goes on after `main()` has returned, and that finishes exactly once.
///
/// Override ``main()``, begin the work there, and call ``finish()`` once when it is over, from any
/// thread, before or after `main()` has returned. Everything else is the base class's: it keeps
/// `isExecuting` and `isFinished`, tells the queue about them in the order that queues rely on, and
/// decides every race between starting, cancelling and finishing.
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
/// **Threading**: every member may be used from any thread. State changes under a lock; emissions,
/// observers, `main()` and ``didCancel()`` run outside it, so they may call back into the operation.
///
/// **Cancellation**: `cancel()` is advisory, as on Apple systems. An operation that is cancelled
/// before it starts never runs `main()`; it finishes when its queue starts it. One that is cancelled
/// while it executes gets ``didCancel()`` and finishes when its work calls ``finish()``.
///
/// **Ordering**: the operation emits `isExecuting`, and later `isExecuting` and `isFinished`; it emits
/// `isFinished` alone if the body never ran. After `isFinished` come the `didFinish` observers alone,
/// then the callbacks and tasks that wait for a result.
///
/// **Cost**: O(1) per call, a few uncontended lock acquisitions in a whole life. Adding and removing a
/// dependency takes O(dependencies), adding an observer O(observers). No call blocks a thread.
///
/// A subclass never overrides `isReady` and does not call `start()`, which is the queue's to call.
/// A subclass restates `@unchecked Sendable`; keep whatever it changes behind a lock of its own.
open class AsyncOperation: Operation, @unchecked Sendable {
  /// What an operation is doing, as others see it.
  public enum State: Hashable, Sendable {
    /// Not started.
    case pending
    /// Started and not finished.
    case executing
    /// Finished; it stays so.
    case finished
  }

  struct Guarded {
    var machine = StateMachine()
    /// `nil` for the many that have none.
    var observers: [OperationObserver]?
    var place = QueuePlace()
    var gate = Passage.none
    var platform = noPlatformState
  }

  // Sendable: all that changes in this class is in here.
  let guarded = Lock(Guarded())
  /// What a subclass in this package adds.
  let hook: (any OperationHook)?

  /// Makes an operation; subclasses call it.
  public override init() {
    hook = nil
    super.init()
    addSignposts()
  }

  @usableFromInline
  package init(hook: any OperationHook) {
    self.hook = hook
    super.init()
    addSignposts()
  }

  deinit { releaseDependencies() }

  // MARK: What a subclass provides

  /// Begins the work; call ``finish()`` once when it is over.
  ///
  /// Runs on the thread that the queue starts the operation on, at most once, and not at all when
  /// the operation was cancelled or finished before. The default reports a misuse and finishes.
  open override func main() {
    OperationDiagnostics.report(
      .missingBody, self, "It has no body, so it finished at once. Override main().")
    finish()
  }

  /// Wakes the work up after a cancel, so that it ends soon.
  ///
  /// Called at most once, on the thread that cancels, and only if the cancel was decided while the
  /// operation executes. Somebody else may finish the operation at any moment, also before or while
  /// this runs. It may call ``finish()``. The default does nothing.
  open func didCancel() {}

  // MARK: Finishing

  /// Ends the operation.
  ///
  /// Call it once, from any thread. Before the start it is remembered: the body will not run and the
  /// operation finishes when its queue starts it. Calling it again is harmless; unless the operation
  /// was cancelled, it is reported to ``OperationDiagnostics/onMisuse``.
  ///
  /// - Returns: `true` for the one call that decided. `isFinished` may be published a moment later,
  ///   on the thread that is busy with the operation's observers.
  @discardableResult
  public final func finish() -> Bool {
    finish {}
  }

  /// Ends the operation; `store` runs under the lock if this call is the one that decides.
  ///
  /// - Parameter reportsSecond: `false` for a body of the library's own, which may come to its end
  ///   after another thread finished the operation.
  @discardableResult
  final func finish(reportsSecond: Bool = true, storing store: () -> Void) -> Bool {
    var decides = false
    let transition = transition { guarded in
      let action = guarded.machine.finishRequested()
      decides = action == .publish || action == .record
      if decides { store() }
      return action
    }
    if reportsSecond || transition.action != .reportSecondFinish { perform(transition) }
    return decides
  }

  /// Whether work on it is in vain: it was cancelled, or its end was decided.
  package final var isToStop: Bool {
    guarded.withLock { $0.machine.isCancelled || $0.machine.isDecided }
  }

  // MARK: Starting

  /// Starts the operation; for the queue to call.
  ///
  /// Call it by hand only on an operation that is in no queue and whose dependencies have finished.
  /// Three starts are ignored and reported to ``OperationDiagnostics/onMisuse``:
  ///
  /// - A second start.
  /// - A start outside every queue before the dependencies have finished, unless the operation was
  ///   cancelled. On the main thread and inside another operation this cannot be told, and the start
  ///   goes through.
  /// - On Linux, a start by hand of an operation that ``Foundation/OperationQueue/enqueue(_:)-(Operation)``
  ///   gave to a queue without an `underlyingQueue`. After a plain `addOperation` this cannot be known;
  ///   the queue then miscounts the operations that run, or crashes.
  public final override func start() {
    if let transition = startTransition(by: nil) { return perform(transition) }
    let starter = Starter(
      queue: OperationQueue.current.map(ObjectIdentifier.init), isReady: isReady)
    if let transition = startTransition(by: starter) { perform(transition) }
  }

  // MARK: Cancelling

  /// Asks the operation to end early.
  ///
  /// It returns before the operation has finished. Cancelling twice, or after the end was decided,
  /// does nothing: `isCancelled` then stays as it is.
  ///
  /// **Threading**: any thread. Observers and ``didCancel()`` run before it returns; the task of a
  /// ``TaskOperation`` is cancelled a moment later, on another thread.
  public final override func cancel() {
    perform(transition { $0.machine.cancelRequested() })
    publishRecordedCancel()
  }

  /// Cancels the operation and decides its end in one step; `store` runs under the lock if this call
  /// decides.
  final func cancelAndFinish(storing store: () -> Void) -> Bool {
    var decides = false
    perform(
      transition { guarded in
        let (action, isDecided) = guarded.machine.cancelAndFinishRequested()
        if isDecided { store() }
        decides = isDecided
        return action
      })
    publishRecordedCancel()
    return decides
  }

  // MARK: What others read

  /// What the operation is doing.
  ///
  /// It never goes back.
  public final var state: State {
    guarded.withLock { guarded in
      if guarded.machine.isFinished { return .finished }
      return guarded.machine.isExecuting ? .executing : .pending
    }
  }

  /// Whether the operation was cancelled before its end was decided.
  public final override var isCancelled: Bool {
    guarded.withLock { $0.machine.isCancelled } && isSystemCancelled
  }

  /// Whether the operation has started and not finished.
  public final override var isExecuting: Bool { guarded.withLock { $0.machine.isExecuting } }

  /// Whether the operation is over; its result is set and its dependents may start.
  public final override var isFinished: Bool { guarded.withLock { $0.machine.isFinished } }

  /// Always `true`: `start()` may return before the work is over.
  public final override var isAsynchronous: Bool { true }

  // MARK: What the end is made of

  /// The one place through which every change is published; never called under a lock, as the queue
  /// reads the state back at once.
  func emit(_ key: String) {
    didChangeValue(forKey: key)
  }

  /// Sets what is still open of the result; called under the lock.
  func settle() {}

  /// Sets the result to an error; called under the lock.
  func settle(throwing error: any Error) {}

  /// Calls everybody who waits for the result.
  func didPublishFinish() {}

  /// A task of that priority awaits the value.
  func awaited(at priority: TaskPriority) { hook?.awaited(at: priority) }

  /// What it waits for while it executes, in words; `nil` if that is not known.
  var workInProgress: String? { nil }

  // MARK: What the system keeps for it

  #if !canImport(ObjectiveC)
    /// What runs after the operation has finished, exactly once, on a global dispatch queue.
    ///
    /// It is ordered by nothing: it may run after those who waited for the operation, and after its
    /// dependents. One that is set when the operation has finished is dropped. The operation releases
    /// it when it has finished, so it may mention the operation.
    open override var completionBlock: (@Sendable () -> Void)? {
      get { guarded.withLock { $0.platform.completion } }
      set { setCompletion(newValue) }
    }

  #endif

  /// The operations that this one waits for.
  open override var dependencies: [Operation] { allDependencies.filter { !($0 is StartGate.Door) } }

  /// Makes the operation wait until another one has finished.
  ///
  /// An operation that is cancelled waits for nothing. The operation releases its dependencies when
  /// it has finished. Depending on itself is refused and reported.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies).
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else {
      OperationDiagnostics.report(
        .dependsOnItself, self,
        "It was to depend on itself and would never have started. The dependency was not added.")
      return
    }
    startWaiting(for: operation)
  }

  /// Ends the wait for another operation, finished or not.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies).
  open override func removeDependency(_ operation: Operation) {
    stopWaiting(for: operation)
    dependencyRemoved(operation)
  }

  // An extension cannot reach the system's own.

  final func addToSystem(_ dependency: Operation) { super.addDependency(dependency) }

  final func removeFromSystem(_ dependency: Operation) { super.removeDependency(dependency) }

  final func cancelInSystem() { super.cancel() }

  final var dependenciesInSystem: [Operation] { super.dependencies }

  final var isCancelledInSystem: Bool { super.isCancelled }
}
