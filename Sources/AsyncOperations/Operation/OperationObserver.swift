/// Callbacks for five moments in the life of an ``AsyncOperation``.
///
/// Each is called at most once, on the thread that makes the change. `started`, `willFinish` and
/// `didFinish` come in this order; `cancelled` comes while another thread may start or end the
/// operation. Observers are called in the order in which they were added, outside every lock. They
/// must not wait for the operation to finish.
///
/// ```swift
/// operation.addObserver(OperationObserver(willFinish: { print("done:", $0) }))
/// ```
public struct OperationObserver: Sendable {
  /// A closure that gets the operation.
  public typealias Callback = @Sendable (AsyncOperation) -> Void

  let willEnqueue: Callback?
  let started: Callback?
  let cancelled: Callback?
  let willFinish: Callback?
  let didFinish: Callback?

  /// Makes an observer with callbacks for some of the moments.
  ///
  /// - Parameters:
  ///   - willEnqueue: `enqueue` is about to add the operation: the last moment at which a new
  ///     dependency is sure to hold it back. A plain `addOperation` does not call it.
  ///   - started: The body is about to run.
  ///   - cancelled: The operation was cancelled.
  ///   - willFinish: The result is set; `isFinished` still reads false.
  ///   - didFinish: `isFinished` reads true and was emitted. It is not ordered before the bodies of
  ///     dependents, `waitUntilFinished()` or `completionBlock`.
  public init(
    willEnqueue: Callback? = nil, started: Callback? = nil, cancelled: Callback? = nil,
    willFinish: Callback? = nil, didFinish: Callback? = nil
  ) {
    self.willEnqueue = willEnqueue
    self.started = started
    self.cancelled = cancelled
    self.willFinish = willFinish
    self.didFinish = didFinish
  }
}

extension AsyncOperation {
  /// Adds an observer of the moments from now on.
  ///
  /// One that is added during the callbacks of a moment misses that moment. Every observer gets
  /// `didFinish`: at once and on this thread if the operation has finished.
  ///
  /// **Threading**: any thread. **Cost**: O(observers).
  public final func addObserver(_ observer: OperationObserver) {
    let isFinished = guarded.withLock { guarded in
      if !guarded.machine.isFinished { guarded.observers.append(observer) }
      return guarded.machine.isFinished
    }
    if isFinished { observer.didFinish?(self) }
  }
}
