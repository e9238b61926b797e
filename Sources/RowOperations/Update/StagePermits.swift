/// Limits the number of loads in each limited stage.
///
/// If one load waits for a free permit, the thread that returned the permit grants it. If several
/// wait, the owner of one of them is called. It takes a turn of the main queue and calls
/// ``grantAll(_:)``, since claims are known on the main actor alone.
@usableFromInline
package final class StagePermits: Sendable {
  struct Waiter: Sendable {
    let ticket: PermitTable.Ticket
    let owner: any UpdateOwner
    let id: UpdateID
  }

  private struct State {
    var tables: [UpdateStage: PermitTable]
    var waiters: [PermitTable.Ticket: Waiter] = [:]
    /// The continuations of the waiting loads with suspended tasks.
    var continuations: [PermitTable.Ticket: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: PermitTable.Ticket = 0
    /// Whether an owner was called and has not yet chosen.
    var isChoiceDue = false
    /// The stages that are still held since the last report.
    var reported: Set<UpdateStage> = []
  }

  /// The calls that follow a change, made outside the lock.
  private struct PendingCalls {
    var resumed: [CheckedContinuation<Void, Never>] = []
    var owner: (any UpdateOwner)?

    func perform() {
      for continuation in resumed { continuation.resume() }
      owner?.permitIsFree()
    }
  }

  private let state: Lock<State>

  init(_ limits: [UpdateStage: Int]) {
    state = Lock(State(tables: limits.mapValues { PermitTable(limit: $0) }))
  }

  /// The limit of a stage; `nil` without one.
  func limit(of stage: UpdateStage) -> Int? { state.withLock { $0.tables[stage]?.limit } }

  // MARK: One load

  func makeTicket() -> PermitTable.Ticket {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// - Returns: Whether the load has a permit now.
  func request(_ stage: UpdateStage, _ waiter: Waiter) -> Bool {
    state.withLock { state in
      guard state.tables[stage]?.request(waiter.ticket) != true else { return true }
      state.waiters[waiter.ticket] = waiter
      return false
    }
  }

  /// Waits until the load has a permit or was cancelled.
  func wait(_ ticket: PermitTable.Ticket) async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard state.waiters[ticket] != nil else { return false }
        state.continuations[ticket] = continuation
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }

  func cancel(_ stage: UpdateStage, _ ticket: PermitTable.Ticket) {
    change(stage, ticket) { $0.cancel(ticket) }
  }

  func leave(_ stage: UpdateStage, _ ticket: PermitTable.Ticket) {
    change(stage, ticket) { $0.leave(ticket) }
  }

  private func change(
    _ stage: UpdateStage, _ ticket: PermitTable.Ticket, _ body: (inout PermitTable) -> Void
  ) {
    let calls = state.withLock { state in
      guard var table = state.tables[stage] else { return PendingCalls() }
      body(&table)
      var calls = PendingCalls()
      calls.resumed += Self.endWait(ticket, &state)
      switch table.next {
      case .none: break
      case .grant(let next):
        if table.grant(next) { calls.resumed += Self.endWait(next, &state) }
      case .choose:
        if !state.isChoiceDue {
          state.isChoiceDue = true
          calls.owner = table.waiting.first.flatMap { state.waiters[$0]?.owner }
        }
      }
      state.tables[stage] = table
      return calls
    }
    calls.perform()
  }

  private static func endWait(
    _ ticket: PermitTable.Ticket, _ state: inout State
  ) -> [CheckedContinuation<Void, Never>] {
    state.waiters[ticket] = nil
    return state.continuations.removeValue(forKey: ticket).map { [$0] } ?? []
  }

  // MARK: All loads

  /// Grants all free permits for which several loads wait.
  ///
  /// - Parameter choose: Returns the most urgent waiting load.
  @MainActor
  func grantAll(_ choose: ([Waiter]) -> PermitTable.Ticket?) {
    state.withLock { $0.isChoiceDue = false }
    while let (stage, waiters) = nextChoice(), let ticket = choose(waiters) {
      // Another thread may have cancelled the load; the next pass then chooses again.
      let resumed = state.withLock { state in
        state.tables[stage]?.grant(ticket) == true ? Self.endWait(ticket, &state) : []
      }
      for continuation in resumed { continuation.resume() }
    }
  }

  private func nextChoice() -> (UpdateStage, [Waiter])? {
    state.withLock { state in
      for (stage, table) in state.tables where table.next != .none {
        return (stage, table.waiting.compactMap { state.waiters[$0] })
      }
      return nil
    }
  }

  /// The stages newly held by cancelled bodies since the last call.
  func newlyHeld() -> [UpdateStage] {
    state.withLock { state in
      let held = Set(state.tables.filter(\.value.isHeld).keys)
      defer { state.reported = held }
      return held.subtracting(state.reported).sorted { $0.name < $1.name }
    }
  }

  /// The stages with a free permit and a waiting load, but no scheduled turn.
  var idle: [UpdateStage] {
    state.withLock { state in
      state.isChoiceDue ? [] : state.tables.filter { $0.value.next != .none }.map(\.key)
    }
  }
}

/// One load's permit for a limited stage: requested, held or returned.
final class StagePermit: Sendable {
  let stage: UpdateStage
  private let permits: StagePermits
  private let ticket: PermitTable.Ticket

  init(_ stage: UpdateStage, _ permits: StagePermits) {
    self.stage = stage
    self.permits = permits
    ticket = permits.makeTicket()
  }

  /// - Returns: Whether the load has it now.
  func request(_ owner: any UpdateOwner, _ id: UpdateID) -> Bool {
    permits.request(stage, StagePermits.Waiter(ticket: ticket, owner: owner, id: id))
  }

  /// Waits until the load has the permit or was cancelled.
  func granted() async {
    await withTaskCancellationHandler {
      await permits.wait(ticket)
    } onCancel: {
      cancel()
    }
  }

  func cancel() { permits.cancel(stage, ticket) }

  func leave() { permits.leave(stage, ticket) }
}
