/// Which waiting row loads next, and which load gives its slot away (derived in
/// `Pages/WhatLoadsNext.md`).
extension TrackerEngine {
  struct Candidate {
    let row: RowID
    let claim: Claim
    let visit: Visit
    /// Whether the policy, a pause or the rate of starts holds the row back.
    let isHeld: Bool
  }

  /// The waiting rows at one moment, and the time of a load.
  struct Choice {
    /// A row is due if it comes on screen within this number of loads.
    private static var dueLoads: Double { 2 }

    let outlook: Outlook
    let load: Double
    let rowsAtOnce: Int
    var candidates: [Candidate]

    /// The time until the next slot is free and its load is over.
    var wait: Wait {
      let limit = Self.dueLoads * load
      var due = 0
      for index in candidates.indices where candidates[index].visit.begin <= limit { due += 1 }
      return Wait(load: load, due: due, slots: rowsAtOnce)
    }
  }

  /// O(waiting rows), and O(positions in the windows) while a list moves.
  func choice(at now: Int64) -> Choice {
    let outlook = outlook(at: now)
    let isGuarded = isGuarded
    var candidates: [Candidate] = []
    candidates.reserveCapacity(line.count)
    for (row, visit) in outlook.visits where rows[row].work == .waiting {
      candidates.append(candidate(row, inWindow: visit, outlook, isGuarded))
    }
    // No window holds the others, or no list moves.
    if candidates.count < line.count {
      let known = Set(candidates.map(\.row))
      for row in line.rows where !known.contains(row) {
        candidates.append(candidate(row, inWindow: nil, outlook, isGuarded))
      }
    }
    return Choice(
      outlook: outlook, load: loadTime(at: now), rowsAtOnce: settings.rowsAtOnce,
      candidates: candidates)
  }

  private func candidate(
    _ row: RowID, inWindow known: Visit?, _ outlook: Outlook, _ isGuarded: Bool
  ) -> Candidate {
    // The app's code may have ended the claim during the turn.
    let claim = rows[row].claim ?? Claim(kind: .prefetched, rank: .max)
    let visit = visit(of: row, inWindow: known, outlook)
    return Candidate(
      row: row, claim: claim, visit: visit,
      isHeld: gate.holds(visit) || isGuarded && isStopped(row, at: outlook.now))
  }

  // MARK: The next row

  /// The most urgent row that may start, or that may take the place of a load in its full lane.
  ///
  /// Among equals, displayed rows go first, then prefetched ones, which are near, then landing
  /// ones, each by claim.
  mutating func nextLoad(at now: Int64) -> (row: RowID, urgency: Urgency, lane: Int)? {
    guard line.count > 0, !isSuspended else { return nil }
    return nextLoad(choice(at: now))
  }

  // Mutating, since a call would copy the engine (figure B11).
  mutating func nextLoad(_ choice: Choice) -> (row: RowID, urgency: Urgency, lane: Int)? {
    let wait = choice.wait
    let uses: [Int: SlotBid]? = settings.laneLimit == nil ? nil : laneUses(choice)
    let all = choice.candidates
    var next: (index: Int, urgency: Urgency)?
    for index in all.indices where !all[index].isHeld {
      let urgency = wait.urgency(of: all[index].visit)
      if let known = next {
        guard
          urgency > known.urgency
            || urgency == known.urgency && all[index].claim.goesBefore(all[known.index].claim)
        else { continue }
      }
      if let uses, isFull(lane(of: all[index].row) ?? 0, uses, for: urgency) { continue }
      next = (index, urgency)
    }
    guard let next else { return nil }
    if settings.batchSize > 0, gathersRiders(choice, wait) { return nil }
    let row = all[next.index].row
    return (row, next.urgency, uses == nil ? 0 : lane(of: row) ?? 0)
  }

  /// Whether the next batch waits for further rows.
  ///
  /// By the pace of the list, the next batch is early enough for all rows, even if looked at a
  /// little later.
  private func gathersRiders(_ choice: Choice, _ wait: Wait) -> Bool {
    guard choice.candidates.count < settings.batchSize, gate.policy == .adaptive,
      choice.outlook.course != nil
    else { return false }
    let end = wait.wait + wait.load + Self.gatheringMargin
    return choice.candidates.allSatisfy { candidate in
      guard !candidate.isHeld else { return true }
      return candidate.visit.isInMotion && candidate.visit.begin > end
        && candidate.claim.kind == .prefetched && failures.part(of: candidate.row) == 0
    }
  }

  /// A moving list is looked at again within this time.
  private static var gatheringMargin: Double { 50_000_000 }

  /// The time of a load, in nanoseconds.
  private func loadTime(at now: Int64) -> Double {
    let start = gate.loadTimes.median == nil ? runs.firstStart : nil
    return Double(gate.loadTime(age: start.map { now - $0 } ?? 0))
  }

  // MARK: Yielding

  /// The prefetch that loses least by giving its slot away; its elapsed time counts.
  ///
  /// Among equals, the weakest claim. None yields in the turn in which it began.
  func leastPrefetch(_ choice: Choice, in lane: Int = 0) -> (run: RunID, loss: Urgency)? {
    guard runs.prefetching > 0 else { return nil }
    let wait = choice.wait
    var least: (run: RunID, loss: Urgency)?
    for run in runs.prefetches where runs[run].generation <= serialOfTurnStart {
      guard lane == 0 || lanes.loads[run] == lane else { continue }
      let loading = rows(of: run).filter { rows[$0].claim != nil }
      guard loading.allSatisfy({ rows[$0].displays == 0 }) else { continue }
      let elapsed = Double(choice.outlook.now - runs[run].startedAt)
      let losses = loading.map {
        wait.urgency(of: visit(of: $0, choice.outlook), elapsed: elapsed)
      }
      let loss = losses.max() ?? .lowest
      if let known = least {
        guard loss < known.loss || loss == known.loss && rank(of: known.run) < rank(of: run)
        else { continue }
      }
      least = (run, loss)
    }
    return least
  }

  func hasPrefetchToYield(to urgency: Urgency, at now: Int64) -> Bool {
    leastPrefetch(choice(at: now))?.loss.yields(to: urgency) ?? false
  }

  /// The rank of a running prefetch, which is that of its strongest row.
  private func rank(of run: RunID) -> UInt64 {
    rows(of: run).compactMap { rows[$0].claim?.rank }.min() ?? .max
  }

  package func rows(of run: RunID) -> [RowID] {
    runs[run].role == .single ? [runs[run].row] : batchRows(of: run)
  }

  // MARK: Questions

  /// The most urgent first.
  var waitingByPriority: [RowID] { byUrgency(choice(at: lastTurn)).map(\.row) }

  @inline(never)
  private func byUrgency(_ choice: Choice) -> [Candidate] {
    let wait = choice.wait
    return choice.candidates.sorted { a, b in
      let (first, second) = (wait.urgency(of: a.visit), wait.urgency(of: b.visit))
      return first != second ? first > second : a.claim.goesBefore(b.claim)
    }
  }

  /// Why a row waits.
  enum Place: Hashable, Sendable {
    /// So many rows go before it.
    case inLine(before: Int, first: RowID)
    /// Its batch waits for further rows.
    case gathering
    /// By the scroll policy: the times until it leaves the screen, and of a load, in nanoseconds.
    case held(left: Int64, load: Int64)
    case heldUntilRest
    case stopped(SlotHolds.Hold)
    case laneIsFull(Int)
  }

  mutating func place(of row: RowID, at now: Int64) -> Place? {
    let choice = choice(at: now)
    let all = byUrgency(choice)
    guard let own = all.first(where: { $0.row == row }) else { return nil }
    guard let lane = lane(of: row) else { return nil }
    if let hold = hold(on: row, at: now) { return .stopped(hold) }
    if own.isHeld {
      guard gate.policy == .adaptive, let load = gate.loadTimes.median else {
        return .heldUntilRest
      }
      return .held(left: Int64(own.visit.end), load: load)
    }
    let admitted = all.filter { !$0.isHeld }
    guard let index = admitted.firstIndex(where: { $0.row == row }) else { return nil }
    let uses = laneUses(choice)
    if isFull(lane, uses, for: choice.wait.urgency(of: own.visit)) {
      return .laneIsFull(uses[lane]?.running ?? 0)
    }
    if nextLoad(choice) == nil { return .gathering }
    return .inLine(before: index, first: admitted[0].row)
  }
}
