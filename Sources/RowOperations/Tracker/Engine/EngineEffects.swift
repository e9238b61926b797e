extension TrackerEngine {
  /// What the shell has to do.
  ///
  /// The engine decides it; the shell performs it, in order.
  @usableFromInline
  package enum Effect: Hashable, Sendable {
    /// Render a cell, whose binding is the one that the render was decided for.
    case render(CellID)
    /// Render a view as idle that lost its row because its host was bound to another one.
    case clear(CellID)
    /// Look the row up in the app's cache, or make its operation; report back what came of it.
    case start(RunID)
    /// Cancel an operation.
    case cancel(RunID)
    /// Release what renders a cell that is bound no longer.
    case dropRenderer(CellID)
    /// Release a value that is kept no longer.
    case dropValue(LoadID)
    /// Release what a load showed before its end.
    case dropStep(LoadID)
    /// Release an error that is shown no longer.
    case dropError(LoadID)
    /// Nothing more comes of the row without another event.
    case rowCompleted(RowID)
    /// The values that a turn brought have been rendered.
    case committed
    case report(Report)
  }

  /// A public event.
  @usableFromInline
  package struct Report: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case displayed(RowID)
      case endedDisplaying(RowID)
      case prefetched(RowID)
      case landing(RowID)
      case waiting(RowID)
      case leftWaiting(RowID)
      case evicted(RowID)
      case started(RunID)
      case finished(RunID)
      case failed(RunID)
      case timedOut(RunID)
      case cancelled(RunID)
      case stopped(RunID)
      case refused(RunID)
    }

    package let kind: Kind
    package let time: Int64
  }

  /// Effects that are still to be performed, in order.
  struct EffectQueue {
    private var effects: ContiguousArray<Effect> = []
    private var first = 0

    var count: Int { effects.count - first }

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

  /// How many effects are to be performed.
  package var pendingEffects: Int { effects.count }

  /// The next effect that still makes sense.
  ///
  /// The app's code runs between two effects and may have changed anything, so each effect is
  /// checked at the moment in which it is performed: a cell is rendered only for the binding that
  /// it has now.
  package mutating func nextEffect() -> Effect? {
    while let effect = effects.popFirst() {
      if isDue(effect) { return effect }
    }
    return nil
  }

  private mutating func isDue(_ effect: Effect) -> Bool {
    switch effect {
    case .render(let cell):
      return beginRender(of: cell)
    case .clear(let cell), .dropRenderer(let cell):
      return cells.contains(cell) && cells[cell].row == nil
    case .start(let run), .cancel(let run):
      return runs.contains(run) && isDue(effect, runs[run].stage)
    case .dropValue(let load):
      return !loads.contains(load) || !loads[load].hasValue
    case .dropStep(let load):
      return !loads.contains(load) || loads[load].step == .none
    case .dropError(let load):
      return !loads.contains(load) || loads[load].failure == .none
    case .rowCompleted, .committed, .report:
      return true
    }
  }

  private func isDue(_ effect: Effect, _ stage: RunState.Stage) -> Bool {
    switch (effect, stage) {
    case (.start, .admitted), (.cancel, .cancelled), (.cancel, .timedOut): true
    default: false
    }
  }

  // MARK: Forgetting

  /// Numbers that stand for nothing any more and will be used again.
  package struct Forgotten: Sendable {
    package var cells: [CellID] = []
    package var rows: [RowID] = []
    package var loads: [LoadID] = []
    package var runs: [RunID] = []

    var isEmpty: Bool { cells.isEmpty && rows.isEmpty && loads.isEmpty && runs.isEmpty }

    /// Whether its memory is worth giving back.
    var isLarge: Bool { cells.count + rows.count + loads.count + runs.count > 1024 }

    mutating func emptyForReuse() {
      cells.emptyForReuse()
      rows.emptyForReuse()
      loads.emptyForReuse()
      runs.emptyForReuse()
    }
  }

  /// Whether there are numbers to forget.
  var hasForgotten: Bool { !unused.isEmpty }

  /// Forgets the cells, rows, loads and runs that came to be unused and still are.
  ///
  /// To be called when no effect is pending, since effects name them.
  package mutating func takeForgotten() -> Forgotten? {
    guard !unused.isEmpty else { return nil }
    var forgotten = Forgotten()
    swap(&forgotten, &unused)
    swap(&unused, &lastForgotten)
    unused.emptyForReuse()
    forgotten.cells.removeFew { !forgetNow($0) }
    forgotten.rows.removeFew { !forgetNow($0) }
    // Loads came to be unused with their rows.
    if !unused.loads.isEmpty {
      forgotten.loads += unused.loads
      unused.loads.emptyForReuse()
    }
    forgotten.loads.removeFew { !forgetNow($0) }
    for run in forgotten.runs { runs.remove(run) }
    if loads.count == 0 {
      work.releaseMemory()
      kept.releaseMemory()
    }
    if rows.count == 0 { prefetchedRows.releaseMemory() }
    if !forgotten.isLarge { lastForgotten = forgotten }
    return forgotten
  }

  mutating func report(_ kind: @autoclosure () -> Report.Kind, at now: Int64) {
    guard settings.reportsEvents else { return }
    effects.append(.report(Report(kind: kind(), time: now)))
  }
}
