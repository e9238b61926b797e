import RowOperations

/// The state of a gate, with tasks that wait until a condition on its log holds.
final class WatchedState<State: Sendable, Log: Sendable>: Sendable {
  private struct Watcher {
    let number: Int
    let condition: @Sendable (Log) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Guarded {
    var state: State
    var watchers: [Watcher] = []
    var lastWatcher = 0
    var cancelledWatchers: Set<Int> = []
    /// Grows with each change, so that no watcher misses one.
    var version = 0
  }

  private let guarded: Lock<Guarded>
  private let log: @Sendable (State) -> Log

  init(_ state: State, log: @escaping @Sendable (State) -> Log) {
    guarded = Lock(Guarded(state: state))
    self.log = log
  }

  func withLock<Output>(_ body: (inout State) -> Output) -> Output {
    guarded.withLock { body(&$0.state) }
  }

  func change<Output>(_ body: (inout State) -> Output) -> Output { change { body(&$0.state) } }

  /// Waits until a condition holds, or the task is cancelled.
  ///
  /// It is evaluated at once and after each change, on the changing thread, outside the lock.
  func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    let number = guarded.withLock { guarded in
      guarded.lastWatcher += 1
      return guarded.lastWatcher
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watcher = Watcher(number: number, condition: condition, continuation: continuation)
        change { (guarded: inout Guarded) in guarded.watchers.append(watcher) }
      }
    } onCancel: {
      change { (guarded: inout Guarded) in _ = guarded.cancelledWatchers.insert(number) }
    }
    _ = guarded.withLock { $0.cancelledWatchers.remove(number) }
  }

  private func change<Output>(_ body: (inout Guarded) -> Output) -> Output {
    let output = guarded.withLock { guarded in
      defer { guarded.version += 1 }
      return body(&guarded)
    }
    notifyWatchers()
    return output
  }

  /// Conditions are evaluated outside the lock.
  private func notifyWatchers() {
    var isUpToDate = false
    while !isUpToDate {
      let (state, version, watchers, cancelled) = guarded.withLock { guarded in
        defer { guarded.watchers = [] }
        return (guarded.state, guarded.version, guarded.watchers, guarded.cancelledWatchers)
      }
      var waiting: [Watcher] = []
      for watcher in watchers {
        if cancelled.contains(watcher.number) || watcher.condition(log(state)) {
          watcher.continuation.resume()
        } else {
          waiting.append(watcher)
        }
      }
      // The removed watchers have not seen changes of other threads since.
      isUpToDate = guarded.withLock { guarded in
        guarded.watchers += waiting
        return guarded.version == version
      }
    }
  }
}
