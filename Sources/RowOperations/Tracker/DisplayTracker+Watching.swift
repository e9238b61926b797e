extension DisplayTracker {
  // MARK: Metrics and waiting

  /// The tracker's metrics so far; O(1).
  ///
  /// Subtract two snapshots for the work in between.
  public var metrics: TrackerMetrics {
    TrackerMetrics(
      core.state.engine.counts(at: core.time), live: core.state.engine.streams.open,
      core.cancelledPerStage)
  }

  /// The rows of all displayed cells; O(cells that the tracker knows).
  public var displayedRows: Set<Row> {
    let cells = core.state.engine.cells
    return Set(
      cells.ids.lazy.filter { cells[$0].isDisplayed }.compactMap { cells[$0].row }
        .compactMap { [store] in store.rows[$0] })
  }

  /// The bodies of loads that go on, the oldest first, those of cancelled loads included.
  ///
  /// Once for each row of a batch.
  package var bodies: [LoadBody<Row>] {
    let engine = core.state.engine
    return startedRuns.flatMap { run -> [LoadBody<Row>] in
      guard let operation = core.operation(of: run) else { return [] }
      let load = engine.runs[run]
      let isBatch = load.role == .batch
      return (isBatch ? engine.runs.members(of: run) : [run]).compactMap { run in
        let ofRow = engine.runs[run]
        guard let row = store.row(of: operation, at: ofRow.place) else { return nil }
        return LoadBody(
          token: RowToken(row: row, generation: ofRow.generation),
          age: .nanoseconds(core.time - load.startedAt), stage: operation.tracked.stages.current,
          isCancelled: ofRow.stage != .current, batch: isBatch ? load.generation : nil)
      }
    }
  }

  /// Explains in words why a row shows its phase.
  ///
  /// ```swift
  /// print(tracker.explain(photo.id))
  /// // Row 5 waits: second in line, row 7 on screen gains more; slot 1 held for 80 ms by row 3.
  /// ```
  ///
  /// The text gives the time and stage of a running load, or the next attempt after a failure. Of a
  /// waiting row it gives the position in line, the row that loses most by waiting, and the holder
  /// of each slot, or the hold by the scroll policy. Its wording may change.
  ///
  /// O(waiting rows and cells).
  public func explain(_ row: Row) -> String {
    // First, since the row's description is the app's code.
    let name = "Row \(row)"
    if let id = knownID(of: row) {
      let engine = core.state.engine
      guard engine.rows[id].isRemoved else {
        return "\(name) \(core.explanation(of: id))."
      }
      let isOnScreen = engine.cells.ids.contains {
        engine.cells[$0].isDisplayed && engine.cells[$0].removedRow == id
      }
      if isOnScreen { return "\(name) is unbound since remove: bind its cell again." }
    }
    return "\(name) is not known: no cell is bound to it, and it is not prefetched."
  }

  /// Waits until no operation runs, including cancelled ones, and no waiting load may start.
  ///
  /// It does not wait for rows of a suspended tracker or that the scroll policy holds back. It does
  /// wait for scheduled retries, and for lingering bodies, so a body that never ends blocks it.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitUntilIdle() async {
    await core.wait { [core] in core.isIdle }
  }

  // MARK: Recording

  /// Records all inputs as the text of an `EventScript` of the module RowOperationsTesting, for a
  /// test to replay.
  ///
  /// ```swift
  /// tracker.recordEvents { line in print(line) }
  /// // c0(a) W0(a) c1(b) W1(b) P[2…4] |
  /// // +16ms B M |
  /// ```
  ///
  /// It is a debug switch. Rows become numbers in the order of appearance, so a recording contains
  /// no data of your users. Each line is a turn of the main queue. Switch it on before the first
  /// layout of the list: cells bound before are not in the recording. Values from your own cache,
  /// and rows with nothing to load, are recorded as values that are set.
  ///
  /// **Threading**: `write` is called on the main actor, and may call the tracker.
  ///
  /// **Cost**: while switched on, a few strings for each event, and O(cells) for each turn.
  ///
  /// - Parameter write: Receives each line; `nil` switches recording off.
  public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    // Released at the end: a `deinit` may call the tracker.
    let old = (recorder: core.state.recorder, write: core.state.recorder?.write)
    // An observer knows the cells by their numbers, so that these go on.
    let recorder = old.recorder?.observe == nil ? makeRecorder() : old.recorder
    recorder?.write = write
    use(recorder)
    if recorder !== old.recorder { recordWindows() }
    withExtendedLifetime(old) {}
  }

  /// Reports inputs and events as they come, to one observer.
  ///
  /// Cells become numbers, except those bound before.
  ///
  /// - Parameters:
  ///   - inputs: Called before the input takes effect; it may not call the tracker.
  ///   - events: Called as the configuration's `onEvent`.
  package func observe(
    inputs: (@MainActor (TrackerInput<Row, Int>) -> Void)?,
    events: (@MainActor (TrackerEvent<Row>) -> Void)?
  ) {
    let recorder = core.state.recorder ?? makeRecorder()
    if let inputs {
      recorder.observe = { [store] input in
        let named = input.map(row: { store.numbers?.row($0) }, cell: { $0 })
        if let named { inputs(named) }
      }
    } else {
      recorder.observe = nil
    }
    use(recorder)
    store.observer = events
    core.state.engine.take(.reportEvents(store.reportsEvents), at: core.time)
  }

  private func makeRecorder() -> InputRecorder {
    let numbers = RowNumbers<Row>()
    store.numbers = numbers
    return InputRecorder(
      number: { [store] id in store.rows[id].map(numbers.number) },
      numberOfUpdate: { [store] in store.row(of: $0, at: $1).map(numbers.number) })
  }

  /// Records the windows from before the recording.
  private func recordWindows() {
    for (list, windows) in Dictionary(grouping: core.state.engine.windows, by: \.key.list) {
      for window in windows {
        for position in window.range where window[position] != .unread {
          core.state.recorder?.recordRows(
            window[position].rows, at: position, ofList: list, at: core.time)
        }
      }
      core.state.recorder?.recordPositions(
        windows.compactMap(\.span), ofList: list, at: core.time)
    }
  }

  private func use(_ recorder: InputRecorder?) {
    let isNeeded = recorder?.write != nil || recorder?.observe != nil
    core.state.recorder = isNeeded ? recorder : nil
    if !isNeeded { store.numbers = nil }
  }
}

/// The body of a load that goes on.
package struct LoadBody<Row: Hashable & Sendable>: Sendable {
  package let token: RowToken<Row>
  package let age: Duration
  package let stage: UpdateStage?
  /// Whether the tracker has cancelled it, or its time ran out.
  package let isCancelled: Bool
  /// The number of its batch; `nil` if the load has one row.
  package let batch: UInt64?
}
