import RowOperations

/// Runs tasks on the thread of the test, as far as they get, when the test says so.
///
/// What was resumed first runs first, so what happens is the same each time, and nothing has to be
/// waited for.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class StepExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs everything that can run.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Begins a task and runs it as far as it gets.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: self) { await body() }
    run()
    return task
  }
}

/// What tasks have written down, in order.
final class Notes: Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
