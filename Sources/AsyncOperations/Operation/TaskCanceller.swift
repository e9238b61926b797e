/// Cancels the tasks of operations, on threads of its own.
///
/// `Task.cancel()` runs the task's cancellation handlers, which belong to the app, on the calling
/// thread. A handler that blocks would freeze the main thread in `cancelAllOperations()`, or keep a
/// timeout from ending an operation. (`URLSession.data(from:)` on Linux has a handler that
/// deadlocks.) Here handlers run in ``Lanes``: one that blocks delays other cancels by about a
/// second, and ``OperationDiagnostics`` reports it.
final class TaskCanceller: Sendable {
  struct Call: Sendable {
    let task: Task<Void, Never>
    let operation: AsyncOperation?
    var body: (any TaskOwner)?
  }

  static let shared = TaskCanceller(.system, .shared)

  /// How long a handler may take before the others go on without it.
  static let patience = Duration.seconds(1)

  private let lanes: Lanes<Call>

  /// - Parameter timekeeper: Measures how long bodies go on.
  init(_ surroundings: Surroundings, _ timekeeper: Timekeeper) {
    lanes = Lanes(patience: Self.patience, surroundings, blocked: Self.report) { call in
      call.task.cancel()
      // An operation that was finished from outside needs its body no longer, which is no misuse.
      if let body = call.body, let operation = call.operation, operation.isCancelled {
        OverstayWatch.bodyCancelled(body, of: operation, by: timekeeper)
      }
    }
  }

  /// Cancels a task soon, and returns at once.
  ///
  /// Tasks are cancelled in the order of these calls, unless a handler blocks.
  ///
  /// - Parameter body: The owner of the task. If the task goes on for long after the cancel, that
  ///   is reported.
  func cancel(
    _ task: Task<Void, Never>, of operation: AsyncOperation?, body: (any TaskOwner)? = nil
  ) {
    lanes.make(Call(task: task, operation: operation, body: body))
  }

  private static func report(_ call: Call) {
    OperationDiagnostics.report(
      .blockedCancelHandler, call.operation,
      """
      A cancellation handler of its task has not returned for a second, so other tasks are \
      cancelled on another thread. Make it return at once: it must not take a lock that the task's \
      own work holds.
      """)
  }
}
