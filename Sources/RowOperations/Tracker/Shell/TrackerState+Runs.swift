extension TrackerState {
  mutating func wantsLookUp(_ row: RowID) -> Bool { engine.wantsLookUp(row) }

  mutating func isAdmitted(_ run: RunID, _ generation: UInt64) -> Bool {
    engine.isAdmitted(run, generation: generation)
  }

  /// - Returns: Whether to start the operation.
  mutating func operationMade(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) -> Bool {
    guard engine.take(.made(run, generation: generation), at: now) else {
      discarded.objects.append(operation)
      turns.slotFreed()
      return false
    }
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
    return true
  }

  mutating func takeStarting() -> [AsyncOperation] {
    var taken: [AsyncOperation] = []
    taken.reserveCapacity(min(starting.count, 8))
    swap(&taken, &starting)
    return taken
  }

  /// In the order of commits.
  mutating func ended(_ arrived: [Inbox.Arrival]) -> [RunID] {
    var ended: [RunID] = []
    ended.reserveCapacity(arrived.count)
    for arrival in arrived where arrival.isEnd {
      if let run = run(arrival.id) { ended.append(run) }
    }
    return engine.sortedForCommit(ended)
  }

  /// - Returns: `nil` if the row no longer waits for the update.
  mutating func stepping(_ id: UpdateID) -> (RunID, any TrackedUpdate, RowID)? {
    let run = RunID(index: id.index)
    guard let load = engine.state(of: run, generation: id.generation), load.stage == .current,
      let operation = operation(of: run)
    else { return nil }
    return (run, operation, load.row)
  }

  private mutating func run(_ id: UpdateID) -> RunID? {
    let run = RunID(index: id.index)
    return engine.state(of: run, generation: id.generation) == nil ? nil : run
  }

  struct Ending {
    let operation: any TrackedUpdate
    let row: RowID
    let isCancelled: Bool
    let isCurrent: Bool
    let isRecorded: Bool
  }

  /// The commit calls the app's code.
  mutating func beginEnding(_ run: RunID) -> Ending? {
    guard let load = engine.state(of: run), let operation = operations[Int(run.index)] else {
      return nil
    }
    let isCancelled = load.stage == .cancelled
    let isRecorded = recorder != nil && (isCancelled || load.stage == .current)
    turns.callBegan()
    return Ending(
      operation: operation, row: load.row, isCancelled: isCancelled,
      isCurrent: load.stage == .current, isRecorded: isRecorded)
  }

  mutating func finishEnding(_ ending: Ending, _ error: (any Error)?) {
    turns.callEnded()
    if let error { keepError(error, of: ending.row) }
  }

  mutating func operation(of run: RunID) -> (any TrackedUpdate)? { operations[Int(run.index)] }
}
