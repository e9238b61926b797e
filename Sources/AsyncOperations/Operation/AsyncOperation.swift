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
/// **Ordering**: `isExecuting`, then later `isExecuting` and `isFinished` are emitted, or
/// `isFinished` alone if the body never ran. No change of these two is emitted and no observer is
/// called after `isFinished`.
///
/// **Cost**: O(1) per call, a few uncontended lock acquisitions in a whole life. Adding and removing
/// dependencies on Linux is done by one thread of the process at a time; else no thread is blocked.
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
    #if !canImport(ObjectiveC)
      var completion: (@Sendable () -> Void)?
    #endif
  }

  // Sendable: all that changes in this class is in here, or is touched under this lock alone.
  let guarded = Lock(Guarded())
  /// Whether it ever had a dependency: to let go of in the end, and to be ready for at the start.
  private(set) var hasDependencies = false

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

  private func addSignposts() {
    #if canImport(os)
      if OperationDiagnostics.signposts { addObserver(.signposts) }
    #endif
  }

  #if !canImport(ObjectiveC)
    deinit {
      if hasDependencies { dropDependencies() }
    }
  #endif

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
  /// was cancelled or had run out of time, it is reported to ``OperationDiagnostics/onMisuse``.
  ///
  /// - Returns: `true` for the one call that decided. `isFinished` may be published a moment later,
  ///   on the thread that is busy with the operation's observers.
  @discardableResult
  public final func finish() -> Bool {
    finish {}
  }

  /// Ends the operation; `store` runs under the lock if this call is the one that decides.
  ///
  /// - Parameter reportsSecond: `false` for a body of the library's own, which may well come to its
  ///   end after somebody else finished the operation.
  @discardableResult
  final func finish(reportsSecond: Bool = true, storing store: () -> Void) -> Bool {
    var end = End()
    let action = guarded.withLock { guarded in
      let action = guarded.machine.finishRequested()
      switch action {
      case .publish:
        store()
        end = beginEnd(&guarded)
      case .record:
        store()
      case .ignoreLate, .reportSecondFinish:
        break
      }
      return action
    }
    switch action {
    case .publish:
      publish(end)
      return true
    case .record:
      return true
    case .ignoreLate:
      return false
    case .reportSecondFinish:
      guard reportsSecond, !isTimedOut else { return false }
      OperationDiagnostics.report(
        .secondFinish, self,
        "It was finished a second time, which was ignored. Call finish() once, on one path.")
      return false
    }
  }

  /// Whether work on it is in vain: it was cancelled, or its end was decided.
  package final var isToStop: Bool {
    guarded.withLock { $0.machine.isCancelled || $0.machine.isDecided }
  }

  /// Whether time ran out for it: then its work may well come to its end later.
  var isTimedOut: Bool { false }

  // MARK: Starting

  /// Starts the operation; for the queue to call.
  ///
  /// Call it by hand only on an operation that is in no queue and whose dependencies have finished.
  /// A second start is ignored and reported to ``OperationDiagnostics/onMisuse``; so is a start by
  /// hand while a queue or a group has claimed the operation, before the dependencies have finished,
  /// or while the queue that it was enqueued in has yet to start it. The last two cannot be told for
  /// sure on the main thread, from inside another operation, or of a queue that it was put in by a
  /// plain `addOperation`: there it goes through, and a queue on Linux then miscounts what runs, or
  /// crashes.
  public final override func start() {
    start(isVetted: false)
  }

  final func start(isVetted: Bool) {
    var end = End()
    let (action, observers) = guarded.withLock {
      guarded -> (StateMachine.StartAction?, [OperationObserver]?) in
      guard isVetted || !isToBeVetted(guarded) else { return (nil, nil) }
      let action = guarded.machine.startRequested()
      if action == .publish { end = beginEnd(&guarded) }
      #if !canImport(ObjectiveC)
        // No willChange is needed here, so that claim and publication can be one step.
        if action == .announce { guarded.machine.executingPublished() }
      #endif
      return (action, guarded.observers)
    }
    switch action {
    case nil:
      if mayStart() { start(isVetted: true) }
    case .announce:
      announceExecuting(observers)
    case .publish:
      keepPlaceIfNeeded()
      publish(end)
    case .leaveToCancel:
      keepPlaceIfNeeded()
    case .reportSecondStart:
      OperationDiagnostics.report(
        .secondStart, self,
        "It was started a second time, which was ignored. Leave start() to the queue.")
    }
  }

  private func keepPlaceIfNeeded() {
    #if !canImport(ObjectiveC)
      keepPlace()
    #endif
  }

  private func announceExecuting(_ observers: [OperationObserver]?) {
    #if canImport(ObjectiveC)
      willChangeValue(forKey: Key.isExecuting)
      guarded.withLock { $0.machine.executingPublished() }
    #endif
    emit(Key.isExecuting)
    if let observers {
      for observer in observers { observer.started?(self) }
    }
    var end = End()
    let action = guarded.withLock { guarded in
      let action = guarded.machine.startCallbacksReturned()
      switch action {
      case .none, .runBody: break
      case .publish, .tellCancelledAndPublish: end = beginEnd(&guarded)
      }
      return action
    }
    switch action {
    case .none:
      break
    case .runBody:
      main()
    case .publish:
      publish(end)
    case .tellCancelledAndPublish:
      super.cancel()
      for observer in end.observers ?? [] { observer.cancelled?(self) }
      publish(end)
    }
  }

  // MARK: Cancelling

  /// Asks the operation to end early.
  ///
  /// It returns before the operation has finished. Cancelling twice, or after the end was decided,
  /// does nothing: `isCancelled` then stays as it is.
  public final override func cancel() {
    let (action, observers) = guarded.withLock { guarded in
      (guarded.machine.cancelRequested(), guarded.observers)
    }
    switch action {
    case .none:
      return
    case .leaveQueue:
      leaveQueue()
    case .tell(let isPending):
      if isPending {
        leaveQueue()
      } else {
        super.cancel()
      }
      for observer in observers ?? [] { observer.cancelled?(self) }
    }
    var end = End()
    let next = guarded.withLock { guarded in
      let next = guarded.machine.cancelCallbacksReturned()
      switch next {
      case .none, .wakeBody: break
      case .publish, .publishAndWakeBody: end = beginEnd(&guarded)
      }
      return next
    }
    switch next {
    case .none:
      break
    case .wakeBody:
      wakeBody()
    case .publish:
      publish(end)
    case .publishAndWakeBody:
      publish(end)
      wakeBody()
    }
  }

  private func wakeBody() {
    hook?.cancelWork(of: self)
    didCancel()
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
  public final override var isCancelled: Bool { guarded.withLock { $0.machine.isCancelled } }

  /// Whether the operation has started and not finished.
  public final override var isExecuting: Bool { guarded.withLock { $0.machine.isExecuting } }

  /// Whether the operation is over; its result is set and its dependents may start.
  public final override var isFinished: Bool { guarded.withLock { $0.machine.isFinished } }

  /// Always `true`: `start()` may return before the work is over.
  public final override var isAsynchronous: Bool { true }

  // MARK: What the end is made of

  /// The one place through which every change is told to the queue; never called under a lock, as
  /// the queue reads the state back at once.
  func emit(_ key: String) {
    didChangeValue(forKey: key)
  }

  /// Sets what is still open of the result; called under the lock.
  func settle() {}

  /// Resumes the tasks that wait for the end.
  func didPublishFinish() {}

  // MARK: What the system keeps for it

  #if !canImport(ObjectiveC)
    /// What runs after the operation has finished, exactly once, on a global dispatch queue.
    ///
    /// It is ordered by nothing: it may run after those who waited for the operation, and after its
    /// dependents. One that is set when the operation has finished is dropped. The operation lets
    /// go of it when it has finished, so it may mention the operation.
    open override var completionBlock: (@Sendable () -> Void)? {
      get { guarded.withLock { $0.completion } }
      set {
        // The system would read its own without a lock, and keep it for good. What was there before
        // ends its life outside the lock.
        var completion = newValue
        guarded.withLock { guarded in
          if !guarded.machine.isFinished { swap(&guarded.completion, &completion) }
        }
      }
    }
  #endif

  /// Makes the operation wait until another one has finished.
  ///
  /// An operation that is cancelled waits for nothing. The operation lets go of its dependencies
  /// when it has finished. Depending on itself is refused and reported.
  ///
  /// On Linux, keep an operation that has dependencies until it was added to a queue, or until they
  /// have finished: one that is deallocated while a dependency finishes on another thread crashes.
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else {
      OperationDiagnostics.report(
        .dependsOnItself, self,
        "It was to depend on itself and would never have started. The dependency was not added.")
      return
    }
    guarded.withLock { _ in hasDependencies = true }
    #if canImport(ObjectiveC)
      super.addDependency(operation)
      // Nobody else lets go of what comes after the end.
      if isFinished { super.removeDependency(operation) }
    #else
      // Nobody lets go of what comes after the end, which does so one at a time as well.
      oneAtATime { if !isFinished { super.addDependency(operation) } }
      settleReadiness()
    #endif
  }

  /// Ends the wait for another operation.
  ///
  /// On Linux this works only once that operation has finished. The system there never gets over
  /// the removal of an unfinished one: the operation would not become ready again. So an unfinished
  /// dependency stays, and the attempt is reported to ``OperationDiagnostics/onMisuse``. Cancelling
  /// the operation ends all its waiting.
  open override func removeDependency(_ operation: Operation) {
    #if canImport(ObjectiveC)
      super.removeDependency(operation)
    #else
      guard isSafeToRemove(operation) else { return }
      oneAtATime { super.removeDependency(operation) }
      // A cancel may have come in between.
      settleReadiness()
    #endif
  }
}
