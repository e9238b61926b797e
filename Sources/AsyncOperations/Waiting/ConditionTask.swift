final class ConditionTask: TaskOwner {
  private let task = Lock(BodyTask())

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output { task.withLock(body) }

  /// Evaluates in order, until one throws.
  ///
  /// - Parameter isNeeded: Whether the next condition matters.
  func run(
    _ conditions: [OperationCondition], of operation: AsyncOperation,
    while isNeeded: @escaping @Sendable () -> Bool,
    _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let priority = TaskPriority(operation.effectiveQualityOfService)
    runTask(of: operation, priority: priority) {
      var result = Result<Void, any Error>.success(())
      do {
        for condition in conditions where isNeeded() { try await condition.evaluate() }
      } catch {
        result = .failure(error)
      }
      self.taskReturned(of: operation)
      completion(result)
    }
  }
}
