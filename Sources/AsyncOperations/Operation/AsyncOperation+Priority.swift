import Foundation

extension Operation {
  /// Raises this operation and all for which it waits, since a task awaits it.
  ///
  /// Nothing is lowered. Each operation is raised once per level, without recursion.
  func raise(to priority: TaskPriority) {
    var operations: [Operation] = [self]
    // The system's operations note no priority.
    var seen: Set<ObjectIdentifier> = []
    while let next = operations.popLast() {
      guard let own = next as? AsyncOperation else {
        if !next.isFinished, seen.insert(ObjectIdentifier(next)).inserted {
          operations += next.dependencies
        }
        continue
      }
      guard own.noteAwaited(at: priority) else { continue }
      own.hook?.awaited(at: priority)
      let gate = own.gate
      gate?.awaited(at: priority)
      operations += own.children + own.dependencies + (gate?.operationsAhead ?? [])
    }
  }
}

extension AsyncOperation {
  /// The highest one of the tasks that await it, directly or not.
  var awaitedPriority: TaskPriority? {
    guarded.withLock { $0.awaited }.map { TaskPriority(rawValue: $0) }
  }

  /// - Returns: Whether its work is to be raised.
  fileprivate func noteAwaited(at priority: TaskPriority) -> Bool {
    guarded.withLock { guarded in
      guard !guarded.machine.isFinished, guarded.awaited.map({ $0 < priority.rawValue }) ?? true
      else { return false }
      guarded.awaited = priority.rawValue
      return true
    }
  }
}
