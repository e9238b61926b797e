/// An asynchronous operation that ends with a value or an error.
///
/// Override ``AsyncOperation/main()`` and call ``finish(with:)`` once. Other code reads ``result``
/// after the end, or awaits ``value``.
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
/// Where the main actor is the default isolation, write `nonisolated final class`.
///
/// **Threading** and **Cancellation** are those of ``AsyncOperation``.
///
/// **Ordering**: ``onResult(_:)`` gets the result before the `willFinish` observers are called.
/// Tasks that wait for ``value`` resume after `isFinished`. If the operation is cancelled or
/// finished before it starts, both get the result at once, whatever its queue does.
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

  /// The value or error of the end; `nil` until the end is decided.
  ///
  /// It is set exactly once. Without a result (cancelled before the start, or ended by a plain
  /// `finish()`) it is `CancellationError`.
  public final var result: Result<Value, any Error>? {
    guarded.withLock { _ in decidedResult }
  }

  /// Ends the operation with a result.
  ///
  /// - Returns: `true` for the call that decided.
  @discardableResult
  public final func finish(with result: Result<Value, any Error>) -> Bool {
    finish { decidedResult = result }
  }

  /// Ends the operation, for callers that race with other ends: a late call is no misuse.
  @discardableResult
  package final func finishIfUndecided(with result: Result<Value, any Error>) -> Bool {
    finish(reportsSecond: false) { decidedResult = result }
  }

  /// Ends the operation from its body, unless it was cancelled or ended before.
  ///
  /// Nothing else can cancel or end it then. ``bodyReturned()`` publishes `isFinished`.
  ///
  /// - Returns: `true` if this call decided.
  package final func finishByBody(with value: Value) -> Bool {
    guarded.withLock { guarded in
      guard guarded.machine.finishRequestedByBody() else { return false }
      decidedResult = .success(value)
      return true
    }
  }

  /// Publishes the end that ``finishByBody(with:)`` has decided; call it once.
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
  /// A later `finish(with:)` is ignored, and is no misuse.
  ///
  /// An operation that has not started finishes when its queue starts it. An executing one,
  /// cancelled before or not, finishes before this returns, without waiting for its work.
  ///
  /// **Threading**: any thread. **Ordering**: the error is set, the `cancelled` observers are
  /// called, `isFinished` is published, and ``AsyncOperation/didCancel()`` is called.
  ///
  /// - Returns: Whether this call decided the end.
  @discardableResult
  public final func cancel(throwing error: any Error) -> Bool {
    cancelAndFinish { decideResult(throwing: error) }
  }

  // MARK: Waiting

  /// The value, once the operation has finished.
  ///
  /// Suspends; never blocks a thread. Any number of tasks may wait. An operation that never starts
  /// keeps them waiting.
  ///
  /// **Priority**: where Swift's concurrency library is that of 6.2 (Linux, iOS 26, macOS 26), the
  /// waiting task raises the operation's task and all operations that it depends on or requires. It
  /// also raises the children of a group, also later ones, and those ahead in an exclusive
  /// category.
  ///
  /// **Cancellation**: a cancelled task stops waiting, and the operation goes on. To cancel both,
  /// use `OperationQueue.value(of:)`.
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

  /// Calls `body` once with the result, when the end is decided.
  ///
  /// **Threading**: any thread. `body` runs on the thread that decides or publishes the end, or at
  /// once on this thread after the end. It must not block.
  ///
  /// **Ordering**: in the order of addition, before the `willFinish` observers and `isFinished`. A
  /// callback that was added before the end has returned before any dependent begins, before a
  /// group of the operation ends, and before a task that awaits ``value`` or `drained()` goes on.
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
