/// Reports work that goes on long after its cancel or its end.
///
/// Nothing can stop such work. It holds a thread, and may hold a slot or a turn. Work that ends in
/// time leaves nothing behind here.
final class OverstayWatch: Sendable {
  typealias Instant = Moment
  typealias Ticket = DeadlineHeap<Instant, Entry>.Ticket

  static let shared = OverstayWatch(.system)

  /// The time for which work may go on.
  static let patience = Duration.seconds(10)
  /// The shortest time between two looks, so that many cancels cost few looks.
  static let step = Duration.seconds(1)

  // Work that goes on keeps its objects alive.
  fileprivate enum Work {
    case body(WeakOwner)
    case turn(WeakTurn)
  }

  fileprivate struct WeakOwner {
    weak var owner: (any TaskOwner)?
  }

  fileprivate struct WeakTurn {
    weak var turn: WorkContext?
  }

  struct Entry: Sendable {
    fileprivate let work: Work
    fileprivate weak var operation: AsyncOperation?
  }

  private struct Guarded {
    var entries = DeadlineHeap<Instant, Entry>()
    /// When the next look is due; `nil` if none is.
    var look: Instant?

    /// - Returns: The entries whose time is over, and the delay before the next look.
    mutating func looked(at now: Instant) -> (due: [Entry], lookAfter: Duration?) {
      // A late look proves that time passed in which nothing could run, as in a debugger.
      if let look, look.advanced(by: step) < now {
        entries.moveAll(to: now.advanced(by: patience))
      }
      var due: [Entry] = []
      while let entry = entries.removeFirst(dueAt: now) { due.append(entry) }
      let delay = entries.first.map { max(now.duration(to: $0), step) }
      look = delay.map { now.advanced(by: $0) }
      return (due, delay)
    }
  }

  private let surroundings: Surroundings
  private let guarded = Lock(Guarded())

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Watches code of the app after its task was cancelled, until it returns.
  ///
  /// O(log count).
  func bodyCancelled(_ owner: any TaskOwner, of operation: AsyncOperation) {
    let ticket = watch(.body(WeakOwner(owner: owner)), of: operation)
    let goesOn = owner.withBodyTask { $0.watchReturn { self.forget(ticket) } }
    if !goesOn { forget(ticket) }
  }

  /// Watches a turn that outlives its operation, until it is forgotten.
  ///
  /// O(log count).
  func turnKept(_ turn: WorkContext, after operation: AsyncOperation) -> Ticket {
    watch(.turn(WeakTurn(turn: turn)), of: operation)
  }

  func forget(_ ticket: Ticket) {
    let entry = guarded.withLock { $0.entries.remove(ticket) }
    withExtendedLifetime(entry) {}
  }

  private func watch(_ work: Work, of operation: AsyncOperation) -> Ticket {
    let deadline = surroundings.now().advanced(by: Self.patience)
    let (ticket, isFirst) = guarded.withLock { guarded in
      let ticket = guarded.entries.add(Entry(work: work, operation: operation), at: deadline)
      guard guarded.look == nil else { return (ticket, false) }
      guarded.look = deadline
      return (ticket, true)
    }
    if isFirst { look(after: Self.patience) }
    return ticket
  }

  /// The number of pieces of work that it watches; for tests.
  var count: Int { guarded.withLock { $0.entries.count } }

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
      guard !owner.withBodyTask({ $0.waitsAfterCancel }) else {
        return reportWait(of: owner, of: operation)
      }
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
      if let owner, owner.withBodyTask({ $0.waitsAfterCancel }) {
        return reportWait(of: owner, of: operation)
      }
      OperationDiagnostics.report(
        .ignoredCancellation, operation,
        """
        Its work has gone on for ten seconds since its end\(turnText(turn)). \(advice)
        """)
    }
  }

  private static func reportWait(of owner: any TaskOwner, of operation: AsyncOperation) {
    OperationDiagnostics.report(
      .blockedThreads, operation,
      """
      \(owner.bodyDescription) has not begun ten seconds after its cancel\
      \(turnText(operation.context)): other code blocks all threads that run tasks. Make blocking \
      calls on other threads, such as those of a DispatchQueue.
      """)
  }

  private static func turnText(_ context: WorkContext?) -> String {
    guard let names = context?.heldNames, !names.isEmpty else { return "" }
    return ", and keeps its turn in \(names.map { "'\($0)'" }.joined(separator: " and "))"
  }
}
