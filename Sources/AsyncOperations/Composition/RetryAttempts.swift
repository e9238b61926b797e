import Foundation

final class RetryAttempts<Value: Sendable>: TaskHook {
  typealias Body = RetryOperation<Value>.Body
  typealias ShouldRetry = @Sendable (any Error, Int) -> Bool

  private typealias Closures = (body: Body, shouldRetry: ShouldRetry)

  private struct Guarded {
    /// `nil` when the operation has finished.
    var closures: Closures?
    var task = BodyTask()
    var progress = Progress.attempting(0)
    /// Of the last failed attempt; `nil` when the operation has finished.
    var lastFailure: (any Error)?
  }

  private enum Progress {
    case attempting(Int)
    case pausing(Pause, before: Int)
    case inLine(Pause, before: Int)
  }

  private let strategy: RetryStrategy
  private let stopwatch: Stopwatch
  private let keepsTurn: Bool
  private let guarded: Lock<Guarded>

  init(
    _ strategy: RetryStrategy, _ stopwatch: Stopwatch, keepsTurn: Bool,
    _ shouldRetry: @escaping ShouldRetry, _ body: @escaping Body
  ) {
    self.strategy = strategy
    self.stopwatch = stopwatch
    self.keepsTurn = keepsTurn
    guarded = Lock(Guarded(closures: (body, shouldRetry)))
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
    var attempt = 0
    // The operation's own state: a cancel reaches the task a little later, on another thread.
    while !operation.isToStop {
      guarded.withLock { $0.progress = .attempting(attempt) }
      do {
        return try await closures.body(attempt)
      } catch {
        note(error)
        guard !operation.isToStop, !Task.isCancelled, let delay = delay(after: error, attempt),
          closures.shouldRetry(error, attempt)
        else { throw error }
        attempt += 1
        await pause(for: delay, before: attempt, operation)
      }
    }
    throw CancellationError()
  }

  private func note(_ error: any Error) {
    // The error before ends its life outside the lock.
    var failure: (any Error)? = error
    guarded.withLock { guarded in
      if guarded.closures != nil { swap(&guarded.lastFailure, &failure) }
    }
  }

  var lastFailure: (any Error)? { guarded.withLock { $0.lastFailure } }

  private func delay(after error: any Error, _ attempt: Int) -> Duration? {
    strategy.delay(
      beforeRetry: attempt, chance: .random(in: 0...1),
      retryAfter: (error as? HTTPStatusError)?.retryAfter)
  }

  private func pause(for delay: Duration, before next: Int, _ operation: AsyncOperation) async {
    let gate = keepsTurn ? nil : operation.gate
    gate?.pause()
    if delay > .zero {
      let pause = Pause()
      let wait = stopwatch.wait(for: delay) { pause.end() }
      await self.wait(for: pause, .pausing(pause, before: next), operation)
      wait.end(for: operation)
    }
    let pause = Pause()
    if !operation.isToStop, gate?.resume({ pause.end() }) == true {
      await wait(for: pause, .inLine(pause, before: next), operation)
    }
  }

  private func wait(for pause: Pause, _ progress: Progress, _ operation: AsyncOperation) async {
    guarded.withLock { $0.progress = progress }
    // An earlier cancel found no pause to end.
    if operation.isToStop { pause.end() }
    await pause.ended()
  }

  func endPause() {
    if case .pausing(let pause, _) = guarded.withLock({ $0.progress }) { pause.end() }
  }

  var explanation: String {
    let count = strategy.largestCount
    switch guarded.withLock({ $0.progress }) {
    case .attempting(let attempt):
      return "attempt \(attempt + 1) of at most \(count)"
    case .pausing(_, let next):
      return "a pause before attempt \(next + 1) of at most \(count)"
    case .inLine(_, let next):
      return "in line for its turn before attempt \(next + 1) of at most \(count)"
    }
  }

  // MARK: The hook

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  func cancelWork(of operation: AsyncOperation) {
    switch guarded.withLock({ $0.progress }) {
    case .attempting: break
    case .pausing(let pause, _), .inLine(let pause, _): pause.end()
    }
    cancelTask(of: operation)
  }

  func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    // They end their lives outside the lock.
    _ = guarded.withLock { guarded in
      defer { (guarded.closures, guarded.lastFailure) = (nil, nil) }
      return (guarded.closures, guarded.lastFailure)
    }
  }
}
