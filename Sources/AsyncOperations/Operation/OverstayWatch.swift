/// Reports work that goes on long after its cancel or its end.
///
/// Nothing can stop such work. It holds a thread, and may hold a slot or a turn.
final class OverstayWatch: Sendable {
  typealias Instant = ContinuousClock.Instant

  static let shared = OverstayWatch(.system)

  /// The time for which work may go on.
  static let patience = Duration.seconds(10)
  /// The shortest time between two looks, so that many cancels cost few looks.
  static let step = Duration.seconds(1)

  // Work that goes on keeps its objects alive.
  private enum Work {
    case body(WeakOwner)
    case turn(WeakTurn)
  }

  private struct WeakOwner {
    weak var owner: (any TaskOwner)?
  }

  private struct WeakTurn {
    weak var turn: WorkContext?
  }

  private struct Entry {
    let work: Work
    weak var operation: AsyncOperation?
    var deadline: Instant
  }

  private struct Guarded {
    /// In the order of their deadlines.
    var entries: [Entry] = []
    /// When the next look is due; `nil` if none is.
    var look: Instant?

    /// - Returns: The entries whose time is over, and the delay before the next look.
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

  /// Watches code of the app after its task was cancelled.
  ///
  /// O(1), amortized.
  func bodyCancelled(_ owner: any TaskOwner, of operation: AsyncOperation) {
    watch(.body(WeakOwner(owner: owner)), of: operation)
  }

  /// Watches a turn that outlives its operation.
  ///
  /// O(1), amortized.
  func turnKept(_ turn: WorkContext, after operation: AsyncOperation) {
    watch(.turn(WeakTurn(turn: turn)), of: operation)
  }

  private func watch(_ work: Work, of operation: AsyncOperation) {
    let deadline = surroundings.now().advanced(by: Self.patience)
    let isFirst = guarded.withLock { guarded in
      guarded.entries.append(Entry(work: work, operation: operation, deadline: deadline))
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

  // MARK: Reports

  private static let advice = """
    In long steps, check Task.isCancelled or call checkCancellation(). Wrap waits for callbacks in \
    withTaskCancellationHandler.
    """

  private static func report(_ entry: Entry) {
    guard let operation = entry.operation else { return }
    switch entry.work {
    case .body(let owner):
      guard let owner = owner.owner, owner.withBodyTask({ $0.goesOnAfterCancel }) else { return }
      OperationDiagnostics.report(
        .ignoredCancellation, operation,
        """
        \(owner.bodyDescription) has gone on for ten seconds since it was cancelled\
        \(turnText(operation.context)). \(advice)
        """)
    case .turn(let turn):
      guard let turn = turn.turn, turn.hasTurn else { return }
      // That is reported above.
      let owner = operation.hook?.taskOwner
      if operation.isCancelled, owner?.withBodyTask({ $0.goesOnAfterCancel }) == true { return }
      OperationDiagnostics.report(
        .ignoredCancellation, operation,
        """
        Its work has gone on for ten seconds since its end\(turnText(turn)). \(advice)
        """)
    }
  }

  private static func turnText(_ context: WorkContext?) -> String {
    guard let names = context?.heldNames, !names.isEmpty else { return "" }
    return ", and keeps its turn in \(names.map { "'\($0)'" }.joined(separator: " and "))"
  }
}
