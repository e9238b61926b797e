import Foundation

/// The attempts of a ``RetryOperation`` and the task that makes them.
final class RetryAttempts<Value: Sendable>: TaskHook {
  typealias Body = RetryOperation<Value>.Body
  typealias ShouldRetry = @Sendable (any Error, Int) -> Bool

  private struct Closures {
    let body: Body
    let shouldRetry: ShouldRetry
  }

  private struct Guarded {
    /// `nil` when the operation has finished.
    var closures: Closures?
    var task = BodyTask()
    /// The latest pause; to end one that is over does nothing.
    var pause: Pause?
    var progress = Progress.attempting(0)
    /// The error of the last attempt that failed; `nil` when the operation has finished.
    var lastFailure: (any Error)?
  }

  private enum Progress {
    case attempting(Int)
    case pausing(before: Int, until: ContinuousClock.Instant?)
  }

  private let strategy: RetryStrategy
  private let stopwatch: Stopwatch
  private let guarded: Lock<Guarded>

  init(
    _ strategy: RetryStrategy, _ stopwatch: Stopwatch, _ shouldRetry: @escaping ShouldRetry,
    _ body: @escaping Body
  ) {
    self.strategy = strategy
    self.stopwatch = stopwatch
    guarded = Lock(Guarded(closures: Closures(body: body, shouldRetry: shouldRetry)))
  }

  func begin(_ operation: RetryOperation<Value>) {
    guard let closures = guarded.withLock({ $0.closures }) else { return }
    let priority = TaskPriority(operation.effectiveQualityOfService)
    run(operation, priority: priority, notesWaits: true) {
      try await self.attempts(of: operation, closures)
    }
  }

  private func attempts(
    of operation: RetryOperation<Value>, _ closures: Closures
  ) async throws -> Value {
    var machine = RetryStateMachine()
    // The operation's own state: a cancel reaches the task a little later, on another thread.
    while let attempt = machine.attemptDue(isCancelled: operation.isToStop) {
      do {
        guarded.withLock { $0.progress = .attempting(attempt) }
        return try await closures.body(attempt)
      } catch {
        note(error)
        let isCancelled = operation.isToStop || Task.isCancelled
        var delay = isCancelled ? nil : delay(after: error, attempt)
        if delay != nil, !closures.shouldRetry(error, attempt) { delay = nil }
        switch machine.attemptFailed(isCancelled: isCancelled, delay: delay) {
        case .giveUp: throw error
        case .wait(let delay): await pause(for: delay, before: attempt + 1, operation)
        }
      }
    }
    throw CancellationError()
  }

  /// Keeps the error of an attempt, and releases that of the one before outside the lock.
  private func note(_ error: any Error) {
    let before: (any Error)? = guarded.withLock { guarded in
      guard guarded.closures != nil else { return nil }
      defer { guarded.lastFailure = error }
      return guarded.lastFailure
    }
    withExtendedLifetime(before) {}
  }

  var lastFailure: (any Error)? { guarded.withLock { $0.lastFailure } }

  private func delay(after error: any Error, _ attempt: Int) -> Duration? {
    strategy.delay(
      beforeRetry: attempt, chance: .random(in: 0...1),
      retryAfter: (error as? HTTPStatusError)?.retryAfter)
  }

  private func pause(for delay: Duration, before next: Int, _ operation: AsyncOperation) async {
    guard delay > .zero else { return }
    switch stopwatch {
    case .other(let clock):
      guarded.withLock { $0.progress = .pausing(before: next, until: nil) }
      try? await clock.pause(for: delay)
    case .timekeeper(let timekeeper):
      let pause = Pause(timekeeper)
      let end = ContinuousClock.now.advanced(by: min(delay, .longestWait))
      guarded.withLock { guarded in
        guarded.pause = pause
        guarded.progress = .pausing(before: next, until: end)
      }
      // An earlier cancel found no pause to end.
      if operation.isToStop { pause.end() }
      await pause.wait(for: delay)
    }
  }

  /// The attempt or the pause in which it is, in words.
  var explanation: String {
    switch guarded.withLock({ $0.progress }) {
    case .attempting(let attempt):
      return "attempt \(attempt + 1) of at most \(strategy.largestCount)"
    case .pausing(let next, let end):
      let rest = end.map { ContinuousClock.now.duration(to: $0) }
      let seconds = rest.map { " of another \(max($0.milliseconds, 0).rounded() / 1000) s" } ?? ""
      return "a pause\(seconds) before attempt \(next + 1) of at most \(strategy.largestCount)"
    }
  }

  // MARK: The hook

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  func cancelWork(of operation: AsyncOperation) {
    guarded.withLock { $0.pause }?.end()
    cancelTask(of: operation)
  }

  func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    let released = guarded.withLock { guarded in
      defer { (guarded.closures, guarded.lastFailure) = (nil, nil) }
      return (guarded.closures, guarded.lastFailure)
    }
    withExtendedLifetime(released) {}
  }
}
