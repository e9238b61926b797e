import Foundation

extension TaskOperation {
  /// Makes an operation whose body gets the values of others, and that fails if one of them fails.
  ///
  /// ```swift
  /// let user = TaskOperation { try await fetchUser() }
  /// let photo = TaskOperation { try await fetchPhoto() }
  /// let card = TaskOperation(requiring: user, photo) { user, photo in
  ///   Card(name: user.name, photo: photo)
  /// }
  /// for operation in [user, photo, card] as [Operation] { queue.enqueue(operation) }
  /// ```
  ///
  /// The operation depends on its requirements. If one has failed, also by a cancel, the operation
  /// fails with the error of the first failed one, in the order given, and the body does not run.
  ///
  /// **Cancellation**: a cancel does not reach the requirements, and ends the wait for them.
  ///
  /// - Parameters:
  ///   - requirements: The operations that finish first. Add them to their queues yourself.
  ///   - name: A name for debugging.
  ///   - priority: The task's priority; `nil` follows the quality of service.
  ///   - body: The work, with the values in the order of the operations.
  public convenience init<each Input: Sendable>(
    requiring requirements: repeat ResultOperation<each Input>, name: String? = nil,
    priority: TaskPriority? = nil,
    _ body: @escaping @Sendable (repeat each Input) async throws -> Value
  ) {
    let requirement = (repeat Requirement(operation: each requirements))
    self.init(name: name, priority: priority) {
      try await body(repeat (each requirement).value)
    }
    repeat addDependency(each requirements)
  }

  /// Makes an operation whose body gets the results of others, whether they failed or not.
  ///
  /// ```swift
  /// let user = TaskOperation { try await fetchUser() }
  /// let photo = TaskOperation { try await fetchPhoto() }
  /// let page = TaskOperation(requiringResultsOf: user, photo) { user, photo in
  ///   Page(user: try user.get(), photo: (try? photo.get()) ?? .placeholder)
  /// }
  /// ```
  ///
  /// Otherwise like ``init(requiring:name:priority:_:)``.
  public convenience init<each Input: Sendable>(
    requiringResultsOf requirements: repeat ResultOperation<each Input>, name: String? = nil,
    priority: TaskPriority? = nil,
    _ body: @escaping @Sendable (repeat Result<each Input, any Error>) async throws -> Value
  ) {
    let requirement = (repeat Requirement(operation: each requirements))
    self.init(name: name, priority: priority) {
      try await body(repeat (each requirement).result)
    }
    repeat addDependency(each requirements)
  }
}

/// An operation that another one requires, and keeps as a dependency until it ends.
///
/// The body refers to it weakly. Otherwise, in a long chain that never started, each body would
/// deallocate the operation before it inside its own deinit, and overflow the stack.
private struct Requirement<Value: Sendable>: Sendable {
  weak var operation: ResultOperation<Value>?

  var result: Result<Value, any Error> { operation?.result ?? .failure(CancellationError()) }

  var value: Value {
    get throws { try result.get() }
  }
}
