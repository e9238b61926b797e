import RowOperations

/// The state of a gate, with tasks that wait for conditions.
final class WatchedState<State: Sendable>: Sendable {
  private typealias Watcher = (
    number: Int, condition: @Sendable (State) -> Bool, end: AsyncStream<Void>.Continuation
  )

  private struct Guarded {
    var state: State
    var watchers: [Watcher] = []
    var lastNumber = 0
  }

  private let guarded: Lock<Guarded>

  init(_ state: State) { guarded = Lock(Guarded(state: state)) }

  func withLock<Output>(_ body: (inout State) -> Output) -> Output {
    guarded.withLock { body(&$0.state) }
  }

  /// A number for a wait or a load.
  func nextNumber() -> Int {
    guarded.withLock { guarded in
      guarded.lastNumber += 1
      return guarded.lastNumber
    }
  }

  /// Evaluates conditions on this thread, outside the lock.
  func change<Output>(_ body: (inout State) -> Output) -> Output {
    let (output, state, watchers) = guarded.withLock { guarded in
      let output = body(&guarded.state)
      return (output, guarded.state, guarded.watchers)
    }
    for watcher in watchers where watcher.condition(state) { watcher.end.finish() }
    return output
  }

  /// Waits until a condition holds, or the task is cancelled.
  func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    let number = nextNumber()
    let wait = AsyncStream<Void> { end in
      let state = guarded.withLock { guarded in
        guarded.watchers.append((number, condition, end))
        return guarded.state
      }
      if condition(state) { end.finish() }
    }
    for await _ in wait {}
    guarded.withLock { $0.watchers.removeAll { $0.number == number } }
  }
}
