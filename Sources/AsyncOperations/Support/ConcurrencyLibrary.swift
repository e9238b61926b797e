import Dispatch

/// Features of Swift's concurrency library since 6.2.
///
/// An older library does without. An Apple SDK brings its own, which may be older than the
/// compiler.
package enum ConcurrencyLibrary {
  /// Whether tasks that run can be raised.
  package static var raises: Bool {
    #if compiler(>=6.2) && (!canImport(Darwin) || canImport(_Concurrency, _version: 6.2))
      if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return true }
    #endif
    return false
  }

  /// Runs `wait`; meanwhile the work knows the calling task's priority.
  ///
  /// - Parameter awaited: Receives the priority, and each higher one later.
  static func awaiting<Output>(
    isolation: isolated (any Actor)?,
    _ awaited: @escaping @Sendable (TaskPriority) -> Void, _ wait: () async throws -> Output
  ) async throws -> Output {
    #if compiler(>=6.2) && (!canImport(Darwin) || canImport(_Concurrency, _version: 6.2))
      if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        awaited(Task.currentPriority)
        return try await withTaskPriorityEscalationHandler {
          try await wait()
        } onPriorityEscalated: { _, priority in
          // The concurrency library holds a lock here.
          DispatchQueue.global().async { awaited(priority) }
        }
      }
    #endif
    return try await wait()
  }

  /// Raises a task soon, on another thread, since that calls handlers of the app.
  static func raise(_ task: Task<Void, Never>, to priority: TaskPriority) {
    #if compiler(>=6.2) && (!canImport(Darwin) || canImport(_Concurrency, _version: 6.2))
      if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        DispatchQueue.global().async { task.escalatePriority(to: priority) }
      }
    #endif
  }

  /// The task inherits nothing from the caller.
  static func task(
    name: String?, priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    #if compiler(>=6.2) && (!canImport(Darwin) || canImport(_Concurrency, _version: 6.2))
      if let name { return Task.detached(name: name, priority: priority, operation: body) }
    #endif
    return Task.detached(priority: priority, operation: body)
  }
}
