import Foundation

/// Something that must hold before an operation starts.
///
/// ```swift
/// extension OperationCondition {
///   static let signedIn = OperationCondition("signed in") {
///     guard await session.isValid else { throw SessionError.expired }
///   }
/// }
/// ```
public struct OperationCondition: Sendable {
  /// A name for debugging.
  public let name: String
  let evaluate: @Sendable () async throws -> Void

  /// Makes a condition.
  ///
  /// - Parameters:
  ///   - name: A name for debugging.
  ///   - evaluate: Returns if the condition is satisfied, else throws the reason. It may take long,
  ///     and may act to satisfy the condition, such as by requesting a permission from the user.
  public init(_ name: String, _ evaluate: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.evaluate = evaluate
  }
}

extension ResultOperation {
  /// Evaluates a condition before the operation starts; the operation fails if the condition does.
  ///
  /// ```swift
  /// let upload = TaskOperation { try await uploadPhotos() }
  /// upload.addCondition(.signedIn)
  /// upload.addCondition(OperationCondition("enough space") { try await checkQuota() })
  /// queue.enqueue(upload)
  /// ```
  ///
  /// If a condition throws, the operation ends with that error and does not run. It then finishes
  /// when its queue starts it. While conditions are evaluated, the operation takes no slot of its
  /// queue.
  ///
  /// **Threading**: any thread, before the operation is enqueued, as with
  /// ``AsyncOperation/exclusive(in:)``. Conditions are evaluated in a task of their own.
  ///
  /// **Cancellation**: a cancelled operation no longer waits, and that task is cancelled.
  ///
  /// **Ordering**: dependencies first, then conditions, one after the other in the order in which
  /// they were added, then the turn. The conditions after a failed one are not evaluated.
  ///
  /// - Returns: The operation.
  @discardableResult
  public func addCondition(_ condition: OperationCondition) -> Self {
    changeGate { $0.conditions.append(condition) }
    return self
  }
}
