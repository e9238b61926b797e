/// Reports bodies that go on long after their cancel.
///
/// Nothing can stop such a body. It holds a thread, and in a tracker it may hold a slot.
final class BodyWatch: Sendable {
  /// The time for which a body may go on, in nanoseconds.
  static let patience: UInt64 = 10_000_000_000
  /// The shortest time between two checks, so that many cancels cost few checks.
  static let step: UInt64 = 1_000_000_000

  private struct Entry {
    // A body that goes on keeps both alive.
    weak var hook: (any TaskHook)?
    weak var operation: AsyncOperation?
    let deadline: UInt64
  }

  private struct Guarded {
    /// The watched bodies, in the order of their deadlines.
    var entries: [Entry] = []
    var isWatching = false
  }

  private let surroundings: TaskCanceller.Surroundings
  private let guarded = Lock(Guarded())

  init(_ surroundings: TaskCanceller.Surroundings) { self.surroundings = surroundings }

  /// Watches a body after its task was cancelled.
  ///
  /// O(1), amortized.
  func bodyCancelled(_ hook: any TaskHook, of operation: AsyncOperation) {
    let entry = Entry(
      hook: hook, operation: operation, deadline: surroundings.now() + Self.patience)
    let isFirst = guarded.withLock { guarded in
      guarded.entries.append(entry)
      defer { guarded.isWatching = true }
      return !guarded.isWatching
    }
    if isFirst { surroundings.schedule(Self.patience) { self.look() } }
  }

  private func look() {
    let now = surroundings.now()
    let (due, delay) = guarded.withLock { guarded in
      let due = Array(guarded.entries.prefix { $0.deadline <= now })
      guarded.entries.removeFirst(due.count)
      let next = guarded.entries.first?.deadline
      guarded.isWatching = next != nil
      return (due, next.map { max($0 - now, Self.step) })
    }
    for entry in due {
      guard let hook = entry.hook, let operation = entry.operation,
        hook.withBodyTask({ $0.goesOnAfterCancel })
      else { continue }
      OperationDiagnostics.report(
        .ignoredCancellation, operation,
        """
        Its body has gone on for ten seconds since it was cancelled. In long steps, check \
        Task.isCancelled or call checkCancellation(). Wrap waits for callbacks in \
        withTaskCancellationHandler.
        """)
    }
    if let delay { surroundings.schedule(delay) { self.look() } }
  }
}
