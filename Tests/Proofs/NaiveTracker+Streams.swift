import RowOperationsTesting

@testable import RowOperations

/// The facts about live rows.
struct NaiveStreams {
  /// An open stream.
  struct Stream {
    /// The time and the pass in which it opened.
    let openedAt: Int64
    let pass: Int
    /// The start of the stream, which may be that of a load that was handed over.
    let since: Int64
    /// Whether the row got its value in the pass in which the stream opened.
    let hadValue: Bool
    /// Whether the row waits for the first value of a load that was handed over.
    var owes: Bool
    /// Whether it has an element that no pass has heard of.
    var hasNews = false
    /// The end of the pass that heard of an element first, of those that are not committed.
    var heardAt: Int64?
    var lastCommit: Int64?
    /// Whether it has ended without an error.
    var end: Bool?
    /// Whether a pass has heard of the end.
    var hasEnded = false
    /// The end of the pass after which no cell displayed the row.
    var leftAt: Int64?
  }

  /// The state of a row whose stream does not open now.
  enum Rest: Equatable {
    /// Until its next display.
    case ended
    case failed
    case paused(until: Int64)
  }

  var open: [Int: Stream] = [:]
  var rests: [Int: Rest] = [:]
  /// For how long each of a row's failed streams was open.
  var failures: [Int: [Int64]] = [:]
  /// Whether the return of the network may cure the last failure of a stream.
  var isConnectivity: [Int: Bool] = [:]
  /// The rank of the last failure of a stream, and of the last value of a row.
  var failureRank: [Int: Int] = [:]
  var valueRank: [Int: Int] = [:]
  /// The pass in which the last value of each row arrived.
  var valuePass: [Int: Int] = [:]
  /// The rows that wait for a free stream since the last pass.
  var inLine: Set<Int> = []
  /// The rows that wait for the end of the suspension.
  var suspended: Set<Int> = []
  /// The news of a load's stream since the load took its first element.
  var leftovers: [Int: (hasElement: Bool, end: Bool?)] = [:]
  /// The loads that have ended with values in this pass.
  var loadedBy: [Int: Int] = [:]

  // Decisions that must follow others.
  var dueOpenings: [Int] = []
  var dueClosings: Set<Int> = []
  var dueCancels: Set<Int> = []
}

/// Live rows: which rows listen, which elements are values, and how streams end.
extension NaiveTracker {
  var loadsByStream: Bool { settings.streams?.isLoad == true }

  /// Whether a row waits for the first value of a load that was handed over.
  func isOwed(_ row: Int) -> Bool { live.open[row]?.owes == true }

  // MARK: Readiness

  /// Whether a displayed row has a value, or a load that may miss elements.
  func isReady(_ row: Int) -> Bool {
    if values[row] == false, runs[row] == nil, backoffs[row] == nil, !failed.contains(row) {
      return true
    }
    return !loadsByStream && runs[row]?.isMade == true
  }

  /// The rows whose streams may open now, the oldest display first.
  ///
  /// While the list moves, those whose loads the policy admits, and those that load.
  var streamCandidates: [Int] {
    isSuspended ? [] : readyRows.filter { runs[$0] != nil || isAdmitted($0) }
  }

  /// The rows that are ready to listen and do not, the oldest display first.
  var readyRows: [Int] {
    guard settings.streams != nil else { return [] }
    let ready = displayedRows.filter {
      live.open[$0] == nil && live.rests[$0] == nil && isReady($0)
    }
    return ready.sorted { displayOrder[$0]?.rank ?? 0 < displayOrder[$1]?.rank ?? 0 }
  }

  var hasFreeStream: Bool { live.open.count < settings.streams?.limit ?? 0 }

  /// The rows on screen whose first elements are late.
  var lateRows: [Int] {
    guard loadsByStream, !isSuspended else { return [] }
    let time = max(loadTime.map { $0 * 2 } ?? 500_000_000, 100_000_000)
    return displayedRows.filter { row in
      guard let run = runs[row], !run.isOutdated, live.rests[row] == nil else { return false }
      return run.pass < pass && Double(now - run.startedAt) >= time
    }
  }

  // MARK: Phases

  /// The phase of a row without any work, as far as its stream decides it.
  func phaseOfStream(_ row: Int) -> LoadPhase? {
    if let stream = live.open[row] {
      let isAwaiting = values[row] == false && live.valuePass[row] ?? 0 < stream.pass
      return stream.owes || isAwaiting ? .loading : nil
    }
    // A row with a stale value waits for its load, or its load has failed.
    guard values[row] == false, let failure = live.failureRank[row],
      failure > live.valueRank[row] ?? 0
    else { return nil }
    switch live.rests[row] {
    case .failed: return .failed
    case .paused: return .waiting(afterFailure: true)
    case .ended, nil: return nil
    }
  }

  // MARK: Inputs

  /// Takes an element or the end of a row's stream, which count in the next pass.
  ///
  /// - Parameter end: Whether the stream ends without an error; `nil` if it goes on.
  mutating func streamStep(_ row: Int, end: Bool?) {
    if let stream = live.open[row] {
      guard stream.end == nil else { return }
      live.open[row]?.end = end
      if end == nil { live.open[row]?.hasNews = true }
      return
    }
    let load = startOrder.last { start in
      start.row == row && loads.contains { $0.order == start.order }
    }?.order
    guard loadsByStream, let load else { return }
    guard arrived.contains(where: { $0.order == load }) else {
      return arrived.append((load, end == nil))
    }
    let left = live.leftovers[load]
    live.leftovers[load] = (left?.hasElement == true || end == nil, left?.end ?? end)
  }

  /// Records the arrival of a row's value.
  mutating func valueArrives(_ row: Int) {
    live.valueRank[row] = nextRank()
    live.valuePass[row] = pass
    live.open[row]?.owes = false
  }

  /// Forgets the stream of a row, so that it may open anew.
  ///
  /// - Returns: The decision that follows if the stream was open.
  mutating func forgetStream(_ row: Int) -> [Decision] {
    let stream = live.open.removeValue(forKey: row)
    live.rests[row] = nil
    live.failures[row] = nil
    live.failureRank[row] = nil
    live.inLine.remove(row)
    live.suspended.remove(row)
    // The last failure counts again.
    if stream?.owes == true, failures[row] != nil, !mayStart(row) { failed.insert(row) }
    return stream == nil ? [] : [.close(row: row)]
  }

  /// Forgets a stream for which the engine has yet to decide that it ends.
  mutating func endStream(_ row: Int) {
    if !forgetStream(row).isEmpty { live.dueClosings.insert(row) }
  }

  /// Retries a stream on request.
  mutating func retryStream(_ row: Int) {
    if live.rests[row] != nil { _ = forgetStream(row) }
  }

  /// Ends all streams, since the tracker is suspended.
  mutating func suspendStreams() -> [Decision] {
    var decisions: [Decision] = []
    let rows = Set(live.open.keys).union(live.rests.keys).union(live.inLine).union(live.suspended)
    for row in rows where live.rests[row] != .ended && live.rests[row] != .failed {
      // A row without a value is loaded after the suspension.
      let waits = displayedRows.contains(row) && !isOwed(row)
      decisions += forgetStream(row)
      if waits { live.suspended.insert(row) }
    }
    return decisions
  }
}
