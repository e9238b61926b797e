/// Which waiting row loads next.
///
/// `Pages/WhatLoadsNext.md` derives the rule.
extension TrackerEngine {
  /// A waiting row, and when it is on screen.
  struct Candidate {
    let row: RowID
    let visit: Visit
  }

  /// A row is due if it comes on screen before this number of loads could end.
  private static var dueLoads: Double { 2 }

  // MARK: The next row

  /// The most urgent row that the scroll policy admits.
  ///
  /// Among equally urgent rows, displayed ones go first, then prefetched ones, which are near, then
  /// landing rows, each in the order of their claims.
  ///
  /// O(1) if all lists rest, and O(n log n) for waiting rows and positions in windows while one
  /// moves.
  package mutating func nextLoad(at now: Int64) -> (row: RowID, urgency: Urgency)? {
    var outlook: Outlook?
    return nextLoad(at: now, &outlook)
  }

  /// - Parameter outlook: That of the candidates, if they are listed.
  mutating func nextLoad(
    at now: Int64, _ outlook: inout Outlook?
  ) -> (row: RowID, urgency: Urgency)? {
    guard line.count > 0, !isSuspended else { return nil }
    guard gate.isMoving else { return nextAtRest }
    if gate.policy == .whenSettled {
      guard windows.contains(where: { !gate.isMoving($0.key.list) }) else { return nil }
    } else if windows.isEmpty, !gate.hasCourse(at: now) {
      // Without a course all rows on screen stay, as at rest.
      return nextAtRest
    }
    let outlook = collectCandidates(at: now, &outlook)
    let wait = wait(load: loadTime(at: now))
    var next: (row: RowID, urgency: Urgency)?
    for candidate in candidates where !gate.holds(candidate.visit) {
      let urgency = wait.urgency(of: candidate.visit)
      if let known = next, known.urgency >= urgency { continue }
      next = (candidate.row, urgency)
    }
    return next == nil || gathersRiders(wait, outlook) ? nil : next
  }

  /// Whether the next batch waits for further rows.
  ///
  /// By the pace of the list, all rows that may load come on screen later than the next batch
  /// brings them, even if the engine looks at them again one step later.
  private func gathersRiders(_ wait: Wait, _ outlook: Outlook) -> Bool {
    guard candidates.count < settings.batchSize, gate.policy == .adaptive, outlook.course != nil
    else { return false }
    let end = wait.wait + wait.load + Double(ListMotion.reevaluationStep)
    return candidates.allSatisfy { candidate in
      guard !gate.holds(candidate.visit) else { return true }
      return candidate.visit.isInMotion && candidate.visit.begin > end
        && rows[candidate.row].claim?.kind == .prefetched && failures.part(of: candidate.row) == 0
    }
  }

  /// At rest, rows on screen stay, and no other row comes.
  private var nextAtRest: (row: RowID, urgency: Urgency)? {
    if let row = line.first(in: .displayed) { return (row, .highest) }
    let row = line.first(in: .prefetched) ?? line.first(in: .landing)
    return row.map { ($0, .lowest) }
  }

  /// The time of a load, in nanoseconds.
  ///
  /// O(1), and O(running loads) before the first load ends.
  private func loadTime(at now: Int64) -> Double {
    let start = gate.loadTimes.median == nil ? runs.firstStart : nil
    return Double(gate.loadTime(age: start.map { now - $0 } ?? 0))
  }

  /// The times of the candidates.
  ///
  /// - Parameter load: The time of a load.
  private func wait(load: Double) -> Wait {
    let limit = Self.dueLoads * load
    let due = candidates.reduce(0) { $0 + ($1.visit.begin <= limit ? 1 : 0) }
    return Wait(load: load, due: due, slots: settings.rowsAtOnce)
  }

  /// A running prefetch that loses nothing by waiting.
  ///
  /// It has run for less than half the time of a load, so that a row that gets its slot saves more
  /// time than the prefetch loses. Or its list moves away from it.
  ///
  /// The least urgent one; among equals, the one with the weakest claim.
  ///
  /// O(running loads), and that of ``nextLoad(at:)`` while the list moves.
  package mutating func distantPrefetch(at now: Int64) -> RunID? {
    var outlook: Outlook?
    return distantPrefetch(at: now, &outlook)
  }

  /// - Parameter outlook: That of the candidates, if they are listed.
  mutating func distantPrefetch(at now: Int64, _ outlook: inout Outlook?) -> RunID? {
    guard runs.prefetching > 0 else { return nil }
    // Only rows in windows can be behind.
    let load = loadTime(at: now)
    let youngest = Double(now) - load / 2
    func isYoung(_ run: RunID) -> Bool { Double(runs[run].startedAt) > youngest }
    let running = runs.prefetches.filter {
      !runs[$0].isHung && (gate.isMoving && !windows.isEmpty || isYoung($0))
    }
    guard !running.isEmpty else { return nil }
    guard gate.isMoving else {
      // At rest no row comes on screen, so all are equally urgent.
      return running.filter { !isDisplayed($0) }
        .max { prefetchRank(of: $0) < prefetchRank(of: $1) }
    }
    let outlook = collectCandidates(at: now, &outlook)
    let wait = wait(load: load)
    var distant: (run: RunID, urgency: Urgency)?
    for run in running {
      let urgency = urgency(of: run, wait, outlook)
      guard urgency <= .zero, isYoung(run) || isBehind(run, outlook) else { continue }
      if let known = distant {
        let isWeaker = prefetchRank(of: run) > prefetchRank(of: known.run)
        guard urgency < known.urgency || urgency == known.urgency && isWeaker else { continue }
      }
      distant = (run, urgency)
    }
    return distant?.run
  }

  /// Whether the list moves away from all rows of a running load.
  @inline(never)
  private func isBehind(_ run: RunID, _ outlook: Outlook) -> Bool {
    guard runs[run].role == .single else {
      return batchRows(of: run).allSatisfy {
        rows[$0].claim == nil || visit(of: $0, outlook).isBehind
      }
    }
    return visit(of: runs[run].row, outlook).isBehind
  }

  private func isDisplayed(_ run: RunID) -> Bool {
    guard runs[run].role == .single else { return batchRows(of: run).contains(where: isDisplayed) }
    return isDisplayed(runs[run].row)
  }

  private func isDisplayed(_ row: RowID) -> Bool { rows[row].displays > 0 }

  /// The rank of a running prefetch; a batch has that of its strongest row.
  @inline(never)
  private func prefetchRank(of run: RunID) -> UInt64 {
    guard runs[run].role == .single else {
      return batchRows(of: run).filter { rows[$0].claim != nil }.map { rows[$0].prefetchRank }.min()
        ?? .max
    }
    return rows[runs[run].row].prefetchRank
  }

  /// The urgency of a running load; a batch has that of its most urgent row.
  @inline(never)
  private func urgency(of run: RunID, _ wait: Wait, _ outlook: Outlook) -> Urgency {
    guard runs[run].role == .single else {
      return batchRows(of: run).filter { rows[$0].claim != nil }
        .map { wait.urgency(of: visit(of: $0, outlook)) }.max() ?? .lowest
    }
    return wait.urgency(of: visit(of: runs[run].row, outlook))
  }

  // MARK: Questions

  /// All waiting rows, the most urgent first.
  ///
  /// O(waiting rows · log waiting rows).
  package var waitingByPriority: [RowID] {
    var copy = self
    return copy.byUrgency(at: lastTurn).map(\.row)
  }

  @inline(never)
  private mutating func byUrgency(at now: Int64) -> [Candidate] {
    var listed: Outlook?
    _ = collectCandidates(at: now, &listed)
    let wait = wait(load: loadTime(at: now))
    return candidates.sorted(byNumber: { -wait.urgency(of: $0.visit).share })
  }

  /// Why a row waits.
  package enum Place: Hashable, Sendable {
    /// The row may load, and so many rows go before it.
    case inLine(before: Int, first: RowID)
    /// The row may load, and its batch waits for further rows.
    case gathering
    /// The scroll policy holds the row back: the times until it leaves the screen, and of a load,
    /// in nanoseconds.
    case held(left: Int64, load: Int64)
    case heldUntilRest
  }

  /// The place of a waiting row.
  ///
  /// O(waiting rows · log waiting rows).
  package mutating func place(of row: RowID, at now: Int64) -> Place? {
    let all = byUrgency(at: now)
    guard let own = all.first(where: { $0.row == row }) else { return nil }
    if gate.holds(own.visit) {
      guard gate.policy == .adaptive, let load = gate.loadTimes.median else {
        return .heldUntilRest
      }
      return .held(left: Int64(own.visit.end), load: load)
    }
    let admitted = all.filter { !gate.holds($0.visit) }
    guard let index = admitted.firstIndex(where: { $0.row == row }) else { return nil }
    if nextLoad(at: now) == nil { return .gathering }
    return .inLine(before: index, first: admitted[0].row)
  }

  /// Lists the waiting rows, in the order in which equally urgent ones load.
  ///
  /// - Parameter listed: The outlook of the candidates; `nil` if they are to be listed.
  private mutating func collectCandidates(at now: Int64, _ listed: inout Outlook?) -> Outlook {
    if let listed { return listed }
    candidates.removeAll(keepingCapacity: true)
    let outlook = outlook(at: now)
    listed = outlook
    for list in Line.List.allCases {
      for row in line.rows(in: list) {
        candidates.append(Candidate(row: row, visit: visit(of: row, outlook)))
      }
    }
    return outlook
  }
}
