import Foundation

/// A category in which operations exclude each other: one of them executes at a time.
///
/// Categories are equal if their names are, in the whole process.
///
/// ```swift
/// extension ExclusionCategory {
///   static let alert: Self = "alert"
/// }
/// ```
public struct ExclusionCategory: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name that identifies the category.
  public let name: String

  /// Makes a category.
  public init(_ name: String) { self.name = name }

  /// Makes a category.
  public init(stringLiteral name: String) { self.name = name }
}

extension AsyncOperation {
  /// Keeps the operation from executing at the same time as others in these categories, in any
  /// queue.
  ///
  /// ```swift
  /// let migration = TaskOperation { try await migrateDatabase() }
  /// migration.exclusive(in: "database", "network")
  /// queue.enqueue(migration)
  /// ```
  ///
  /// The operation joins its lines when `OperationQueue.enqueue` adds it, or later, when its
  /// dependencies have finished and its conditions are satisfied. Its turn comes when fewer than
  /// `limit` operations are before it in each line, and ends when it has finished. Until its turn
  /// it takes no slot of its queue. Another call adds categories.
  ///
  /// **Threading**: any thread, before the operation is enqueued. After that, the call is refused
  /// and reported to ``OperationDiagnostics/onMisuse``. After a plain `addOperation` the operation
  /// fails when its queue starts it, with `OperationError` of the code `notEnqueued`, which is
  /// reported too.
  ///
  /// **Cancellation**: an operation that is cancelled while it waits leaves the lines at once, also
  /// in a suspended queue.
  ///
  /// **Ordering**: first come, first served. Operations in several categories cannot deadlock,
  /// since they join all lines in one step and so all lines are in one order. That holds only if no
  /// exclusive operation that has its turn, or a place in a queue, waits for another exclusive one.
  /// It must not wait in its body, nor as a group for a child. Make the group or its children
  /// exclusive, but not both. Give exclusive operations a queue in which no other operation awaits
  /// them.
  ///
  /// A turn ends with `isFinished`. After a timeout the work itself may go on into the next turn.
  ///
  /// **Cost**: O(categories) to join, O(categories × limit) to leave, amortized. A cancel in the
  /// middle of a line costs O(operations behind it).
  ///
  /// - Parameters:
  ///   - categories: The categories to add.
  ///   - limit: The largest number of operations of a category that execute at once, including this
  ///     one; at least 1. Give all operations of a category the same limit.
  /// - Returns: The operation.
  @discardableResult
  public func exclusive(in categories: ExclusionCategory..., limit: Int = 1) -> Self {
    changeGate { gate in
      for category in categories { gate.limits[category] = max(1, limit) }
    }
    return self
  }
}

/// The lines of the whole process, in which gates wait.
enum ExclusionRegistry {
  private struct Guarded {
    var machine = ExclusionStateMachine<ExclusionCategory>()
    var lastTicket: ExclusionTicket = 0
    /// By their tickets, so that no gate is deallocated under the lock.
    var gates: [ExclusionTicket: StartGate] = [:]
  }

  private static let guarded = Lock(Guarded())

  /// Puts a gate in line.
  ///
  /// - Returns: Its ticket, and whether it has its turn. If not, its `turnCame` is called once,
  ///   unless it leaves before.
  static func join(
    _ gate: StartGate, _ limits: [ExclusionCategory: Int]
  ) -> (ticket: ExclusionTicket, isFirst: Bool) {
    guarded.withLock { guarded in
      guarded.lastTicket += 1
      guarded.gates[guarded.lastTicket] = gate
      let isFirst = guarded.machine.arrived(guarded.lastTicket, limits: limits)
      return (guarded.lastTicket, isFirst)
    }
  }

  /// The number of gates before this one, in each of its lines.
  static func countsBefore(
    _ ticket: ExclusionTicket, in categories: some Collection<ExclusionCategory>
  ) -> [(category: ExclusionCategory, count: Int)] {
    guarded.withLock { guarded in
      categories.compactMap { category in
        guarded.machine.countBefore(ticket, in: category).map { (category, $0) }
      }
    }
  }

  /// Whether any operation has a turn or waits in that category; for tests.
  static func hasLine(in category: ExclusionCategory) -> Bool {
    guarded.withLock { $0.machine.hasLine(in: category) }
  }

  static func leave(_ ticket: ExclusionTicket) {
    let (next, gone) = guarded.withLock { guarded in
      let gone = guarded.gates.removeValue(forKey: ticket)
      return (guarded.machine.left(ticket).compactMap { guarded.gates[$0] }, gone)
    }
    withExtendedLifetime(gone) {
      for gate in next { gate.turnCame() }
    }
  }
}
