import Foundation

extension AsyncOperation {
  /// - Returns: `false` if the operation has finished; `body` is then not called.
  func watchEnd(_ body: @escaping @Sendable () -> Void) -> Bool {
    guarded.withLock { guarded in
      if !guarded.machine.isFinished { guarded.endWatchers.append(body) }
      return !guarded.machine.isFinished
    }
  }

  func belong(to queue: AsyncOperationQueue, _ context: WorkContext?) {
    guarded.withLock { guarded in
      guarded.home = queue
      if let context { guarded.context = context }
    }
  }

  var home: AsyncOperationQueue? { guarded.withLock { $0.home } }

  // MARK: Turns

  /// The context of the turn that the operation has, or that its group has for it.
  var context: WorkContext? { guarded.withLock { $0.context } }

  /// Opens the gate, and starts the operation if the queue has done so before.
  func passGate(with turn: (any Turn)?) {
    var old: WorkContext?
    let starts = guarded.withLock { guarded in
      if let turn, guarded.context?.isOf(turn) != true {
        old = guarded.context
        guarded.context = WorkContext(self, inside: old, turn: turn)
      }
      defer { guarded.passage = .open }
      return guarded.passage == .closedToStart
    }
    if starts { start() }
  }

  /// With or without its turn.
  var hasBegun: Bool {
    guarded.withLock { $0.machine.wasStarted || $0.passage == .closedToStart }
  }

  /// - Returns: `false` if the operation has started, or needs no turn any more.
  func closeGate() -> Bool {
    guarded.withLock { guarded in
      guard guarded.passage == .open, guarded.machine.isPending else { return false }
      guarded.passage = .closed
      return true
    }
  }
}

/// An operation of the library's own.
///
/// No list of dependencies shows it. Reports name the operation that it serves, since an app finds
/// some of these in `queue.operations`.
final class PrivateOperation: AsyncOperation, @unchecked Sendable {
  // Sendable: any thread may read the weak reference, which is never written again.
  private(set) weak var served: Operation?

  init(serving operation: Operation?) {
    served = operation
    super.init()
  }

  override func main() { finish() }
}
