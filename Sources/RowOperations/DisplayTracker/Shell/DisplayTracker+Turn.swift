import Foundation

/// A turn of the main queue: commits, the end of the pass, admissions, renders.
extension DisplayTracker: SlotUser {
  /// The time of the turn, or the time now.
  @usableFromInline
  var time: Int64 { turnTime ?? clock.now() }

  /// Asks for a turn, in which the pass that is under way ends.
  @inlinable
  func requestTurn() {
    guard !isTurnRequested else { return }
    isTurnRequested = true
    DispatchQueue.main.async { [weak self] in self?.takeTurn() }
  }

  /// Loads have ended: how many nanoseconds to wait for more of them before a turn is taken.
  ///
  /// A turn at each arrival would cost the main thread the more the faster loads end. With very many
  /// of them in flight, arrivals get a turn per frame of a fast screen; else there is no wait.
  func waitForMoreArrivals() -> Int {
    let now = DispatchTime.now().uptimeNanoseconds
    let nextTurn = lastArrivals + 8_000_000
    guard runs.count >= 64, now < nextTurn else {
      lastArrivals = now
      return 0
    }
    lastArrivals = nextTurn
    return Int(nextTurn - now)
  }

  @inlinable
  package func takeTurn() {
    guard beginTurn() else { return }
    if machine.hasEffects { carryOut() }
    slots.admit()
    let shownRows = renderChanges()
    turnTime = nil
    settle(isTurn: true)
    if !shownRows.isEmpty { configuration.onCommit?(shownRows) }
    endTurn()
  }

  /// Commits what has arrived and ends the pass.
  ///
  /// - Returns: Whether there is anything in it for a turn.
  @usableFromInline
  func beginTurn() -> Bool {
    isTurnRequested = false
    // A run loop inside a closure of the app's: the turn is taken when the closure has returned.
    guard !isCallingOut, !isDraining else {
      later { $0.requestTurn() }
      return false
    }
    forgetDeadCells()
    let arrivals = inbox.empty()
    let now = clock.now()
    guard
      machine.isPassOpen || !arrivals.isEmpty || hasUntold
        || machine.nextDeadline.map({ $0 <= now }) ?? false || machine.waitingLoads > 0
        || hasWaiters
    else {
      updateTimer()
      return false
    }
    machine.turnTaken()
    turnTime = now
    lastTurnTime = now
    if !arrivals.isEmpty { commit(arrivals) }
    recorder?.turnTaken(at: now)
    machine.passEnded(at: now)
    return true
  }

  /// Whether something was decided in a turn of another tracker, which shares the slots, and is to be
  /// rendered and told in one of this one's.
  private var hasUntold: Bool {
    !changedLoads.isEmpty || !events.isEmpty || hasLaterCalls || machine.hasEffects
  }

  /// Looks for cells that died without a word, and in further turns if it cannot look at all in one.
  private func forgetDeadCells() {
    for id in cells.dead() { forget(id) }
    if cells.isSweepUnfinished { requestTurn() }
  }

  /// Tells those who wait for what the turn has brought.
  @usableFromInline
  func endTurn() {
    updateTimer()
    if !watches.isEmpty { updateProgress() }
    if hasWaiters { resumeWaiters() }
  }

  /// Hands the books as they stood at the last turn to somebody who goes through them.
  package func audit<Finding>(
    _ audit: (TrackerMachine, SlotLedger, Int64) -> Finding
  ) -> Finding {
    let ledger = SlotLedger(
      count: slots.count, running: machine.runningLoads, prefetching: machine.runningPrefetches,
      abandoned: runs.values.filter(\.isAbandoned).count)
    return audit(machine, ledger, lastTurnTime)
  }

  // MARK: Commits

  private func commit(_ arrivals: [Arrival<Value>]) {
    let (displayed, others) = arrivals.partitioned { arrival in
      runs[arrival.generation].map { machine.isDisplayed($0.load) } ?? false
    }
    for arrival in displayed + others {
      guard let run = runs.removeValue(forKey: arrival.generation) else { continue }
      note(arrival.visits, of: run.row, arrival.generation)
      if run.isAbandoned {
        unwind(run, arrival)
      } else {
        commit(run, arrival)
        if !watches.isEmpty { noteEnd(of: run.load) }
      }
    }
  }

  private func noteEnd(of load: LoadID) {
    guard machine.loads.contains(load), machine.isOver(load) else { return }
    endedRows.formUnion(machine.rows(of: load).compactMap { rows.row($0) })
  }

  private func commit(_ run: Run, _ arrival: Arrival<Value>) {
    switch arrival.result {
    case .success(let value):
      let cost = cost(of: value)
      guard
        machine.loadEnded(run.load, generation: arrival.generation, .value(cost: cost), at: time)
      else { return note(.refused(arrival.generation), of: run.row) }
      values[Int(run.load.index)] = value
      errors[run.load] = nil
      committedLoads.append(run.load)
      note(.finished(arrival.generation), of: run.row)
      recorder?.note("F", row: run.row, at: time)
    case .failure(let error):
      if machine.loadEnded(run.load, generation: arrival.generation, .failure, at: time) {
        errors[run.load] = error
        note(.failed(arrival.generation, error), of: run.row)
        recorder?.note("f", row: run.row, at: time)
      }
    }
  }

  /// A cancelled operation has come to its end.
  private func unwind(_ run: Run, _ arrival: Arrival<Value>) {
    slots.abandonedEnded(1)
    guard !run.isTimedOut else { return }
    switch arrival.result {
    case .success:
      machine.staleValueRefused()
      recorder?.note("F", row: run.row, at: time)
      note(.refused(arrival.generation), of: run.row)
    case .failure:
      machine.cancelledLoadEnded(in: arrival.cancelledAt)
      recorder?.note("f", row: run.row, at: time)
      note(.unwound(arrival.generation, at: arrival.cancelledAt), of: run.row)
    }
  }

  // MARK: Admissions

  var slotUse: (running: Int, prefetching: Int) {
    (machine.runningLoads, machine.runningPrefetches)
  }

  func nextClaim(mayPrefetch: Bool) -> SlotClaim? {
    guard !machine.isPassOpen || turnTime != nil else { return nil }
    return machine.nextLoad(mayPrefetch: mayPrefetch, at: time).map(machine.claim(of:))
  }

  func startNext(mayPrefetch: Bool) {
    guard let load = machine.nextLoad(mayPrefetch: mayPrefetch, at: time),
      let leader = machine.leader(of: load), let row = rows.row(leader)
    else { return }
    defer {
      carryOut()
      if turnTime == nil { requestTurn() }
    }
    if hasCache { lookUp(row, leader) }
    guard machine.loads[load].work == .waiting else { return machine.judgeNow(load, at: time) }
    let token = RowToken(row: row, generation: machine.loadStarted(load, at: time))
    guard let operation = callOut({ makeOperation(token) }) else {
      return machine.nothingFound(for: load, generation: token.generation, at: time)
    }
    start(operation, token, load)
  }

  private func start(
    _ operation: UpdateOperation<Row, Value>, _ token: RowToken<Row>, _ load: LoadID
  ) {
    runs[token.generation] = Run(operation: operation, load: load, row: token.row)
    note(.started(token.generation), of: token.row)
    guard operation.token == token, operation.state == .pending else {
      return inbox.post(
        Arrival(generation: token.generation, result: .failure(unusable), cancelledAt: nil))
    }
    if operation.qualityOfService == .default {
      operation.qualityOfService = configuration.qualityOfService
    }
    if tellsEvents { operation.withStages { $0.clock = clock.now } }
    operation.whenFinished { [inbox, weak operation] result in
      let stages = operation?.withStages { $0 }
      inbox.post(
        Arrival(
          generation: token.generation, result: result, cancelledAt: stages?.cancelledAt,
          visits: stages?.visits ?? []))
    }
    callOut { queue.enqueue(operation) }
  }

  private var unusable: RowOperationsError {
    RowOperationsError(
      code: .unusableOperation,
      description: """
        The tracker was handed an operation of another token, or one that was started before. Make \
        a new operation with the token that the closure is given.
        """)
  }

  func yieldSlot(prefetchesYield: Bool) -> Bool {
    guard machine.yieldSlot(prefetchesYield: prefetchesYield, at: time) else { return false }
    carryOut()
    if turnTime == nil { requestTurn() }
    return true
  }

  // MARK: Renders

  /// Renders the cells of all changed loads, displayed ones first, each once and with the phase of
  /// the moment.
  ///
  /// - Returns: The rows whose values were committed in this turn and are bound, for `onCommit`.
  @inlinable
  func renderChanges() -> [Row] {
    let targets = machine.renderTargets(of: changedLoads)
    let appliedRows = committedLoads.isEmpty ? [] : applyCommitted()
    changedLoads.emptyForReuse()
    for target in targets { render(target) }
    return appliedRows
  }

  /// Counts the values that this turn brought for bound rows.
  ///
  /// - Returns: Those rows, if anybody wants to know.
  @usableFromInline
  func applyCommitted() -> [Row] {
    let applied = changedLoads.isEmpty ? [] : machine.boundLoads(among: committedLoads)
    committedLoads.emptyForReuse()
    machine.valuesApplied(applied.count)
    guard configuration.onCommit != nil else { return [] }
    return applied.flatMap { machine.boundRows(of: $0) }.compactMap { rows.row($0) }
  }

  @inlinable
  func render(_ target: TrackerMachine.RenderTarget) {
    // What an earlier render did may have bound this cell to another row.
    guard let row = machine.row(of: target), let (cell, renderer) = cells.target(target.cell)
    else { return }
    let phase = phase(of: machine.load(of: row))
    let typed = unsafeDowncast(renderer, to: CellRenderer<Value>.self)
    isCallingOut = true
    typed.render(phase, in: cell)
    isCallingOut = false
    if hasLaterCalls { drain() }
  }

  // MARK: Time

  /// Has the tracker woken up when the machine wants to be told the time.
  func updateTimer() {
    let deadline = machine.nextDeadline
    guard deadline != timer?.deadline else { return }
    // One that comes too early asks again; that is cheaper than setting it anew each time.
    if let deadline, let timer, timer.deadline < deadline { return }
    timer?.task.cancel()
    timer = nil
    guard let deadline else { return }
    let sleep = clock.sleep
    timer = (
      deadline,
      Task { [weak self] in
        guard (try? await sleep(deadline)) != nil else { return }
        self?.timerFired()
      }
    )
  }

  private func timerFired() {
    timer = nil
    takeTurn()
  }
}

extension Array {
  /// Those that satisfy a condition, and the others, each in their order.
  func partitioned(by condition: (Element) -> Bool) -> (satisfying: [Element], others: [Element]) {
    var (satisfying, others): ([Element], [Element]) = ([], [])
    for element in self {
      if condition(element) { satisfying.append(element) } else { others.append(element) }
    }
    return (satisfying, others)
  }
}
