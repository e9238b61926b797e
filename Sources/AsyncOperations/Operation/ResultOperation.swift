/// An asynchronous operation that ends with a value or an error.
///
/// Override ``AsyncOperation/main()`` and call ``finish(with:)`` once. Other code reads ``result``
/// when the operation has finished, or awaits ``value``.
///
/// ```swift
/// final class Thumbnail: ResultOperation<Data>, @unchecked Sendable {
///   override func main() {
///     render { self.finish(with: $0) }
///   }
/// }
/// let data = try await queue.value(of: Thumbnail())
/// ```
///
/// **Threading** and **Cancellation** are those of ``AsyncOperation``.
///
/// **Ordering**: the callbacks of ``onResult(_:)`` get the result before the `willFinish` observers
/// are called. Tasks that wait for ``value`` are resumed after `isFinished` was emitted. If the
/// operation is cancelled or finished before it starts, both get the result at once, whatever its
/// queue does.
open class ResultOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  // Sendable: all are read and written under the base class's lock. A tracker reads the result
  // without it, after the operation has reported its end.
  @usableFromInline package private(set) final var decidedResult: Result<Value, any Error>?
  /// `nil` when they have been called.
  private var callbacks: [@Sendable () -> Void]? = []
  /// By their numbers; `nil` when they have been resumed.
  private(set) final var waiters: [UInt64: CheckedContinuation<Value, any Error>]? = [:]
  private var lastWaiter: UInt64 = 0

  /// Makes an operation; subclasses call it.
  public override init() { super.init() }

  @usableFromInline
  package override init(hook: any TaskHook) { super.init(hook: hook) }

  /// The value or error that the operation ended with; `nil` until its end is decided.
  ///
  /// It is set exactly once. An operation that ends without a result (cancelled before it started,
  /// or ended by a plain `finish()`) ends with `CancellationError`.
  public final var result: Result<Value, any Error>? {
    guarded.withLock { _ in decidedResult }
  }

  /// Ends the operation with a result.
  ///
  /// - Returns: `true` for the one call that decided, as with ``AsyncOperation/finish()``.
  @discardableResult
  public final func finish(with result: Result<Value, any Error>) -> Bool {
    finish { decidedResult = result }
  }

  /// Ends the operation with a result, unless its end was decided before.
  ///
  /// For callers that race with other ends: a late call is no misuse.
  ///
  /// - Returns: `true` if this call decided.
  @discardableResult
  package final func finishIfUndecided(with result: Result<Value, any Error>) -> Bool {
    finish(reportsSecond: false) { decidedResult = result }
  }

  /// Ends the operation with a value, from its body, unless it was cancelled or ended before.
  ///
  /// From now on nothing else can cancel or end it. ``bodyReturned()`` publishes `isFinished`.
  ///
  /// - Returns: `true` if this call decided.
  package final func finishByBody(with value: Value) -> Bool {
    guarded.withLock { guarded in
      guard guarded.machine.finishRequestedByBody() else { return false }
      decidedResult = .success(value)
      return true
    }
  }

  /// Publishes the end; call it once, after ``finishByBody(with:)`` has decided it.
  package final func bodyReturned() { perform(transition { _ in .publish }) }

  override func decideResult() {
    if decidedResult == nil { decideResult(throwing: CancellationError()) }
  }

  override func decideResult(throwing error: any Error) { decidedResult = .failure(error) }

  override var endError: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// Cancels the operation and ends it with an error, in one step.
  ///
  /// Timeouts use it. A later `finish(with:)` is ignored, and is no misuse.
  ///
  /// An operation that has not started finishes when its queue starts it. An executing operation,
  /// cancelled before or not, finishes before this returns, without waiting for its work to notice.
  ///
  /// **Threading**: any thread. **Ordering**: the error is set, the `cancelled` observers are
  /// called, `isFinished` is published, and ``AsyncOperation/didCancel()`` is called.
  ///
  /// - Returns: Whether this call decided the end; `false` if it was decided before.
  @discardableResult
  public final func cancel(throwing error: any Error) -> Bool {
    cancelAndFinish { decideResult(throwing: error) }
  }

  // MARK: Waiting

  /// The value, once the operation has finished.
  ///
  /// Suspends; never blocks a thread. Any number of tasks may wait. An operation that never starts
  /// keeps them waiting, unless it is cancelled.
  ///
  /// **Priority**: where Swift's concurrency library is that of 6.2 (Linux, iOS 26, macOS 26), the
  /// waiting task passes its priority on: to the operation's task, to all operations that it
  /// depends on or requires, to the children of a group, also later ones, and to those ahead of it
  /// in an exclusive category. Nothing is lowered.
  ///
  /// **Cancellation**: cancelling the awaiting task stops its waiting with `CancellationError` and
  /// leaves the operation alone. To cancel both, use `OperationQueue.value(of:)`.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public final var value: Value {
    get async throws {
      try await WorkContext.waiting(isolation: nil, for: self) {
        try await ConcurrencyLibrary.awaiting(isolation: nil, { self.raise(to: $0) }) {
          let number = guarded.withLock { _ in
            lastWaiter += 1
            return lastWaiter
          }
          return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(number, $0) }
          } onCancel: {
            cancelWait(number)
          }
        }
      }
    }
  }

  private func wait(_ number: UInt64, _ continuation: CheckedContinuation<Value, any Error>) {
    let isOver = guarded.withLock { _ in
      waiters?[number] = continuation
      return waiters == nil
    }
    if isOver { continuation.resume(with: finalResult) }
    // A cancel that came before found no continuation.
    if Task.isCancelled { cancelWait(number) }
  }

  private func cancelWait(_ number: UInt64) {
    let waiter = guarded.withLock { _ in waiters?.removeValue(forKey: number) }
    waiter?.resume(throwing: CancellationError())
  }

  /// Calls `body` once with the result, when the end of the operation is decided.
  ///
  /// **Threading**: any thread. `body` runs on the thread that decides or publishes the end, or at
  /// once on this thread if all callbacks before it have returned. It must not block.
  ///
  /// **Ordering**: callbacks are called in the order of addition, before `isFinished` reads true
  /// and before the `willFinish` observers. So, if it was added before the end, it has returned
  /// before any dependent begins, before a group of the operation ends, and before a task that
  /// awaits ``value`` or `drained()` goes on.
  public final func onResult(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    // The operation calls it, and so outlives it.
    let call: @Sendable () -> Void = { [unowned self] in body(finalResult) }
    let isOver = guarded.withLock { _ in
      callbacks?.append(call)
      return callbacks == nil
    }
    if isOver { call() }
  }

  private var finalResult: Result<Value, any Error> { result ?? .failure(CancellationError()) }

  override func deliverResult() {
    var next: [@Sendable () -> Void]
    // A callback may add others, which come after those that were added before.
    repeat {
      next = guarded.withLock { _ in
        let next = callbacks ?? []
        callbacks = next.isEmpty ? nil : []
        return next
      }
      for call in next { call() }
    } while !next.isEmpty
  }

  override func resumeWaiters() {
    let waiters = guarded.withLock { _ in
      defer { self.waiters = nil }
      return self.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(with: finalResult) }
  }
}
