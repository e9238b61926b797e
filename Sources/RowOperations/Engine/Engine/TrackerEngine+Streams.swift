/// Live rows: a displayed row listens to its stream, in no slot.
extension TrackerEngine {
  // MARK: Listening

  /// Updates a stream to match the displays of its row.
  mutating func updateStream(of row: RowID, at now: Int64) {
    guard rows[row].displays > 0 else { return leaveStream(of: row, at: now) }
    switch streams[row]?.stage {
    case nil:
      if isReadyToListen(row) { setStream(of: row, isSuspended ? .suspended : .queued) }
    case .open:
      if streams[row]?.graceEnd != nil { streams.change(row) { $0.graceEnd = nil } }
    case .queued, .suspended:
      if !isReadyToListen(row) { dropStream(of: row, at: now) }
    case .paused, .ended, .failed:
      break
    }
  }

  /// Whether a displayed row has a value, or a load that may miss elements.
  private func isReadyToListen(_ row: RowID) -> Bool {
    if rows[row].knowledge == .value, rows[row].work == .none { return true }
    guard settings.streams?.isLoad == false, let run = rows[row].run else { return false }
    return runs[run].stage == .current
  }

  private mutating func leaveStream(of row: RowID, at now: Int64) {
    guard let state = streams[row] else { return }
    guard state.stage == .open else { return dropStream(of: row, at: now) }
    guard state.graceEnd == nil else { return }
    let end = now + settings.grace
    streams.change(row) { $0.graceEnd = end }
  }

  @inline(never)
  private mutating func setStream(of row: RowID, _ stage: StreamState.Stage) {
    streams.set(stage, of: row)
    rows[row].listening =
      switch stage {
      case .queued, .suspended, .ended, .open: .quiet
      case .paused: .paused
      case .failed: .failed
      }
  }

  mutating func dropStream(of row: RowID, at now: Int64) {
    guard rows[row].listening != .none else { return }
    if let open = streams.remove(row) { close(open, at: now) }
    let hasFailed = rows[row].listening == .paused || rows[row].listening == .failed
    rows[row].listening = .none
    if hasFailed { dropErrorOfStream(of: row) }
    updatePhase(of: row)
  }

  private mutating func close(_ stream: StreamID, at now: Int64) {
    effects.append(.closeStream(stream))
    report(.stoppedListening(stream.row), at: now)
  }

  // MARK: Opening

  /// Whether a stream may open that no input requests.
  var mayOpenStream: Bool { hasFreeStream && !streams.areHeld }

  private var hasFreeStream: Bool {
    guard streams.queued > 0, !isSuspended, let settings = settings.streams else { return false }
    return streams.open < settings.limit
  }

  /// Opens streams up to the limit, the oldest displays first.
  ///
  /// While the list moves, rows whose loads the scroll policy would hold back open none.
  mutating func openStreams(at now: Int64) {
    guard hasFreeStream else { return }
    let outlook = gate.isMoving ? outlook(at: now) : nil
    while hasFreeStream {
      let queued = streams.rows.filter {
        streams[$0]?.stage == .queued && mayListen($0, outlook)
      }
      guard let row = queued.min(by: { rows[$0].displayRank < rows[$1].displayRank })
      else {
        isFiltering = true
        return streams.hold()
      }
      // The value is new, or a load is about to end with one.
      let isNew = rows[row].hasNewValue && rows[row].knowledge == .value
      open(row, hasElement: isNew, since: now, at: now)
      rows[row].listening = isNew || rows[row].run != nil ? .quiet : .awaiting
      updatePhase(of: row)
    }
  }

  func holdsStream(of row: RowID, at now: Int64) -> Bool {
    gate.isMoving && !mayListen(row, outlook(at: now))
  }

  /// A row that loads has passed the scroll policy.
  private func mayListen(_ row: RowID, _ outlook: Outlook?) -> Bool {
    guard let outlook, rows[row].run == nil else { return true }
    return !gate.holds(visit(of: row, outlook))
  }

  private mutating func open(_ row: RowID, hasElement: Bool, since start: Int64, at now: Int64) {
    effects.append(.openStream(streams.open(row, hasElement: hasElement, since: start, at: now)))
    report(.listening(row), at: now)
  }

  /// The operation of the row is made: its stream opens now, so that no element is lost.
  mutating func loadBegan(_ row: RowID, at now: Int64) {
    guard settings.streams?.isLoad == false else { return }
    updateStream(of: row, at: now)
    openStreams(at: now)
  }

  /// Late first values give their slots back, and their rows go on waiting.
  private mutating func handOverLateLoads(at now: Int64) {
    guard let settings = settings.streams, settings.isLoad, !isSuspended else { return }
    for run in runs.started(by: now - lateTime) {
      let (row, state) = (runs[run].row, runs[run])
      guard streams.open < settings.limit else { return }
      guard rows[row].displays > 0, streams[row] == nil, !state.isOutdated, !isProbe(run)
      else { continue }
      streams.loaded(row, by: run)
      open(row, hasElement: false, since: state.startedAt, at: now)
      streams.change(row) { $0.owedLoad = state.generation }
      leave(run, at: now)
      rows[row].listening = .owed
      evaluate(row, at: now)
    }
  }

  private var firstLateLoad: Int64? {
    mutating get {
      guard let settings = settings.streams, settings.isLoad, !isSuspended,
        streams.open < settings.limit
      else { return nil }
      var first: Int64?
      for run in runs.started(by: .max) where !runs[run].isOutdated && !isProbe(run) {
        guard rows[runs[run].row].displays > 0 else { continue }
        first = min(first ?? .max, runs[run].startedAt)
      }
      return first.map { $0 + lateTime }
    }
  }

  private var lateTime: Int64 {
    max(gate.loadTimes.median.map { $0 * 2 } ?? 500_000_000, 100_000_000)
  }

  // MARK: Elements

  /// An element is due at once if its stream has ended.
  @inline(never)
  mutating func streamHas(
    _ stream: StreamID, element: Bool, end: StreamEnd?, at now: Int64
  ) -> Bool {
    guard let settings = settings.streams, let state = streams.state(of: stream), state.end == nil
    else { return false }
    streams.change(stream.row) { state in
      if element, state.due == nil {
        state.due = state.dueTime(interval: settings.interval, at: now)
      }
      guard let end else { return }
      state.end = end
      if state.due != nil { state.due = now }
    }
    return true
  }

  mutating func dueStreams(at now: Int64) -> [StreamID] {
    streams.isEmpty ? [] : streams.due(at: now)
  }

  mutating func element(_ stream: StreamID, cost: Int, at now: Int64) -> Bool {
    let row = stream.row
    guard let state = streams.state(of: stream), state.isDue(at: now) else { return false }
    streams.change(row) { state in
      (state.due, state.hasElement, state.owedLoad) = (nil, true, nil)
      state.lastDue = now
    }
    failures.forget(row)
    stopWork(on: row, at: now)
    countPrefetchInVain(row)
    keepValue(of: row, cost: cost)
    setNeedsEvaluation(row)
    return true
  }

  // MARK: Turns

  mutating func endStreams(at now: Int64) {
    for row in streams.changing(at: now, timeout: settings.timeout) {
      guard let state = streams[row] else { continue }
      if let end = state.end {
        streamEnded(state, of: row, end, at: now)
      } else if let end = state.graceEnd, end <= now {
        dropStream(of: row, at: now)
      } else if case .paused(let end) = state.stage, end <= now {
        reopen(row)
      } else if state.owedLoad != nil, let timeout = settings.timeout,
        state.openedAt + timeout <= now
      {
        failOwedLoad(of: row, .timeOut, settings.timeOut, at: now)
      } else {
        continue
      }
      evaluate(row, at: now)
    }
  }

  /// Comes after the ends of streams and the drop of values, which free streams.
  mutating func beginStreams(at now: Int64) {
    handOverLateLoads(at: now)
    openStreams(at: now)
    streams.turnEnded()
  }

  /// The pause of the stream is over.
  private mutating func reopen(_ row: RowID) {
    setStream(of: row, .queued)
    dropErrorOfStream(of: row)
  }

  /// The error of a load stays.
  private mutating func dropErrorOfStream(of row: RowID) {
    if rows[row].work == .none, failures.series[row] == nil { dropError(of: row) }
  }

  private mutating func streamEnded(
    _ state: StreamState, of row: RowID, _ end: StreamEnd, at now: Int64
  ) {
    guard state.owedLoad == nil else {
      let cause: FailureCause =
        if case .failed(let cause) = end { cause } else { settings.emptyStream }
      return failOwedLoad(of: row, .error, cause, at: now)
    }
    guard rows[row].displays > 0 else { return dropStream(of: row, at: now) }
    close(StreamID(row: row, serial: state.serial), at: now)
    switch end {
    case .ended: setStream(of: row, .ended)
    case .failed(let cause): failed(state, of: row, cause, at: now)
    }
  }

  /// The load waits for its first value.
  private mutating func failOwedLoad(
    of row: RowID, _ failure: Snapshot.Failure, _ cause: FailureCause, at now: Int64
  ) {
    let start = streams[row]?.openedAt ?? now
    dropStream(of: row, at: now)
    // The load counts as cancelled.
    recordFailure(row, failure, cause, since: start, at: now)
  }

  /// Pauses a failed stream, or ends it if it may not open again.
  private mutating func failed(
    _ state: StreamState, of row: RowID, _ cause: FailureCause, at now: Int64
  ) {
    // A stream that outlived its last delay begins a new series.
    let isNewSeries = state.failures == 0 || now - state.openedAt > state.lastDelay
    let count = isNewSeries ? 1 : state.failures + 1
    let delay = reconnectDelay(after: count, of: row)
    if neverRetries || !cause.isRetryable {
      setStream(of: row, .failed)
    } else {
      setStream(of: row, .paused(until: now + delay))
    }
    if cause.isConnectivity, cause.isRetryable { failures.lackedNetwork() }
    streams.change(row) { state in
      (state.failures, state.lastDelay) = (count, delay)
      state.isConnectivity = cause.isConnectivity
    }
    // A load shows its own failure.
    guard rows[row].work == .none else { return }
    rows[row].failure = .error
    rows[row].hasArrived = true
  }

  /// From 1 to 30 seconds, twice as long after each failure of a series.
  private func reconnectDelay(after failures: Int, of row: RowID) -> Int64 {
    let seconds = min(1 << min(failures - 1, 5), 30)
    let jitter = 1 - (settings.streams?.jitter ?? 0) * chance(for: row)
    return max(Int64(Double(seconds) * jitter * 1e9), 1_000_000_000)
  }

  // MARK: Restarts

  /// The tracker is suspended.
  mutating func suspendStreams(at now: Int64) {
    for row in streams.rows {
      switch streams[row]?.stage {
      case .ended, .failed, nil: continue
      case .open, .queued, .paused, .suspended: break
      }
      let owesLoad = rows[row].listening == .owed
      dropStream(of: row, at: now)
      // A row without a value loads after the suspension.
      if rows[row].displays > 0, !owesLoad { setStream(of: row, .suspended) }
      setNeedsEvaluation(row)
    }
  }

  mutating func resumeStreams(at now: Int64) {
    guard !isSuspended else { return }
    for row in streams.rows where streams[row]?.stage == .suspended {
      // The turn evaluates other rows, and drops their streams.
      guard rows[row].displays > 0, isReadyToListen(row) else { continue }
      setStream(of: row, .paused(until: failures.startOfHeal(at: now) + delayOfHeal(row)))
    }
  }

  /// The streams failed for lack of a network.
  mutating func healStreams(at now: Int64) {
    for row in streams.rows {
      guard let state = streams[row], case .paused(let end) = state.stage, state.isConnectivity,
        rows[row].displays > 0
      else { continue }
      let start = failures.startOfHeal(at: now) + delayOfHeal(row)
      streams.change(row) { $0.stage = .paused(until: min(end, start)) }
    }
  }

  /// Opens a failed or ended stream again, on request.
  mutating func restartStream(of row: RowID, at now: Int64) {
    switch streams[row]?.stage {
    case .paused, .ended, .failed:
      dropStream(of: row, at: now)
      setNeedsEvaluation(row)
    case nil, .queued, .open, .suspended:
      break
    }
  }

  // MARK: Deadlines

  var nextStreamDeadline: Int64? {
    mutating get {
      let late = firstLateLoad ?? .max
      let first = min(streams.nextDeadline(timeout: settings.timeout) ?? .max, late)
      return first < .max ? first : nil
    }
  }
}
