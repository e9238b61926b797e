/// Reports work that goes on long after its cancel or its end.
///
/// Nothing can stop such work. It holds a thread, and may hold a slot or a turn. Work that ends in
/// time leaves nothing behind here.
enum OverstayWatch {
  /// The time for which work may go on.
  static let patience = Duration.seconds(10)

  /// Watches code of the app after its task was cancelled, until it returns.
  static func bodyCancelled(
    _ owner: any TaskOwner, of operation: AsyncOperation, by timekeeper: Timekeeper
  ) {
    let watch = later(timekeeper) { [weak owner, weak operation] in
      guard let owner, let operation else { return }
      reportBody(of: owner, of: operation)
    }
    if !owner.withBodyTask({ $0.watched(watch) }) { timekeeper.cancel(watch) }
  }

  /// Watches a turn that outlives its operation, until the ticket is cancelled.
  static func turnKept(
    _ turn: WorkContext, after operation: AsyncOperation, by timekeeper: Timekeeper
  ) -> Timekeeper.Ticket {
    later(timekeeper) { [weak turn, weak operation] in
      if let turn, turn.hasTurn, let operation { report(turn, of: operation) }
    }
  }

  private static func later(
    _ timekeeper: Timekeeper, _ report: @escaping @Sendable () -> Void
  ) -> Timekeeper.Ticket {
    // The app hears of it on a thread that it may hold up.
    timekeeper.call(after: patience) { Lanes.errands.make(report) }
  }

  // MARK: Reports

  private static let advice = """
    In long steps, check Task.isCancelled or call checkCancellation(). Wrap waits for callbacks in \
    withTaskCancellationHandler.
    """

  private static func reportBody(of owner: any TaskOwner, of operation: AsyncOperation) {
    let (goesOn, waits) = owner.withBodyTask { ($0.goesOnAfterCancel, $0.waitsAfterCancel) }
    guard goesOn else { return }
    guard !waits else { return reportWait(of: owner, of: operation) }
    OperationDiagnostics.report(
      .ignoredCancellation, operation,
      """
      \(owner.bodyDescription) has gone on for ten seconds since it was cancelled\
      \(turnText(operation.context)). \(advice)
      """)
  }

  private static func report(_ turn: WorkContext, of operation: AsyncOperation) {
    if let owner = operation.hook {
      let (goesOn, waits) = owner.withBodyTask { ($0.goesOnAfterCancel, $0.waitsAfterCancel) }
      // That is reported above.
      if operation.isCancelled, goesOn { return }
      if waits { return reportWait(of: owner, of: operation) }
    }
    OperationDiagnostics.report(
      .ignoredCancellation, operation,
      "Its work has gone on for ten seconds since its end\(turnText(turn)). \(advice)")
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
