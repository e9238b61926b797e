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
    /// The index of the stage for which it waits.
    fileprivate let stage: Int
    /// The continuation of a suspended task.
    fileprivate var continuation: CheckedContinuation<Void, Never>?
  }

  private struct LimitedStage {
    let stage: UpdateStage
    var table: PermitTable
    /// Whether cancelled bodies held it at the last report.
    var isReported = false
  }

  private struct State {
    /// The stages with a limit, in the order of their names.
    var stages: [LimitedStage]
    /// The waiting loads, in the order of their requests.
    var waiters: [Waiter] = []
    var lastTicket: PermitTable.Ticket = 0
    /// Whether an owner was called and has not yet chosen.
    var isChoiceDue = false

    func index(of stage: UpdateStage) -> Int? { stages.firstIndex { $0.stage == stage } }

    func index(of ticket: PermitTable.Ticket) -> Int? {
      waiters.firstIndex { $0.ticket == ticket }
    }
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
    var stages: [LimitedStage] = []
    for (stage, limit) in limits {
      let place = stages.firstIndex { $0.stage.name > stage.name } ?? stages.count
      stages.insert(LimitedStage(stage: stage, table: PermitTable(limit: limit)), at: place)
    }
    state = Lock(State(stages: stages))
  }

  /// The limit of a stage; `nil` without one.
  func limit(of stage: UpdateStage) -> Int? {
    state.withLock { state in state.index(of: stage).map { state.stages[$0].table.limit } }
  }

  // MARK: One load

  func makeTicket() -> PermitTable.Ticket {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// - Returns: Whether the load has a permit now.
  func request(
    _ stage: UpdateStage, _ ticket: PermitTable.Ticket, _ owner: any UpdateOwner, _ id: UpdateID
  ) -> Bool {
    state.withLock { state in
      guard let index = state.index(of: stage),
        !state.stages[index].table.request(ticket)
      else { return true }
      state.waiters.append(Waiter(ticket: ticket, owner: owner, id: id, stage: index))
      return false
    }
  }

  /// Waits until the load has a permit or was cancelled.
  func wait(_ ticket: PermitTable.Ticket) async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard let index = state.index(of: ticket) else { return false }
        state.waiters[index].continuation = continuation
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
      guard let index = state.index(of: stage) else { return PendingCalls() }
      var table = state.stages[index].table
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
          calls.owner = table.waiting.first.flatMap(state.index).map { state.waiters[$0].owner }
        }
      }
      state.stages[index].table = table
      return calls
    }
    calls.perform()
  }

  private static func endWait(
    _ ticket: PermitTable.Ticket, _ state: inout State
  ) -> [CheckedContinuation<Void, Never>] {
    state.index(of: ticket).flatMap { state.waiters.remove(at: $0).continuation }.map { [$0] } ?? []
  }

  // MARK: All loads

  /// Grants all free permits for which several loads wait.
  ///
  /// - Parameter choose: Returns the most urgent waiting load.
  @MainActor
  func grantAll(_ choose: ([Waiter]) -> PermitTable.Ticket?) {
    state.withLock { $0.isChoiceDue = false }
    while let (index, waiters) = nextChoice(), let ticket = choose(waiters) {
      // Another thread may have cancelled the load; the next pass then chooses again.
      let resumed = state.withLock { state in
        state.stages[index].table.grant(ticket) ? Self.endWait(ticket, &state) : []
      }
      for continuation in resumed { continuation.resume() }
    }
  }

  private func nextChoice() -> (index: Int, [Waiter])? {
    state.withLock { state in
      guard let index = state.stages.firstIndex(where: { $0.table.next != .none }) else {
        return nil
      }
      return (index, state.waiters.filter { $0.stage == index })
    }
  }

  /// The stages newly held by cancelled bodies since the last call, by name.
  func newlyHeld() -> [UpdateStage] {
    state.withLock { state in
      var held: [UpdateStage] = []
      for index in state.stages.indices {
        let isHeld = state.stages[index].table.isHeld
        if isHeld, !state.stages[index].isReported { held.append(state.stages[index].stage) }
        state.stages[index].isReported = isHeld
      }
      return held
    }
  }

  /// The stages with a free permit and a waiting load, but no scheduled turn.
  var idle: [UpdateStage] {
    state.withLock { state in
      state.isChoiceDue ? [] : state.stages.filter { $0.table.next != .none }.map(\.stage)
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
    permits.request(stage, ticket, owner, id)
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
