/// Reports bodies that go on long after their cancel.
///
/// Nothing can stop such a body. It holds a thread, and in a tracker it may hold a slot.
final class BodyWatch: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The time for which a body may go on.
  static let patience = Duration.seconds(10)
  /// The shortest time between two looks, so that many cancels cost few looks.
  static let step = Duration.seconds(1)

  private struct Entry {
    // A body that goes on keeps both alive.
    weak var hook: (any TaskHook)?
    weak var operation: AsyncOperation?
    var deadline: Instant
  }

  private struct Guarded {
    /// The watched bodies, in the order of their deadlines.
    var entries: [Entry] = []
    /// When the next look is due; `nil` if none is.
    var look: Instant?

    /// - Returns: The bodies whose time is over, and the delay before the next look.
    mutating func looked(at now: Instant) -> (due: [Entry], lookAfter: Duration?) {
      // A late look proves that time passed in which nothing could run, as in a debugger.
      if let look, look.advanced(by: step) < now {
        for index in entries.indices { entries[index].deadline = now.advanced(by: patience) }
      }
      let due = Array(entries.prefix { $0.deadline <= now })
      entries.removeFirst(due.count)
      let delay = entries.first.map { max(now.duration(to: $0.deadline), step) }
      look = delay.map { now.advanced(by: $0) }
      return (due, delay)
    }
  }

  private let surroundings: Surroundings
  private let guarded = Lock(Guarded())

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Watches a body after its task was cancelled.
  ///
  /// O(1), amortized.
  func bodyCancelled(_ hook: any TaskHook, of operation: AsyncOperation) {
    let deadline = surroundings.now().advanced(by: Self.patience)
    let isFirst = guarded.withLock { guarded in
      guarded.entries.append(Entry(hook: hook, operation: operation, deadline: deadline))
      guard guarded.look == nil else { return false }
      guarded.look = deadline
      return true
    }
    if isFirst { look(after: Self.patience) }
  }

  private func look(after delay: Duration) {
    surroundings.schedule(delay) { self.look() }
  }

  private func look() {
    let (due, delay) = guarded.withLock { $0.looked(at: surroundings.now()) }
    if let delay { look(after: delay) }
    guard !due.isEmpty else { return }
    // The app hears of them on a thread that it may hold up.
    surroundings.makeQueue()({ for entry in due { Self.report(entry) } })
  }

  private static func report(_ entry: Entry) {
    guard let hook = entry.hook, let operation = entry.operation,
      hook.withBodyTask({ $0.goesOnAfterCancel })
    else { return }
    OperationDiagnostics.report(
      .ignoredCancellation, operation,
      """
      Its body has gone on for ten seconds since it was cancelled. In long steps, check \
      Task.isCancelled or call checkCancellation(). Wrap waits for callbacks in \
      withTaskCancellationHandler.
      """)
  }
}
