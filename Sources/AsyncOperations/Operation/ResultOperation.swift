/// An asynchronous operation that ends with a value or an error.
///
/// Override ``AsyncOperation/main()`` and call ``finish(with:)`` once. Others read ``result`` when it
/// has finished, or await ``value``.
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
/// **Ordering**: the result is set before observers hear that the operation will finish; tasks that
/// wait for ``value`` are resumed after `isFinished` was emitted.
open class ResultOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  // Sendable: both are read and written under the base class's lock. A tracker reads the result
  // without it, after the operation has reported its end.
  @usableFromInline package final var settledResult: Result<Value, any Error>?
  private var waiters = Waiters.open([:])

  #if canImport(ObjectiveC)
    /// Makes an operation; subclasses call it.
    public override init() { super.init() }
  #else
    /// Makes an operation; subclasses call it.
    ///
    /// Inlinable, since code that is not compiled for a type has to look it up (figure B13).
    @inlinable
    public override init() { super.init() }
  #endif

  @inlinable
  package override init(hook: any OperationHook) { super.init(hook: hook) }

  /// How the operation ended; `nil` until that is decided.
  ///
  /// It is set exactly once.
  ///
  /// An operation that ends without a result (cancelled before it started, or ended by a plain
  /// `finish()`) ends with `CancellationError`.
  public final var result: Result<Value, any Error>? {
    guarded.withLock { _ in settledResult }
  }

  /// Ends the operation with a result.
  ///
  /// Like ``AsyncOperation/finish()``: once, from any thread, also before the start.
  ///
  /// - Returns: `true` for the one call that decided, whose result this is.
  @discardableResult
  public final func finish(with result: Result<Value, any Error>) -> Bool {
    finish { settledResult = result }
  }

  /// Ends the operation with a result, unless its end was decided before.
  ///
  /// Like ``finish(with:)``, but one that comes too late is no misuse and is not reported: for whoever
  /// ends the operation beside others and cannot know whether they have been faster.
  ///
  /// - Returns: `true` if this call decided.
  @discardableResult
  package final func finishIfUndecided(with result: Result<Value, any Error>) -> Bool {
    finish(reportsSecond: false) { settledResult = result }
  }

  override func settle() {
    if settledResult == nil { settledResult = .failure(CancellationError()) }
  }

  override var isTimedOut: Bool {
    guard case .failure(let error as RowOperationsError) = result else { return false }
    return error.code == .timedOut
  }

  // MARK: Waiting

  /// The value, once the operation has finished.
  ///
  /// Suspends; never blocks a thread. Any number of tasks may wait, each is resumed exactly once.
  /// Wait only for an operation that somebody starts.
  ///
  /// **Cancellation**: cancelling the awaiting task stops its waiting with `CancellationError` and
  /// leaves the operation alone. To cancel both, use `OperationQueue.value(of:)`.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public final var value: Value {
    get async throws {
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

  /// Calls `body` once with the result, right after `isFinished` was emitted; at once if it was.
  final func whenFinished(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    whenFinished(Waiter(), body)
  }

  private func whenFinished(
    _ waiter: Waiter, _ body: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    // The operation resumes those who wait, and so outlives the closure.
    let resume: Waiters.Resume = { [unowned self] isCancelled in
      body(isCancelled ? .failure(CancellationError()) : result ?? .failure(CancellationError()))
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
    let waiting = guarded.withLock { _ in waiters.close() }
    for resume in waiting.values { resume(false) }
  }
}

/// One who waits, told from the others by its identity.
private final class Waiter: Hashable, @unchecked Sendable {
  // Sendable: read and written under the lock of the operation that it waits for.
  var isCancelled = false

  static func == (one: Waiter, other: Waiter) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Those who wait for a result; whoever takes one out resumes it, so it is resumed exactly once.
///
/// It has no type of the app's, so that no code has to look that type up.
private enum Waiters {
  /// Is told whether the waiting was cancelled.
  typealias Resume = @Sendable (_ isCancelled: Bool) -> Void

  case open([Waiter: Resume])
  case closed

  /// - Returns: Whether it waits now; if not, there is a result to be had at once.
  mutating func add(_ waiter: Waiter, _ resume: @escaping Resume) -> Bool {
    guard case .open(var waiting) = self else { return false }
    self = .closed  // Keeps the dictionary unique while it changes.
    waiting[waiter] = resume
    self = .open(waiting)
    return true
  }

  mutating func remove(_ waiter: Waiter) -> Resume? {
    guard case .open(var waiting) = self else { return nil }
    self = .closed
    defer { self = .open(waiting) }
    return waiting.removeValue(forKey: waiter)
  }

  mutating func close() -> [Waiter: Resume] {
    guard case .open(let waiting) = self else { return [:] }
    self = .closed
    return waiting
  }
}
