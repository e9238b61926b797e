import Foundation

/// A category in which operations and tasks exclude each other.
///
/// By default one executes at a time. Keep the object of a category in a `static let`: two objects
/// with one name do not exclude each other.
///
/// ```swift
/// extension ExclusionCategory {
///   static let uploads = ExclusionCategory("uploads", limit: 2)
/// }
/// ```
///
/// Operations use ``AsyncOperation/exclusive(in:)``, and plain `async` code `withPermit`.
///
/// **Threading**: any thread.
public final class ExclusionCategory: Sendable {
  /// The name, for explanations and reports.
  public let name: String
  /// How many operations and tasks execute at once.
  public let limit: Int

  /// Makes a category.
  ///
  /// - Parameters:
  ///   - name: The name, for explanations and reports.
  ///   - limit: How many execute at once; less than 1 counts as 1.
  public init(_ name: String, limit: Int = 1) {
    self.name = name
    self.limit = max(limit, 1)
  }
}

extension ExclusionCategory: Hashable, CustomStringConvertible {
  /// Whether both are the same object.
  public static func == (a: ExclusionCategory, b: ExclusionCategory) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The name.
  public var description: String { name }
}

extension AsyncOperation {
  /// Excludes others in these categories while the operation executes, in any queue.
  ///
  /// ```swift
  /// let migration = TaskOperation { try await migrateDatabase() }
  /// migration.exclusive(in: .database, .network)
  /// queue.enqueue(migration)
  /// ```
  ///
  /// The operation joins its lines when its dependencies have finished, its conditions are
  /// satisfied, and its queue may start operations. It has its turn when, in each line, fewer
  /// operations and tasks are before it than the category's limit. Until then it takes no slot of
  /// its queue.
  ///
  /// **Threading**: any thread, before the operation is enqueued; a later call is refused and
  /// reported. After a plain `addOperation` the operation fails when its queue starts it, with
  /// `OperationError` of the code `notEnqueued`.
  ///
  /// **Cancellation**: a cancelled operation leaves the lines at once.
  ///
  /// **Ordering**: first come, first served. But a retry that comes back from a pause goes before
  /// those that have not begun, and a `withPermit` goes by the priority of its task. The order is
  /// the same in all lines, so operations in several categories cannot deadlock. That holds only if
  /// no exclusive operation with a turn, or a place in a queue, waits for another exclusive one, in
  /// its body or as a group for a child. A circle that the library finds is reported.
  ///
  /// In an ``AsyncOperationQueue``, an operation behind a barrier joins its lines after it.
  ///
  /// **Suspension**: in a suspended ``AsyncOperationQueue``, operations that have not started give
  /// their turns back, and get in line again when the queue goes on. In a plain queue, they do so
  /// when another one joins the line. A dependency that is added after the turn does not end it.
  ///
  /// **End of the turn**: with the operation, and not before its work: the turn lasts until the
  /// body and `main()` have returned, and no child of a group executes. A turn that outlasts its
  /// operation by ten seconds is reported.
  ///
  /// **Cost**: O(operations behind it) to join and to leave.
  ///
  /// - Parameter categories: The categories to add.
  @discardableResult
  public func exclusive(in categories: ExclusionCategory...) -> Self {
    changeGate { gate in
      for category in categories where !gate.categories.contains(category) {
        gate.categories.append(category)
      }
    }
    return self
  }
}
