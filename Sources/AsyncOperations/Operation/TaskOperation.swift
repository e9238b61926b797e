import Foundation

/// An operation that runs an `async` closure.
///
/// ```swift
/// let queue = OperationQueue()
/// let operation = TaskOperation { try await fetchFeed() }
/// let feed = try await queue.value(of: operation)
/// ```
///
/// **Threading**: the body runs in a task of its own, on the concurrent executor unless it is
/// isolated to an actor.
///
/// **Cancellation**: a cancel reaches the task a moment later, on another thread, so that no
/// cancellation handler blocks the cancelling one. The operation finishes when the body returns or
/// throws, with its result. A body whose task has not begun by then does not run.
///
/// **Errors**: an error that the body throws becomes the result, untouched.
public final class TaskOperation<Value: Sendable>: ResultOperation<Value>, @unchecked Sendable {
  // Sendable: the rest never changes.
  private let body: TaskBody<Value>
  private let priority: TaskPriority?

  /// Makes an operation that runs `body` when its queue starts it.
  ///
  /// - Parameters:
  ///   - name: A name for debugging. With Swift 6.2 and later, the task has the name too.
  ///   - priority: The task's priority; `nil` follows the quality of service.
  ///   - body: The work. The operation releases it when it has finished.
  public init(
    name: String? = nil, priority: TaskPriority? = nil,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    self.body = TaskBody(body)
    self.priority = priority
    super.init(hook: self.body)
    self.name = name
  }

  /// Runs the body; for `start()` to call.
  public override func main() {
    guard let run = body.take() else { return }
    let priority = priority ?? TaskPriority(effectiveQualityOfService)
    body.run(self, name: name, priority: priority, notesWaits: true, run)
  }
}

private final class TaskBody<Value: Sendable>: TaskHook {
  typealias Body = @Sendable () async throws -> Value

  private struct Guarded {
    var body: Body?
    var task = BodyTask()
  }

  private let guarded: Lock<Guarded>

  init(_ body: @escaping Body) { guarded = Lock(Guarded(body: body)) }

  func take() -> Body? {
    guarded.withLock { guarded in
      defer { guarded.body = nil }
      return guarded.body
    }
  }

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    _ = take()
  }
}

extension TaskPriority {
  /// The task priority of a quality of service; `nil` for the default one.
  package init?(_ quality: QualityOfService) {
    switch quality {
    case .userInteractive: self = .high
    case .userInitiated: self = .userInitiated
    case .utility: self = .utility
    case .background: self = .background
    case .default: return nil
    @unknown default: return nil
    }
  }
}
