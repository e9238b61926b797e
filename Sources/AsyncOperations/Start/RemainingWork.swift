import Foundation

extension AsyncOperation {
  /// Calls `body` once when all work that the operation began has ended, as far as that is known: a
  /// `main()` on a stack, a body in a task, and children of a group that do either.
  ///
  /// `body` is called at once, on this thread, if there is no such work.
  func whenWorkEnds(_ body: @escaping @Sendable () -> Void) {
    let count = WorkCount(body)
    count.follow(self)
    count.workEnded()
  }
}

extension AsyncOperation {
  /// The work of an operation that has finished.
  enum WorkAfterEnd {
    case none
    /// Only `main()`, which is on the stack of the current thread and so returns by itself.
    case ownMain
    case other
  }

  var workAfterEnd: WorkAfterEnd {
    let (mainThread, thread) = (mainThread, ThreadIdentity.current)
    let bodyRuns = hook?.taskOwner?.withBodyTask { $0.runs } ?? false
    if bodyRuns || mainThread != 0 && mainThread != thread || !leftovers.isEmpty { return .other }
    return mainThread == 0 ? .none : .ownMain
  }
}

extension Operation {
  /// Whether it executes, or has finished while its work goes on.
  var worksOn: Bool {
    guard isFinished, let own = self as? AsyncOperation else { return isExecuting }
    return own.workAfterEnd != .none
  }
}

/// Counts pieces of work that go on, and calls its closure when there are none.
private final class WorkCount: Sendable {
  private let count = Lock(1)
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func workEnded() {
    let isLast = count.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { body() }
  }

  /// Counts a piece of work, if it goes on.
  ///
  /// - Parameter watch: Calls its closure when the work ends, or returns `false`.
  private func add(
    then continuation: @escaping @Sendable () -> Void = {},
    _ watch: (@escaping @Sendable () -> Void) -> Bool
  ) -> Bool {
    count.withLock { $0 += 1 }
    let goesOn = watch {
      continuation()
      self.workEnded()
    }
    if !goesOn { workEnded() }
    return goesOn
  }

  /// Counts the work of an operation and, without recursion, that of its children.
  func follow(_ operation: Operation) {
    var operations = [operation]
    while let next = operations.popLast() {
      // A child that has not started was cancelled, and never does.
      guard next.isFinished || next.isExecuting else { continue }
      let next = ThreadSafe(next)
      if add(then: { self.follow(next.object) }, { next.object.whenFinished($0) != nil }) {
        continue
      }
      guard let own = next.object as? AsyncOperation else { continue }
      // It may begin its task before it returns.
      if add(then: { self.follow(own) }, { own.watchMain($0) }) { continue }
      if let owner = own.hook?.taskOwner {
        _ = add { end in owner.withBodyTask { $0.watchReturn(end) } }
      }
      operations += own.leftovers
    }
  }
}
