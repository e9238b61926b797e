extension TrackerEngine {
  /// A task for the shell, which performs them in order.
  package enum Effect: Hashable, Sendable {
    case render(CellID)
    /// Render a cell since it left the screen.
    case leave(CellID)
    /// Render a covered cell without its value, as memory is low.
    case empty(CellID)
    /// Render a cell as idle: its row was removed, or its host was bound anew.
    case clear(CellID)
    /// Look the row up in the app's cache or make its operation.
    case start(RunID)
    /// Inform an operation of its row's strongest claim.
    case claim(RunID)
    case cancel(RunID)
    /// Open a stream, or go on with the one that the row's load has opened.
    case openStream(StreamID)
    case closeStream(StreamID)
    /// Release the renderer of an unbound cell.
    case dropRenderer(CellID, serial: UInt64)
    case dropValue(RowID)
    case dropStep(RowID)
    /// Release an error that no cell shows.
    case dropError(RowID)
    /// New values are rendered; ``takeCommittedRows()`` has their rows.
    case committed
    /// Notify the observers of a row.
    case phaseChanged(RowID)
    case report(Report)
  }

  package struct Report: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case displayed(RowID)
      case endedDisplaying(RowID)
      case prefetched(RowID)
      case landing(RowID)
      case listening(RowID)
      case stoppedListening(RowID)
      case waiting(RowID)
      case leftWaiting(RowID)
      case evicted(RowID)
      case joined(RunID)
      case started(RunID)
      case finished(RunID)
      case failed(RunID)
      case timedOut(RunID)
      case cancelled(RunID)
      case stopped(RunID)
      case refused(RunID)
    }

    let kind: Kind
    let time: Int64
  }

  struct EffectQueue {
    private var effects: ContiguousArray<Effect> = []
    private var first = 0

    var count: Int { effects.count - first }

    var startsNext: Bool {
      guard first < effects.count, case .start = effects[first] else { return false }
      return true
    }

    var hasRender: Bool {
      effects[first...].contains { if case .render = $0 { true } else { false } }
    }

    mutating func append(_ effect: Effect) { effects.append(effect) }

    mutating func popFirst() -> Effect? {
      guard first < effects.count else { return nil }
      defer { first += 1 }
      let effect = effects[first]
      if first + 1 == effects.count {
        effects.emptyForReuse()
        first = -1
      }
      return effect
    }
  }

  var pendingEffects: Int { mutating get { effects.count } }

  var startsNext: Bool { mutating get { effects.startsNext } }

  /// Returns the next effect that still applies.
  ///
  /// The app's code may change anything between two effects, so each is checked now: a cell is
  /// rendered only in its current binding.
  mutating func nextEffect() -> Effect? {
    while let effect = effects.popFirst() {
      if isDue(effect) { return effect }
    }
    return nil
  }

  private mutating func isDue(_ effect: Effect) -> Bool {
    switch effect {
    case .render(let cell):
      return beginRender(of: cell)
    case .leave(let cell):
      return beginLeavingRender(of: cell)
    case .empty(let cell):
      return beginEmptyRender(of: cell)
    case .clear(let cell):
      return cells.contains(cell) && cells[cell].row == nil
    case .dropRenderer(let cell, let serial):
      // A newer binding has its own renderer, which a host may still have to clear.
      return cells.contains(cell) && cells[cell].row == nil && cells[cell].serial == serial
    case .start(let run), .claim(let run), .cancel(let run):
      return runs.contains(run) && isDue(effect, runs[run].stage)
    case .dropValue(let row):
      return !rows.contains(row) || !rows[row].hasValue
    case .dropStep(let row):
      return !rows.contains(row) || rows[row].step == .none
    case .dropError(let row):
      return !rows.contains(row) || rows[row].failure == .none
    case .openStream(let stream):
      return streams.isOpen(stream)
    case .committed:
      guard effects.hasRender else { return !committedRows.isEmpty }
      // A render has displayed another cell. Its render comes first, as its row may be named too.
      effects.append(.committed)
      return false
    case .closeStream, .phaseChanged, .report:
      return true
    }
  }

  private func isDue(_ effect: Effect, _ stage: RunState.Stage) -> Bool {
    switch (effect, stage) {
    case (.start, .admitted), (.claim, .current), (.cancel, .cancelled), (.cancel, .timedOut): true
    default: false
    }
  }

  // MARK: Forgetting

  package struct FreedNumbers: Sendable {
    package var cells: [CellID] = []
    package var rows: [RowID] = []
    package var runs: [RunID] = []
  }

  var hasFreedNumbers: Bool {
    mutating get { !unusedRows.isEmpty || cells.hasUnused || runs.hasEnded }
  }

  /// Forgets the numbers that are still unused; no effect may be pending, since effects name them.
  mutating func takeFreedNumbers() -> FreedNumbers? {
    guard hasFreedNumbers else { return nil }
    var unused = unusedRows
    unusedRows = []
    unusedRows.reserveCapacity(unused.count)
    unused.removeAll { !forgetNow($0) }
    let freed = FreedNumbers(cells: cells.forget(), rows: unused, runs: runs.forget())
    if rows.count == 0 {
      line.releaseMemory()
      kept.releaseMemory()
      claims.releaseMemory()
    }
    return freed
  }

  mutating func report(_ kind: @autoclosure () -> Report.Kind, at now: Int64) {
    guard settings.reportsEvents else { return }
    effects.append(.report(Report(kind: kind(), time: now)))
  }
}
