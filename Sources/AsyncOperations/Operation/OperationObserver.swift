/// Four moments in the life of an ``AsyncOperation`` that others can be told of.
///
/// The last three are called at most once, in the order started, cancelled, will finish, and never
/// after `isFinished` was published. Observers are called in the order in which they were added, on the
/// thread that makes the change, outside every lock, so they may call back into the operation;
/// what they decide is published when they have returned. They must not wait for the operation to
/// finish.
///
/// ```swift
/// operation.addObserver(OperationObserver(willFinish: { print("done:", $0) }))
/// ```
public struct OperationObserver: Sendable {
  /// What is called, with the operation.
  public typealias Callback = @Sendable (AsyncOperation) -> Void

  let willEnqueue: Callback?
  let started: Callback?
  let cancelled: Callback?
  let willFinish: Callback?

  /// Makes an observer of the moments that are given.
  ///
  /// - Parameters:
  ///   - willEnqueue: `OperationQueue.enqueue` is about to add the operation: the last moment at which
  ///     a dependency is sure to hold it back. A plain `addOperation` does not call it.
  ///   - started: `isExecuting` was published and the body is about to run. Not called for an
  ///     operation that is over before it starts.
  ///   - cancelled: The operation was cancelled.
  ///   - willFinish: The result is set; `isFinished` still reads false.
  public init(
    willEnqueue: Callback? = nil, started: Callback? = nil, cancelled: Callback? = nil,
    willFinish: Callback? = nil
  ) {
    self.willEnqueue = willEnqueue
    self.started = started
    self.cancelled = cancelled
    self.willFinish = willFinish
  }
}

extension AsyncOperation {
  /// Adds an observer, which hears of what happens from now on.
  ///
  /// A moment that is already being told is not told again. The operation lets go of its observers
  /// when it finishes.
  public final func addObserver(_ observer: OperationObserver) {
    guarded.withLock { guarded in
      guard !guarded.machine.isEnding else { return }
      guarded.observers = (guarded.observers ?? []) + [observer]
    }
  }
}
