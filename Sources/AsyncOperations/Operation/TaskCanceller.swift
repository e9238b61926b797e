/// Cancels the tasks of operations, on threads of its own.
///
/// `Task.cancel()` runs the task's cancellation handlers, which belong to the app, on the calling
/// thread. A handler that blocks would freeze the main thread in `cancelAllOperations()`, or keep a
/// timeout from ending an operation. (`URLSession.data(from:)` on Linux has a handler that
/// deadlocks.) Here handlers run in ``Lanes``: slow ones delay other cancels by about a second, and
/// ``OperationDiagnostics`` reports them.
final class TaskCanceller: Sendable {
  struct Call: Sendable {
    let task: Task<Void, Never>
    let operation: AsyncOperation?
    var body: (any TaskOwner)?
  }

  static let shared = TaskCanceller(.system, OverstayWatch.shared)

  /// How long cancels wait for one another before they are spread over more threads.
  static let patience = Duration.seconds(1)

  private let lanes: Lanes<Call>

  init(_ surroundings: Surroundings, _ watch: OverstayWatch) {
    lanes = Lanes(patience: Self.patience, surroundings, report: Self.report) { call in
      call.task.cancel()
      // An operation that was finished from outside needs its body no longer, which is no misuse.
      if let body = call.body, let operation = call.operation, operation.isCancelled {
        watch.bodyCancelled(body, of: operation)
      }
    }
  }

  /// Cancels a task soon, and returns at once.
  ///
  /// Tasks are cancelled in the order of these calls, unless handlers are slow.
  ///
  /// - Parameter body: The owner of the task. If the task goes on for long after the cancel, that
  ///   is reported.
  func cancel(
    _ task: Task<Void, Never>, of operation: AsyncOperation?, body: (any TaskOwner)? = nil
  ) {
    lanes.make(Call(task: task, operation: operation, body: body))
  }

  private static func report(_ report: LanePlan<Call>.Report) {
    let advice = "Make it return at once: it must not take a lock that the task's own work holds."
    switch report {
    case .blocked(let call):
      OperationDiagnostics.report(
        .blockedCancelHandler, call.operation,
        """
        A cancellation handler of its task has not returned for a second, so other tasks are \
        cancelled on another thread. \(advice)
        """)
    case .crowded(let call):
      OperationDiagnostics.report(
        .blockedCancelHandler, call.operation,
        """
        A cancellation handler of its task and others are so slow that tasks wait for their cancel \
        for more than a second. They are now cancelled on more threads. \(advice)
        """)
    case .full:
      OperationDiagnostics.report(
        .blockedCancelHandler, nil,
        """
        Cancellation handlers hold all \(LanePlan<Call>.limit) threads that cancel tasks, so other \
        tasks wait for their cancel. Make handlers return at once.
        """)
    }
  }
}
