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
  ///   - evaluate: Throws the reason if the condition fails. It may take long, and may act, such as
  ///     request a permission from the user.
  public init(_ name: String, _ evaluate: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.evaluate = evaluate
  }
}

extension ResultOperation {
  /// Evaluates a condition before the operation starts.
  ///
  /// ```swift
  /// let upload = TaskOperation { try await uploadPhotos() }
  /// upload.addCondition(.signedIn)
  /// upload.addCondition(OperationCondition("enough space") { try await checkQuota() })
  /// queue.enqueue(upload)
  /// ```
  ///
  /// If a condition throws, the operation ends with that error without running, and finishes when
  /// its queue starts it. During the evaluation it takes no slot of its queue.
  ///
  /// **Threading**: any thread, before the operation is enqueued. Conditions are evaluated in a
  /// task of their own.
  ///
  /// **Cancellation**: a cancel ends the wait and that task.
  ///
  /// **Ordering**: dependencies, then conditions in the order of addition, up to a failed one, then
  /// the turn.
  @discardableResult
  public func addCondition(_ condition: OperationCondition) -> Self {
    changeGate { $0.conditions.append(condition) }
    return self
  }
}
