import Foundation

/// What operations exclude each other in: of all operations in one category, one executes at a time.
///
/// Categories are equal if their names are, in the whole process.
///
/// ```swift
/// extension ExclusionCategory {
///   static let alert: Self = "alert"
/// }
/// ```
public struct ExclusionCategory: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What the category is told from others by.
  public let name: String

  /// Makes a category.
  public init(_ name: String) { self.name = name }

  /// Makes a category.
  public init(stringLiteral name: String) { self.name = name }
}

extension AsyncOperation {
  /// Keeps the operation from executing at the same time as any other in one of these categories,
  /// whatever queue that is in.
  ///
  /// ```swift
  /// let migration = TaskOperation { try await migrateDatabase() }
  /// migration.exclusive(in: "database", "network")
  /// queue.enqueue(migration)
  /// ```
  ///
  /// Its turn comes when it is the first in line in all its categories, and ends when it has
  /// finished. It takes its place in line when it is added with `OperationQueue.enqueue`; one that has
  /// dependencies or conditions, when those are fulfilled. Until its turn it takes no place in its
  /// queue. Calling this again adds categories.
  ///
  /// - Important: Add it with `enqueue`. After a plain `addOperation` its turn never comes, and it
  ///   waits until it is cancelled.
  ///
  /// **Threading**: any thread, one at a time, before the operation is enqueued.
  ///
  /// **Cancellation**: an operation that is cancelled while it waits leaves the line at once, also
  /// when its queue is suspended.
  ///
  /// **Ordering**: first come, first served. Operations in several categories cannot deadlock: they
  /// join all lines in one step, so that all lines are in one order. That is so as long as none of
  /// them, with its turn or its place in a queue, waits for another exclusive one: not in its body,
  /// nor as a group does for a child. Make the group exclusive, or its children, but not both, and give
  /// exclusive operations a queue in which nothing awaits them: one that is not exclusive itself may
  /// hold the place in the queue for which the first in line is waiting.
  ///
  /// A turn ends with `isFinished`. After a timeout the work itself may go on into the next one's turn.
  ///
  /// **Cost**: O(categories) to join and to leave, amortized.
  ///
  /// - Parameter categories: What it is to be alone in.
  /// - Returns: The operation.
  @discardableResult
  public func exclusive(in categories: ExclusionCategory...) -> Self {
    StartGate.of(self).add(Set(categories))
    return self
  }
}

/// The one place in the process where gates wait in line.
enum ExclusionRegistry {
  private struct Guarded {
    var machine = ExclusionStateMachine<ExclusionCategory>()
    /// By their tickets, so that none ends under the lock.
    var gates: [ExclusionTicket: StartGate] = [:]
  }

  private static let guarded = Lock(Guarded())

  /// The gate's `turnCame` is called once, here or later, unless it leaves before.
  static func join(_ gate: StartGate, _ categories: Set<ExclusionCategory>) {
    let isFirst = guarded.withLock { guarded in
      guarded.gates[gate.ticket] = gate
      return guarded.machine.arrived(gate.ticket, categories: categories)
    }
    if isFirst { gate.turnCame() }
  }

  /// Whether anybody has a turn or waits in that category.
  static func hasLine(in category: ExclusionCategory) -> Bool {
    guarded.withLock { $0.machine.hasLine(in: category) }
  }

  static func leave(_ gate: StartGate) {
    let next = guarded.withLock { guarded in
      guarded.gates[gate.ticket] = nil
      return guarded.machine.left(gate.ticket).compactMap { guarded.gates[$0] }
    }
    for gate in next { gate.turnCame() }
  }
}
