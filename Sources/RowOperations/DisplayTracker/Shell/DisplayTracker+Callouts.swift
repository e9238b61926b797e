import Foundation

/// Calls to the app, and what follows from events.
extension DisplayTracker {
  // MARK: Re-entrancy

  /// Has a call wait until the closure of the app's that makes it has returned.
  @usableFromInline
  func later(_ call: @escaping (DisplayTracker) -> Void) {
    laterCalls.append(call)
    hasLaterCalls = true
  }

  /// Calls a closure of the app's.
  ///
  /// What it asks of the tracker waits for the next `drain`.
  func callOut<Output>(_ body: () -> Output) -> Output {
    let wasCallingOut = isCallingOut
    isCallingOut = true
    defer { isCallingOut = wasCallingOut }
    return body()
  }

  /// Does what closures of the app's have asked for; where the tracker's state is consistent.
  @usableFromInline
  func drain() {
    guard !isCallingOut, !isDraining, hasLaterCalls else { return }
    isDraining = true
    while hasLaterCalls {
      let calls = laterCalls
      laterCalls = []
      hasLaterCalls = false
      for call in calls { call(self) }
    }
    isDraining = false
  }

  // MARK: Effects

  /// What every event ends with.
  ///
  /// - Parameter isTurn: Whether it was a turn, which has told those who wait already.
  @inlinable
  func settle(isTurn: Bool = false) {
    if machine.hasEffects { carryOut() }
    if tellsEvents { tellEvents() }
    if hasLaterCalls { drain() }
    if machine.isPassOpen || !isTurn && hasWaiters { requestTurn() }
  }

  /// Carries out what the machine has decided.
  @inlinable
  func carryOut() {
    let cancelled = carryOutBookkeeping()
    if !cancelled.isEmpty { cancel(cancelled) }
  }

  @usableFromInline
  func cancel(_ generations: [UInt64]) {
    for generation in generations {
      guard let run = runs[generation] else { continue }
      callOut { run.operation.cancel() }
    }
  }

  /// Carries out all that needs no call to the app, so that the state is consistent.
  ///
  /// - Returns: The operations that are to be cancelled.
  @inlinable
  func carryOutBookkeeping() -> [UInt64] {
    carryOutRare(machine.effects)
    for load in machine.effects.evicted { values[Int(load.index)] = nil }
    for load in machine.effects.forgottenLoads { values[Int(load.index)] = nil }
    for row in machine.effects.forgottenRows { rows.remove(row) }
    changedLoads += machine.effects.changed
    let cancelled = machine.effects.cancelled
    machine.effectsCarriedOut()
    return cancelled
  }

  /// Carries out what does not come with every row.
  @usableFromInline
  func carryOutRare(_ effects: TrackerMachine.Effects) {
    for timeOut in effects.timedOut { fail(timeOut) }
    for generation in effects.cancelled { abandon(generation) }
    for row in effects.enteredWaiting { note(.waiting, of: row) }
    for row in effects.leftWaiting { note(.leftWaiting, of: row) }
    for row in effects.evictedRows { note(.evicted, of: row) }
    for load in effects.forgottenLoads {
      errors[load] = nil
      resources.remove(load)
    }
  }

  private func abandon(_ generation: UInt64) {
    guard let run = runs[generation] else { return }
    runs[generation]?.isAbandoned = true
    slots.abandon(1)
    if !run.isTimedOut { note(.cancelled(generation), of: run.row) }
  }

  private func fail(_ timeOut: TrackerMachine.Effects.TimeOut) {
    let error = RowOperationsError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
    errors[timeOut.load] = error
    guard let run = runs[timeOut.generation] else { return }
    runs[timeOut.generation]?.isTimedOut = true
    note(.failed(timeOut.generation, error), of: run.row)
  }

  // MARK: Events

  func note(_ kind: @autoclosure () -> TrackerEvent<Row>.Kind, of row: RowID?) {
    guard tellsEvents else { return }
    if let row, let row = rows.row(row) { noteEvent(kind(), of: row) }
  }

  func note(_ kind: @autoclosure () -> TrackerEvent<Row>.Kind, of row: Row) {
    if tellsEvents { noteEvent(kind(), of: row) }
  }

  private func noteEvent(_ kind: TrackerEvent<Row>.Kind, of row: Row) {
    events.append(TrackerEvent(row: row, kind: kind, time: .nanoseconds(time)))
  }

  func note(_ visits: [StageLog.Visit], of row: Row, _ generation: UInt64) {
    events += visits.map { visit in
      TrackerEvent(
        row: row,
        kind: .ran(visit.stage, generation, since: .nanoseconds(visit.start)),
        time: .nanoseconds(visit.end))
    }
  }

  @usableFromInline
  func tellEvents() {
    // What a handler asks for is told after what it was told of before.
    guard let onEvent = configuration.onEvent, !isTellingEvents else { return }
    isTellingEvents = true
    defer { isTellingEvents = false }
    while !events.isEmpty {
      let told = events
      events = []
      for event in told {
        callOut { onEvent(event) }
        drain()
      }
    }
  }
}
