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
/// **Ordering**: the result is set before the `willFinish` observers are called, and with them the
/// callbacks of ``onResult(_:)``. Tasks that wait for ``value`` are resumed after `isFinished` was
/// emitted.
// Fixed layout: the inlinable initialisers set the properties (figure B13).
@_fixed_layout
open class ResultOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  // Sendable: all are read and written under the base class's lock. A tracker reads the result
  // without it, after the operation has reported its end.
  //
  // Unchecked in release: the lock orders all changes, and no access runs other code (figure B13).
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline package final var decidedResult = DecidedResult<Value>.undecided
  /// Whether there is a result.
  ///
  /// To read the case of the enum, unspecialised code looks its type up.
  private var hasResult = false
  private var waiters = Waiters.none

  #if canImport(ObjectiveC)
    /// Makes an operation; subclasses call it.
    public override init() { super.init() }
  #else
    /// Makes an operation; subclasses call it.
    ///
    /// Inlinable, since unspecialised code looks up the type at run time (figure B13).
    @inlinable
    public override init() { super.init() }
  #endif

  @inlinable
  package override init(hook: any OperationHook) { super.init(hook: hook) }

  /// The value or error that the operation ended with; `nil` until its end is decided.
  ///
  /// It is set exactly once. An operation that ends without a result (cancelled before it started,
  /// or ended by a plain `finish()`) ends with `CancellationError`.
  public final var result: Result<Value, any Error>? {
    guarded.withLock { _ in decidedResult.result }
  }

  /// Ends the operation with a result.
  ///
  /// Call it once, from any thread, also before the start, as with ``AsyncOperation/finish()``.
  ///
  /// - Returns: `true` for the one call that decided; the operation has its result.
  @discardableResult
  public final func finish(with result: Result<Value, any Error>) -> Bool {
    finish { decide(result) }
  }

  /// Ends the operation with a result, unless its end was decided before.
  ///
  /// Like ``finish(with:)``, but a late call is no misuse and is not reported. For callers that
  /// race with other ends and cannot know which comes first.
  ///
  /// - Returns: `true` if this call decided.
  @discardableResult
  package final func finishIfUndecided(with result: Result<Value, any Error>) -> Bool {
    finish(reportsSecond: false) { decide(result) }
  }

  /// Ends the operation with a value, unless its end was decided before.
  final func finishIfUndecided(returning value: Value) {
    finish(reportsSecond: false) { decide(value) }
  }

  /// Ends the operation with an error, unless its end was decided before.
  final func finishIfUndecided(throwing error: any Error) {
    finish(reportsSecond: false) { decideResult(throwing: error) }
  }

  /// Ends the operation with a value, from its body, unless it was cancelled or ended before.
  ///
  /// From now on nothing else can cancel or end it. ``bodyReturned()`` publishes `isFinished`.
  ///
  /// - Returns: `true` if this call decided.
  package final func finishByBody(with value: Value) -> Bool {
    guarded.withLock { guarded in
      guard guarded.machine.finishRequestedByBody() else { return false }
      decide(value)
      return true
    }
  }

  /// Publishes the end that the body decided.
  package final func bodyReturned() { perform(transition { $0.machine.bodyReturned() }) }

  override func decideResult() {
    if !hasResult { decideResult(throwing: CancellationError()) }
  }

  override func decideResult(throwing error: any Error) {
    decidedResult = .failure(error)
    hasResult = true
  }

  private func decide(_ value: Value) {
    decidedResult = .success(value)
    hasResult = true
  }

  private func decide(_ result: Result<Value, any Error>) {
    switch result {
    case .success(let value): decide(value)
    case .failure(let error): decideResult(throwing: error)
    }
  }

  /// Cancels the operation and ends it with an error, in one step.
  ///
  /// Nothing can end the operation in between, not even an observer of the cancel. Timeouts use it.
  /// A later `finish(with:)` is ignored, and is not a misuse.
  ///
  /// An operation that has not started leaves its queue and finishes when its queue starts it. An
  /// executing operation finishes before this returns, without waiting for its work to notice; then
  /// ``AsyncOperation/didCancel()`` is called. This also ends an operation that was cancelled
  /// before.
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
  /// Suspends; never blocks a thread. Any number of tasks may wait; each is resumed exactly once.
  /// An operation that never starts keeps them waiting.
  ///
  /// **Priority**: where Swift's concurrency library is that of 6.2 (Linux, iOS 26, macOS 26), the
  /// waiting task passes its priority on. The task of a ``TaskOperation`` or ``RetryOperation``,
  /// and those of a group's children, get at least that priority.
  ///
  /// **Cancellation**: cancelling the awaiting task stops its waiting with `CancellationError` and
  /// leaves the operation alone. To cancel both, use `OperationQueue.value(of:)`.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public final var value: Value {
    get async throws {
      try await WorkContext.waiting(isolation: nil, for: node) {
        try await ConcurrencyLibrary.awaiting(isolation: nil, { self.awaited(at: $0) }) {
          let waiter = Waiter()
          return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
              whenFinished(waiter) { continuation.resume(with: $0) }
            }
          } onCancel: {
            cancel(waiter)
          }
        }
      }
    }
  }

  /// Calls `body` once with the result, when the end of the operation is decided.
  ///
  /// **Threading**: any thread. `body` runs on the thread that finishes the operation, or at once
  /// on this thread if that one has begun to publish the end. If the operation never starts, `body`
  /// never runs. It must not block.
  ///
  /// **Cancellation**: a callback cannot be removed. **Cost**: O(observers).
  ///
  /// **Ordering**: `body` is a `willFinish` observer, called in the order of addition, before
  /// `isFinished` reads true. So, if it was added before the end, it has returned before any
  /// dependent begins, before a group of the operation ends, and before a task that awaits
  /// ``value`` or `drained()` goes on.
  public final func onResult(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    // The operation calls its observers, and so outlives the closure.
    let isInTime = addObserver(
      OperationObserver(willFinish: { [unowned self] _ in body(finalResult) }))
    if !isInTime { body(finalResult) }
  }

  /// The result, once the end is decided.
  private var finalResult: Result<Value, any Error> { result ?? .failure(CancellationError()) }

  private func whenFinished(
    _ waiter: Waiter, _ body: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    // The operation calls its waiters, and so outlives the closure.
    let resume: Waiters.Resume = { [unowned self] isCancelled in
      body(isCancelled ? .failure(CancellationError()) : finalResult)
    }
    let (isCancelled, isWaiting) = guarded.withLock { _ in
      (waiter.isCancelled, !waiter.isCancelled && waiters.add(waiter, resume))
    }
    if !isWaiting { resume(isCancelled) }
  }

  private func cancel(_ waiter: Waiter) {
    let resume = guarded.withLock { _ in
      waiter.isCancelled = true
      return waiters.remove(waiter)
    }
    resume?(true)
  }

  override func didPublishFinish() {
    for resume in guarded.withLock({ _ in waiters.close() }) { resume(false) }
  }
}

/// The result of an operation, once its end is decided.
///
/// One enum in place of an optional `Result`: unspecialised code looks both of those types up at
/// run time, at each change (figure B13).
@frozen
@usableFromInline
package enum DecidedResult<Value: Sendable>: Sendable {
  case undecided
  case success(Value)
  case failure(any Error)

  var result: Result<Value, any Error>? {
    switch self {
    case .undecided: nil
    case .success(let value): .success(value)
    case .failure(let error): .failure(error)
    }
  }
}

/// A task that waits for a result.
private final class Waiter: @unchecked Sendable {
  // Sendable: read and written under the lock of the operation that it waits for.
  var isCancelled = false
  /// Its number among all waiters of the operation.
  var number: UInt64?
}

/// The tasks that wait for a result.
///
/// The thread that removes a waiter resumes it, so each is resumed exactly once. The type contains
/// none of the app's types, so that no code looks those up at run time.
@usableFromInline
enum Waiters {
  /// Receives whether the waiting was cancelled.
  @usableFromInline typealias Resume = @Sendable (_ isCancelled: Bool) -> Void

  @usableFromInline
  struct Line {
    var resumes: [UInt64: Resume] = [:]
    var last: UInt64 = 0
  }

  case open(Line)
  case closed

  @usableFromInline static var none: Waiters { .open(Line()) }

  /// - Returns: Whether it waits now; if not, there is a result at once.
  fileprivate mutating func add(_ waiter: Waiter, _ resume: @escaping Resume) -> Bool {
    guard case .open(var line) = self else { return false }
    self = .closed  // Keeps the dictionary unique while it changes.
    line.last += 1
    waiter.number = line.last
    line.resumes[line.last] = resume
    self = .open(line)
    return true
  }

  fileprivate mutating func remove(_ waiter: Waiter) -> Resume? {
    guard let number = waiter.number, case .open(var line) = self else { return nil }
    self = .closed
    defer { self = .open(line) }
    return line.resumes.removeValue(forKey: number)
  }

  /// - Returns: The closures of all waiters, in order of arrival.
  mutating func close() -> [Resume] {
    guard case .open(let line) = self else { return [] }
    self = .closed
    if line.resumes.isEmpty { return [] }
    return line.resumes.sorted { $0.key < $1.key }.map(\.value)
  }
}
