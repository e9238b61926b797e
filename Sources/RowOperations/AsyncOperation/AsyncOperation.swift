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
/// `isFinished` alone if the body never ran. Nothing is emitted and no observer is called after
/// `isFinished`.
///
/// **Cost**: O(1) per call, three uncontended lock acquisitions in a whole life; no thread is ever
/// blocked.
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
    /// Whether it has dependencies or a completion block to let go of in the end.
    var holdsOthers = false
  }

  // Sendable: all that changes in this class is in here.
  let guarded = Lock(Guarded())

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
  /// operation executes. Another thread may finish the operation at any moment, also before or while
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
      guard reportsSecond else { return false }
      OperationDiagnostics.report(
        .secondFinish, self,
        "It was finished a second time, which was ignored. Call finish() once, on one path.")
      return false
    }
  }

  // MARK: Starting

  /// Starts the operation; for the queue to call.
  ///
  /// Call it by hand only on an operation that is in no queue. A second start is ignored and
  /// reported to ``OperationDiagnostics/onMisuse``.
  public final override func start() {
    var end = End()
    let (action, observers) = guarded.withLock { guarded in
      let action = guarded.machine.startRequested()
      if action == .publish { end = beginEnd(&guarded) }
      #if !canImport(ObjectiveC)
        // No willChange is needed here, so that claim and publication can be one step.
        if action == .announce { guarded.machine.executingPublished() }
      #endif
      return (action, guarded.observers)
    }
    switch action {
    case .announce:
      announceExecuting(observers)
    case .publish:
      publish(end)
    case .leaveToCancel:
      break
    case .reportSecondStart:
      OperationDiagnostics.report(
        .secondStart, self,
        "It was started a second time, which was ignored. Leave start() to the queue.")
    }
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
      case .runBody: break
      case .publish, .tellCancelledAndPublish: end = beginEnd(&guarded)
      }
      return action
    }
    switch action {
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
      return
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
      if next == .publish { end = beginEnd(&guarded) }
      return next
    }
    switch next {
    case .none:
      break
    case .wakeBody:
      cancelWork()
      didCancel()
    case .publish:
      publish(end)
    }
  }

  /// Lets the queue start a waiting operation at once, whatever it depends on.
  private func leaveQueue() {
    #if !canImport(ObjectiveC)
      // The system's cancel() makes an operation ready and remembers that it is cancelled; adding a
      // remembered one to a queue with a pending barrier deadlocks the adder. Where it is ready
      // anyway, telling the queue is enough, and that repairs a wake-up that the queue had lost.
      if isReady {
        emit(Key.isReady)
        return
      }
    #endif
    super.cancel()
  }

  /// Cancels what the library itself runs for the operation, before ``didCancel()``.
  func cancelWork() {}

  // MARK: Publishing the end

  /// What the publishing thread takes along from the lock under which it was chosen.
  struct End {
    var observers: [OperationObserver]?
    /// Set when nothing has to happen before the flag flips, so that it flipped at once.
    var flip: Flip?
  }

  struct Flip {
    let isExecutingChanged: Bool
    let holdsOthers: Bool

    init(_ guarded: inout Guarded) {
      isExecutingChanged = guarded.machine.finishPublished()
      holdsOthers = guarded.holdsOthers
    }
  }

  /// Called under the lock by the thread that is to publish the end.
  private func beginEnd(_ guarded: inout Guarded) -> End {
    settle()
    var end = End()
    swap(&end.observers, &guarded.observers)
    #if !canImport(ObjectiveC)
      if end.observers == nil { end.flip = Flip(&guarded) }
    #endif
    return end
  }

  /// Sets what is still open of the result; called under the lock.
  func settle() {}

  private func publish(_ end: End) {
    if let observers = end.observers {
      for observer in observers { observer.willFinish?(self) }
    }
    let flip = end.flip ?? flip()
    if flip.isExecutingChanged { emit(Key.isExecuting) }
    emit(Key.isFinished)
    if flip.holdsOthers { letGo() }
    didPublishFinish()
  }

  private func flip() -> Flip {
    #if canImport(ObjectiveC)
      if isExecuting { willChangeValue(forKey: Key.isExecuting) }
      willChangeValue(forKey: Key.isFinished)
    #endif
    return guarded.withLock { Flip(&$0) }
  }

  /// Lets go of the work, then hands the end to those who wait for it.
  func didPublishFinish() {}

  /// Lets go of what the system would keep until the operation is deallocated.
  ///
  /// A chain of operations that keep their dependencies is deallocated recursively and overflows the
  /// stack at some 40,000 links; and on Linux a completion block that mentions its own operation is
  /// never released.
  private func letGo() {
    for dependency in dependencies { super.removeDependency(dependency) }
    #if !canImport(ObjectiveC)
      completionBlock = nil
    #endif
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

  // MARK: Emissions

  enum Key {
    // Strings: key paths fail on some Apple systems and cost three times as much on Linux.
    static let isExecuting = "isExecuting"
    static let isFinished = "isFinished"
    static let isReady = "isReady"
  }

  /// The one place through which every change is told to the queue; never called under a lock, as
  /// the queue reads the state back at once.
  func emit(_ key: String) {
    didChangeValue(forKey: key)
  }

  // MARK: What the system keeps for it

  #if !canImport(ObjectiveC)
    /// What runs after the operation has finished, on a queue of the system's choice.
    ///
    /// The system orders it by nothing: it may run after those who waited for the operation, and
    /// after its dependents. The operation lets go of it when it has finished.
    open override var completionBlock: (@Sendable () -> Void)? {
      get { super.completionBlock }
      set {
        guarded.withLock { $0.holdsOthers = true }
        super.completionBlock = newValue
      }
    }
  #endif

  /// Makes the operation wait until another one has finished.
  ///
  /// An operation that is cancelled waits for nothing. The operation lets go of its dependencies
  /// when it has finished. Depending on itself is refused and reported.
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else {
      OperationDiagnostics.report(
        .dependsOnItself, self,
        "It was to depend on itself and would never have started. The dependency was not added.")
      return
    }
    guarded.withLock { $0.holdsOthers = true }
    super.addDependency(operation)
    #if !canImport(ObjectiveC)
      // Cancelled while it was ready: the system has not heard of it and would wait.
      if isCancelled, !isReady { super.cancel() }
    #endif
  }
}
