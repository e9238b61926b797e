import Foundation

/// An operation whose body is an `async` closure.
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
/// **Cancellation**: cancelling the operation cancels the task. It finishes when the body returns or
/// throws, with what the body came to; a body that ignores cancellation still finishes it once.
///
/// **Errors**: what the body throws becomes the result, untouched.
public final class TaskOperation<Value: Sendable>: ResultOperation<Value>, @unchecked Sendable {
  private struct Work {
    var body: (@Sendable () async throws -> Value)?
  }

  // Sendable: the body is taken out under its lock, the priority never changes.
  private let work: Lock<Work>
  private let priority: TaskPriority?
  private let task = BodyTask()

  /// Makes an operation that runs `body` when its queue starts it.
  ///
  /// - Parameters:
  ///   - name: A name for debugging.
  ///   - priority: The task's priority; `nil` follows the operation's quality of service.
  ///   - body: The work. The operation lets go of it when it has finished.
  public init(
    name: String? = nil, priority: TaskPriority? = nil,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    work = Lock(Work(body: body))
    self.priority = priority
    super.init()
    self.name = name
  }

  /// Runs the body; for `start()` to call.
  public override func main() {
    guard let body = takeBody() else { return }
    task.run(priority: priority ?? TaskPriority(qualityOfService)) { [self] in
      do {
        finishIfUndecided(with: .success(try await body()))
      } catch {
        finishIfUndecided(with: .failure(error))
      }
    }
  }

  override func cancelWork() { task.cancel() }

  override func didPublishFinish() {
    task.cancel()
    _ = takeBody()
    super.didPublishFinish()
  }

  private func takeBody() -> (@Sendable () async throws -> Value)? {
    work.exchange(Work()).body
  }
}

extension TaskPriority {
  /// The task priority that a quality of service stands for; `nil` where none was chosen.
  init?(_ quality: QualityOfService) {
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
