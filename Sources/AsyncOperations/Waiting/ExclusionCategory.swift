import Foundation

/// A category in which operations and tasks exclude each other.
///
/// By default one of them executes at a time. Make one object for each category, and keep it in a
/// `static let`: two objects with the same name, as of a computed property, do not exclude each
/// other.
///
/// ```swift
/// extension ExclusionCategory {
///   static let uploads = ExclusionCategory("uploads", limit: 2)
/// }
/// ```
///
/// Operations get in line with ``AsyncOperation/exclusive(in:)``, and plain `async` code with
/// `withPermit`.
///
/// **Threading**: any thread.
public final class ExclusionCategory: Sendable {
  /// The name, for explanations and reports.
  public let name: String
  /// How many operations and tasks of the category execute at once.
  public let limit: Int

  /// Makes a category.
  ///
  /// - Parameters:
  ///   - name: The name, for explanations and reports.
  ///   - limit: How many operations and tasks execute at once; less than 1 counts as 1.
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
  /// Keeps the operation from executing at the same time as others in these categories, in any
  /// queue.
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
  /// its queue. Another call adds categories.
  ///
  /// **Threading**: any thread, before the operation is enqueued. After that, the call is refused
  /// and reported. After a plain `addOperation` the operation fails when its queue starts it, with
  /// `OperationError` of the code `notEnqueued`, which is reported too.
  ///
  /// **Cancellation**: an operation that is cancelled while it waits leaves the lines at once, also
  /// in a suspended queue.
  ///
  /// **Ordering**: first come, first served, but a retry that comes back from a pause goes before
  /// those that have not begun. Among these, a `withPermit` goes by the priority of its task, where
  /// an operation counts as medium. Operations in several categories cannot deadlock, since the
  /// order is the same in all lines. That holds only if no exclusive operation that has its turn,
  /// or a place in a queue, waits for another exclusive one, neither in its body nor as a group for
  /// a child. A circle that the library finds is reported.
  ///
  /// An operation behind a barrier joins its lines after the barrier, in an
  /// ``AsyncOperationQueue``. A plain queue does not reveal its barriers.
  ///
  /// **Suspension**: when an ``AsyncOperationQueue`` is suspended, its operations that have not
  /// started give their turns back, and get in line again when the queue goes on. With a plain
  /// queue, the next one that gets in line takes the turn back. An operation that gets another
  /// dependency after its turn keeps the turn.
  ///
  /// **End of the turn**: with the operation, and not before its work. After a time limit, or an
  /// end from outside, the turn lasts until the body in its task has returned, `main()` has
  /// returned, and no child of a group executes. A turn that lasts ten seconds longer than its
  /// operation is reported.
  ///
  /// **Cost**: O(operations behind it) to join and to leave.
  ///
  /// - Parameter categories: The categories to add.
  /// - Returns: The operation.
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
