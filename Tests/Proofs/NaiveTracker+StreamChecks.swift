import RowOperationsTesting

@testable import RowOperations

/// The end of a pass for live rows, and the checks of the engine's decisions about streams.
extension NaiveTracker {
  // MARK: Elements

  /// Commits the elements that are due, which cancel the loads of their rows.
  mutating func commitElements(_ decisions: [Decision]) {
    let committed = decisions.compactMap { if case .element(let row) = $0 { row } else { nil } }
    for (row, stream) in live.open {
      if stream.hasNews, stream.heardAt == nil { live.open[row]?.heardAt = now }
      live.open[row]?.hasNews = false
      live.open[row]?.hasEnded = stream.end != nil
    }
    let due = live.open.filter { isDue($0.value) }.keys
    if committed.sorted() != due.sorted() {
      complain("committed elements of \(committed), not of \(due.sorted())")
    }
    for row in due {
      live.open[row]?.heardAt = nil
      live.open[row]?.lastCommit = now
      for case .cancel(let row, _) in setValue(row) { live.dueCancels.insert(row) }
    }
  }

  /// Whether the newest element of a stream is committed in this pass.
  private func isDue(_ stream: NaiveStreams.Stream) -> Bool {
    guard let heardAt = stream.heardAt else { return false }
    let interval = Double(settings.streams?.interval ?? 0)
    guard !stream.hasEnded, interval > 0, stream.hadValue || stream.lastCommit != nil else {
      return true
    }
    let earliest = Double(stream.lastCommit ?? stream.openedAt) + interval
    let time = max(earliest, Double(heardAt))
    return (time / interval).rounded(.up) * interval <= Double(now)
  }

  // MARK: Passes

  /// Moves the openings of streams after a return of the list or of the network.
  mutating func healStreams() {
    if isBack, !isSuspended {
      for row in live.suspended {
        _ = forgetStream(row)
        guard displayedRows.contains(row), isReady(row) else { continue }
        live.rests[row] = .paused(until: startOfHeal())
      }
    }
    guard hasNetworkBack, !neverRetries else { return }
    for (row, rest) in live.rests {
      guard case .paused(let end) = rest, live.failures[row] != nil,
        live.isConnectivity[row] == true, displayedRows.contains(row)
      else { continue }
      live.rests[row] = .paused(until: min(end, startOfHeal()))
    }
  }

  /// Follows the displays of rows, and the time.
  mutating func updateStreams() {
    guard settings.streams != nil else { return }
    let displayed = displayedRows
    for (row, stream) in live.open {
      live.open[row]?.leftAt = displayed.contains(row) ? nil : stream.leftAt ?? now
    }
    for (row, rest) in live.rests {
      if !displayed.contains(row) { _ = forgetStream(row) }
      if case .paused(let end) = rest, end <= now { live.rests[row] = nil }
    }
    forgetOldFailures()
  }

  /// A row that is not ready to listen begins anew.
  private mutating func forgetOldFailures() {
    for row in live.failures.keys where live.open[row] == nil && live.rests[row] == nil {
      if !displayedRows.contains(row) || !isReady(row) { _ = forgetStream(row) }
    }
  }

  mutating func endPassOfStreams() {
    checkNoStreamIsLeftToDo()
    forgetOldFailures()
    live.inLine = isSuspended ? [] : Set(readyRows)
    live.suspended = isSuspended ? Set(readyRows) : []
    live.loadedBy = [:]
    live.leftovers = live.leftovers.filter { left in
      startOrder.contains { $0.order == left.key }
    }
  }

  // MARK: Openings

  mutating func checkOpening(of row: Int) {
    if let due = live.dueOpenings.first {
      if due != row { complain("opened the stream of \(row), not of \(due)") }
      live.dueOpenings.removeFirst()
      return
    }
    if !hasFreeStream { complain("opened the stream of \(row) beyond the limit") }
    if lateRows.contains(row) { return handOver(row) }
    if !lateRows.isEmpty { complain("opened the stream of \(row) before those of \(lateRows)") }
    if streamCandidates.first != row {
      complain("opened the stream of \(row) though \(streamCandidates) are next")
    }
    open(row)
  }

  private mutating func open(_ row: Int) {
    let isNew = values[row] == false && live.valuePass[row] == pass
    var stream = NaiveStreams.Stream(
      openedAt: now, pass: pass, since: now, hadValue: isNew, owes: false)
    if let left = live.loadedBy[row].flatMap({ live.leftovers[$0] }) {
      (stream.hasNews, stream.end) = left
    }
    live.open[row] = stream
  }

  /// The row goes on waiting for its first element, in no slot.
  private mutating func handOver(_ row: Int) {
    let name = load(of: row)?.name(of: row) ?? row
    guard let run = runs.removeValue(forKey: row) else { return }
    loads.removeAll { $0.order == run.order }
    lingering.append(run.order)
    live.open[row] = NaiveStreams.Stream(
      openedAt: now, pass: pass, since: run.startedAt, hadValue: false, owes: true)
    live.dueCancels.insert(name)
  }

  /// Opens the streams that must open at the start of a load.
  mutating func loadBegan() {
    guard settings.streams?.isLoad == false else { return }
    while hasFreeStream, let row = streamCandidates.first {
      open(row)
      live.dueOpenings.append(row)
    }
  }

  // MARK: Ends

  mutating func checkClosing(of row: Int) {
    guard live.dueClosings.remove(row) == nil else { return }
    guard let stream = live.open[row] else {
      return complain("closed the stream of \(row), which is not open")
    }
    if stream.hasEnded, let end = stream.end {
      streamEnded(row, stream, withError: !end)
    } else if isOverdue(stream) {
      _ = forgetStream(row)
    } else if isTimedOut(stream) {
      live.open[row] = nil
      failOwedLoad(row, settings.timeOut, since: stream.since)
    } else {
      complain("closed the stream of \(row) for nothing")
      _ = forgetStream(row)
    }
  }

  private func isOverdue(_ stream: NaiveStreams.Stream) -> Bool {
    stream.leftAt.map { $0 + settings.grace <= now } ?? false
  }

  private func isTimedOut(_ stream: NaiveStreams.Stream) -> Bool {
    stream.owes && settings.timeout.map { stream.since + $0 <= now } ?? false
  }

  private mutating func streamEnded(
    _ row: Int, _ stream: NaiveStreams.Stream, withError hasError: Bool
  ) {
    live.open[row] = nil
    if stream.owes {
      failOwedLoad(row, hasError ? cause(row) : settings.emptyStream, since: stream.since)
    } else if !displayedRows.contains(row) {
      _ = forgetStream(row)
    } else if !hasError {
      live.rests[row] = .ended
    } else {
      live.failures[row, default: []].append(now - stream.since)
      live.failureRank[row] = nextRank()
      live.isConnectivity[row] = cause(row).isConnectivity
      let isFinal = neverRetries || !cause(row).isRetryable
      live.rests[row] = isFinal ? .failed : .paused(until: now + reconnectDelay(of: row))
    }
  }

  private mutating func failOwedLoad(_ row: Int, _ cause: FailureCause, since start: Int64) {
    _ = forgetStream(row)
    fail(row, cause, since: start)
  }

  /// The delay after the last failure of a series.
  private func reconnectDelay(of row: Int) -> Int64 {
    var (count, delay) = (0, Int64(0))
    for lifetime in live.failures[row] ?? [] {
      count = lifetime > delay ? 1 : count + 1
      delay = [1, 2, 4, 8, 16, 30][min(max(count, 1), 6) - 1] * 1_000_000_000
    }
    return delay
  }

  // MARK: Nothing is left

  private mutating func checkNoStreamIsLeftToDo() {
    for (row, stream) in live.open {
      if stream.hasEnded { complain("the stream of \(row) stays open after its end") }
      if isOverdue(stream) { complain("\(row) listens after its grace") }
      if isTimedOut(stream) { complain("\(row) waits for its first element after its time") }
    }
    let due = live.dueOpenings + live.dueClosings.sorted() + live.dueCancels.sorted()
    if !due.isEmpty {
      complain("streams are left: \(live.dueOpenings), \(live.dueClosings), \(live.dueCancels)")
    }
    (live.dueOpenings, live.dueClosings, live.dueCancels) = ([], [], [])
    guard hasFreeStream else { return }
    if let row = streamCandidates.first { complain("\(row) does not listen though it may") }
    if let row = lateRows.first { complain("\(row) keeps its slot though its element is late") }
  }
}
