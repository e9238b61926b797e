#if !canImport(Darwin) || canImport(_Concurrency, _version: 6.0)
  extension ExclusionCategory {
    /// Runs a closure while its task has a turn in the category.
    ///
    /// ```swift
    /// let receipt = try await ExclusionCategory.uploads.withPermit { try await uploadReceipt() }
    /// ```
    ///
    /// **Threading**: the closure runs in the caller's isolation. No thread blocks.
    ///
    /// **Ordering**: in one line with operations that are ``AsyncOperation/exclusive(in:)``, which
    /// count as medium. The next permit goes to the highest priority, and among equals to the
    /// first. The closure must not wait for another member of the category. A permit inside a
    /// permit or a turn of the category fails, and is reported. For several categories, use
    /// ``withPermit(in:isolation:fileID:line:_:)``.
    ///
    /// **Cancellation**: a cancelled task leaves the line at once, and keeps a permit that it has.
    ///
    /// **Priority**: where Swift's concurrency library is that of 6.2 (Linux, iOS 26, macOS 26), a
    /// waiting task raises the operations ahead.
    ///
    /// **Cost**: O(1) without others in line, O(operations ahead) for the priority.
    ///
    /// - Throws: The error of the closure, `CancellationError`, or ``OperationError`` with the code
    ///   `nestedPermit`.
    public func withPermit<Output>(
      isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line, _ body: () async throws -> Output
    ) async throws -> Output {
      try await Permit([self], fileID, line).run(isolation: isolation, body)
    }

    /// Runs a closure while its task has a turn in several categories.
    ///
    /// It joins all lines in one step, so two tasks cannot wait for each other.
    public static func withPermit<Output>(
      in categories: ExclusionCategory..., isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line, _ body: () async throws -> Output
    ) async throws -> Output {
      try await Permit(categories, fileID, line).run(isolation: isolation, body)
    }
  }
#endif

/// One turn of a task.
final class Permit: TurnMember, Waiter, Turn {
  private enum State {
    case waiting
    case granted
    /// Cancelled while it waited, or after its turn.
    case over
  }

  let categories: [ExclusionCategory]
  let displayName: String
  private let state = Lock(State.waiting)
  private let turn = Pause()
  let ticket = Lock<TurnTicket?>(nil)
  private let waits = Lock(Waits())

  init(_ categories: [ExclusionCategory], _ fileID: StaticString, _ line: UInt) {
    var unique: [ExclusionCategory] = []
    for category in categories where !unique.contains(category) { unique.append(category) }
    self.categories = unique
    displayName = "withPermit at \(fileID):\(line)"
  }

  func run<Output>(
    isolation: isolated (any Actor)?, _ body: () async throws -> Output
  ) async throws -> Output {
    try Task.checkCancellation()
    try refuseNesting()
    let (ticket, hasTurn) = TurnRegistry.join(
      self, categories, priority: Task.currentPriority
    ) { self.ticket.exchange($0) }
    defer { leave(ticket) }
    if hasTurn {
      turnCame()
    } else {
      TurnRegistry.clearWay(for: ticket, hasBegun: false) { !isHeld }
      try await wait(isolation: isolation)
    }
    return try await WorkContext(self).run(isolation: isolation, body)
  }

  private func leave(_ ticket: TurnTicket) {
    state.exchange(.over)
    TurnRegistry.leave(ticket)
  }

  private func refuseNesting() throws {
    let held = WorkContext.current?.held ?? []
    guard categories.contains(where: held.contains) else { return }
    let error = OperationError(
      code: .nestedPermit,
      description: """
        \(displayName) requests a permit in \(categories.names) inside a turn in the same category, and so would wait \
        for itself. Take the permit once, around all of the work.
        """)
    OperationDiagnostics.report(.nestedPermit, nil, error.description)
    throw error
  }

  private func wait(isolation: isolated (any Actor)?) async throws {
    try await WorkContext.waiting(isolation: isolation, for: self) {
      try await ConcurrencyLibrary.awaiting(
        isolation: isolation, { self.raise(to: $0) }
      ) {
        await withTaskCancellationHandler {
          await turn.ended()
        } onCancel: {
          cancel()
        }
      }
    }
    guard isHeld else { throw CancellationError() }
  }

  func turnCame() {
    if leaveWait(for: .granted) { turn.end() }
  }

  private func cancel() {
    guard leaveWait(for: .over), let ticket = ticket.withLock({ $0 }) else { return }
    // At once, though the task may wait for a thread. The next members may run code of the app,
    // which must not happen inside this handler.
    HelperThreads.errands.run { TurnRegistry.leave(ticket) }
  }

  private func leaveWait(for next: State) -> Bool {
    state.withLock { state in
      guard state == .waiting else { return false }
      state = next
      return true
    }
  }

  private func raise(to priority: TaskPriority) {
    guard let ticket = ticket.withLock({ $0 }) else { return }
    TurnRegistry.raise(ticket, to: priority)
    for operation in TurnRegistry.operations(aheadOf: ticket) {
      operation.raise(to: priority)
    }
  }

  /// A running task uses its turn.
  func giveTurn(hasBegun: Bool) {}

  var operation: AsyncOperation? { nil }

  // MARK: The graph of waits

  var holderName: String? { displayName }

  var edges: [any WaitNode] {
    guard !isHeld, let ticket = ticket.withLock({ $0 }) else { return waits.withLock { $0.all } }
    return TurnRegistry.blockers(of: ticket)
  }

  var isHeld: Bool { state.withLock { $0 == .granted } }

  func withWaits<Output>(_ body: (inout Waits) -> Output) -> Output { waits.withLock(body) }
}
