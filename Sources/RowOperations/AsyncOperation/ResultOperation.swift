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
  // Sendable: both are read and written under the base class's lock alone.
  private var settledResult: Result<Value, any Error>?
  private var waiters = Waiters<Value>.open([:])

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
  public final func finishIfUndecided(with result: Result<Value, any Error>) -> Bool {
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
          add(waiter) { continuation.resume(with: $0) }
        }
      } onCancel: {
        cancel(waiter)
      }
    }
  }

  /// Calls `body` once with the result, right after `isFinished` was emitted; at once if it was.
  final func whenFinished(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    add(Waiter(), body)
  }

  private func add(_ waiter: Waiter, _ resume: @escaping Waiters<Value>.Resume) {
    let outcome: Result<Value, any Error>? = guarded.withLock { _ in
      if waiter.isCancelled { return .failure(CancellationError()) }
      return waiters.add(waiter, resume) ? nil : settledResult
    }
    if let outcome { resume(outcome) }
  }

  private func cancel(_ waiter: Waiter) {
    let resume = guarded.withLock { _ in
      waiter.isCancelled = true
      return waiters.remove(waiter)
    }
    resume?(.failure(CancellationError()))
  }

  override func didPublishFinish() {
    let (result, waiting) = guarded.withLock { _ in (settledResult, waiters.close()) }
    guard let result else { return }
    for resume in waiting.values { resume(result) }
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
private enum Waiters<Value: Sendable> {
  typealias Resume = @Sendable (Result<Value, any Error>) -> Void

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
