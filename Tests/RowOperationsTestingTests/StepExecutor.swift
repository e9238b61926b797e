@testable import RowOperations

/// Runs tasks on the test's thread until they suspend, whenever the test calls `run()`.
///
/// Tasks run in the order of their resumption, so each run is the same and needs no waits.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class StepExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all resumed tasks until none is left.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Begins a task and runs it until it suspends.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: self) { await body() }
    run()
    return task
  }
}

/// Lines from tasks, in order.
final class Notes: Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
