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
/// **Ordering**: the result is set before observers hear that the operation will finish; tasks that
/// wait for ``value`` are resumed after `isFinished` was emitted.
open class ResultOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  private enum Waiters {
    case open([ObjectIdentifier: Waiter<Value>])
    case closed
  }

  // Sendable: both are read and written under the base class's lock alone.
  private var settledResult: Result<Value, any Error>?
  private var waiters: Waiters = .open([:])

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

  /// Ends the operation with what its body, run by the library, came to.
  final func finishBody(with result: Result<Value, any Error>) {
    finish(reportsSecond: false) { settledResult = result }
  }

  override func settle() {
    if settledResult == nil { settledResult = .failure(CancellationError()) }
  }

  // MARK: Waiting

  /// The value, once the operation has finished.
  ///
  /// Suspends; never blocks a thread. Any number of tasks may wait.
  ///
  /// **Cancellation**: cancelling the awaiting task stops its waiting with `CancellationError` and
  /// leaves the operation alone. To cancel both, use `OperationQueue.value(of:)`.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public final var value: Value {
    get async throws {
      let waiter = Waiter<Value>()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          waiter.wait(continuation)
          add(waiter)
        }
      } onCancel: {
        remove(waiter)
        waiter.resume(with: .failure(CancellationError()))
      }
    }
  }

  /// Calls `body` once with the result, right after `isFinished` was emitted; at once if it was.
  final func whenFinished(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    add(Waiter(body))
  }

  private func add(_ waiter: Waiter<Value>) {
    let result: Result<Value, any Error>? = guarded.withLock { _ in
      switch waiters {
      case .open(var waiting):
        waiters = .closed  // Keeps the dictionary unique while it changes.
        waiting[ObjectIdentifier(waiter)] = waiter
        waiters = .open(waiting)
        return nil
      case .closed:
        return settledResult
      }
    }
    if let result { waiter.resume(with: result) }
    // A cancel that came between its making and its adding has not found it.
    if waiter.isResumed { remove(waiter) }
  }

  private func remove(_ waiter: Waiter<Value>) {
    guarded.withLock { _ in
      guard case .open(var waiting) = waiters else { return }
      waiters = .closed
      waiting[ObjectIdentifier(waiter)] = nil
      waiters = .open(waiting)
    }
  }

  override func didPublishFinish() {
    let (result, waiting) = guarded.withLock { _ in
      defer { waiters = .closed }
      if case .open(let waiting) = waiters { return (settledResult, Array(waiting.values)) }
      return (settledResult, [])
    }
    guard let result else { return }
    for waiter in waiting { waiter.resume(with: result) }
  }
}

/// One who waits for a result and gets it exactly once.
private final class Waiter<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>

  private enum State {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
    case calling(@Sendable (Outcome) -> Void)
    /// Resumed before it waited.
    case early(Outcome)
    case resumed
  }

  private let state: Lock<State>

  init() { state = Lock(.idle) }

  init(_ body: @escaping @Sendable (Outcome) -> Void) { state = Lock(.calling(body)) }

  var isResumed: Bool {
    state.withLock { state in
      switch state {
      case .idle, .waiting, .calling: false
      case .early, .resumed: true
      }
    }
  }

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let early: Outcome? = state.withLock { state in
      switch state {
      case .early(let outcome):
        state = .resumed
        return outcome
      case .idle, .waiting, .calling, .resumed:
        state = .waiting(continuation)
        return nil
      }
    }
    if let early { continuation.resume(with: early) }
  }

  func resume(with outcome: Outcome) {
    let before = state.withLock { state in
      let before = state
      switch before {
      case .idle: state = .early(outcome)
      case .waiting, .calling: state = .resumed
      case .early, .resumed: break
      }
      return before
    }
    switch before {
    case .waiting(let continuation): continuation.resume(with: outcome)
    case .calling(let body): body(outcome)
    case .idle, .early, .resumed: break
    }
  }
}
