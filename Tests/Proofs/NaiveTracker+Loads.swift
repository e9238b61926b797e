import RowOperationsTesting

@testable import RowOperations

/// Loads, each of one row or of a batch: how they begin, and how they are cancelled.
///
/// A batch has the rows that waited when it got its slot. Rows leave it for good when they are set
/// or removed. Any other row stays, with or without a claim, until the batch ends or is cancelled.
extension NaiveTracker {
  var hasBatches: Bool { settings.batchSize > 0 }

  /// Begins a load of some rows.
  ///
  /// - Returns: Its order.
  @discardableResult
  mutating func begin(_ rows: [Int], isMade: Bool) -> Int {
    let load = Load(
      order: nextRank(), rows: rows, members: rows, pass: pass, startedAt: now, isMade: isMade)
    for row in rows {
      runs[row] = Run(order: load.order, pass: pass, startedAt: now, isMade: isMade)
    }
    loads.append(load)
    noteStart(of: load)
    return load.order
  }

  func load(of row: Int) -> Load? {
    runs[row].flatMap { run in loads.first { $0.order == run.order } }
  }

  /// The part of a failed batch with which a row loads again; 0 if there is none.
  func part(of row: Int) -> Int { failures[row]?.last?.part ?? 0 }

  /// The row of a start that goes on, by its newest name.
  func row(of start: (row: Int, order: Int)) -> Int? {
    guard let load = loads.first(where: { $0.order == start.order }) else { return nil }
    return load.members.first { load.name(of: $0) == start.row }
  }

  // MARK: Cancels

  /// Takes a row out of its load for good.
  ///
  /// - Returns: The cancel that the engine must decide, if it was the last row.
  mutating func leave(_ row: Int) -> [Decision] {
    guard let order = runs[row]?.order, let index = loads.firstIndex(where: { $0.order == order })
    else { return [] }
    loads[index].members.removeAll { $0 == row }
    drop(row)
    guard loads[index].members.isEmpty else { return [] }
    let load = loads.remove(at: index)
    endProbe(load.order, well: false)
    lingering.append(load.order)
    return [hasBatches ? .cancelBatch(rows: load.rows) : .cancel(row: load.rows[0])]
  }

  /// Ends the run of a row, which counts as failed again if its last load failed.
  mutating func drop(_ row: Int) {
    runs[row] = nil
    if failures[row] != nil { failed.insert(row) }
  }

  mutating func cancel(_ load: Load) {
    loads.removeAll { $0.order == load.order }
    endProbe(load.order, well: false)
    for row in load.members { drop(row) }
    if load.isMade { lingering.append(load.order) } else { withdrawStart(of: load) }
  }

  // MARK: Times

  func isOverdue(_ load: Load) -> Bool {
    load.unclaimedSince.map { $0 + settings.grace <= now } ?? false
  }

  func isTimedOut(_ load: Load) -> Bool {
    settings.timeout.map { load.startedAt + $0 <= now } ?? false
  }

  // MARK: Decisions

  mutating func checkStart(of rows: [Int]) {
    guard let lead = rows.first else { return complain("started a batch without rows") }
    // A row gets the slot that it has won, though other rows may wait by now.
    let hasWon = winners.contains(lead)
    winners = []
    if !make(rows) {
      if !hasWon { giveSlots { $0.candidates.contains(lead) && $0.hasPlace(for: lead) } }
      if !hasWon, !candidates.contains(lead) {
        complain("started \(rows) though \(candidates) is next")
      }
      if !hasPlace(for: lead) { complain("started \(rows) without a slot") }
      if hasBatches { checkRiders(Array(rows.dropFirst()), beside: lead) }
    }
    let order = begin(rows, isMade: true)
    for row in rows { startOrder.append((row, order)) }
    if !hasBatches { loadBegan() }
  }

  /// The strongest claims ride; among equal ones, either may.
  private mutating func checkRiders(_ riders: [Int], beside lead: Int) {
    let expected = rowsThatMayRide(beside: lead)
    let ranks = (riders.map(place), expected.prefix(settings.batchSize - 1).map(place))
    if !Set(riders).isSubset(of: expected) || Set(riders).count != riders.count
      || ranks.0 != ranks.1
    {
      complain("started \([lead] + riders) though \(expected) ride with \(lead)")
    }
  }

  private func place(_ row: Int) -> [Int] { claimRank(row).map { [$0.0, $0.1, $0.2] } ?? [3] }

  /// The rows that may ride, the strongest claim first.
  func rowsThatMayRide(beside lead: Int) -> [Int] {
    let isPrefetched = claimRank(lead)?.0 == 2
    let others = waiting.filter { row in
      row != lead && isAdmitted(row) && (claimRank(row)?.0 == 2) == isPrefetched
        && part(of: row) == part(of: lead) && lane(row) == lane(lead)
    }
    return others.sorted { place($0).lexicographicallyPrecedes(place($1)) }
  }

  /// A row that got another id may load beside a new row with its former one.
  private func loads(of rows: [Int]) -> [Load] {
    loads.filter { $0.isMade && $0.rows == rows }.sorted { $0.order < $1.order }
  }

  mutating func checkCancel(of rows: [Int], at place: Int) {
    let named = loads(of: rows)
    guard named.indices.contains(place) else {
      return complain("cancelled \(rows), which do not run")
    }
    let load = named[place]
    let isDue = { (naive: NaiveTracker) in
      naive.isOverdue(load) || naive.yields(load)
    }
    giveSlots(until: isDue)
    if !isDue(self) { complain("cancelled \(rows) for nothing") }
    winners = isOverdue(load) ? [] : candidates
    cancel(load)
  }

  mutating func checkTimeout(of rows: [Int]) {
    guard let load = loads(of: rows).first(where: isTimedOut) else {
      return complain("timed out \(rows), which are over or in time")
    }
    let waiting = load.members.filter { !hasBatches || isClaimed($0) }
    let wanted = waiting.filter { runs[$0]?.isOutdated == false }
    cancel(load)
    for row in waiting { failed.remove(row) }
    fail(wanted, of: load, settings.timeOut)
  }

  mutating func checkLoadsAreDone() {
    for row in unmade { complain("\(row) got a slot and does not load") }
    for load in loads {
      if isOverdue(load) { complain("\(load.rows) run on after their grace") }
      if isTimedOut(load) { complain("\(load.rows) run on after their time") }
    }
    guard let candidate = candidates.first else { return }
    if hasFreeSlot || isFull(lane(candidate)) && wouldGainByCancelling {
      complain("\(candidate) waits though a slot is free, or a load of its lane gives way")
    }
    guard let need = greatestNeed, wouldGainByCancelling else { return }
    if loads.contains(where: { $0.unclaimedSince != nil }) {
      complain("\(candidate) waits for the slot of an unclaimed load")
    }
    if !leastPrefetches(of: loads, yieldingTo: need - 2e-9).isEmpty {
      complain("\(candidate) waits for the slot of a prefetch that loses less")
    }
  }

  // MARK: Loads that are not made

  // Loads get slots and lose them before their operations are made, so that no decision names them.
  // Each slot that is given or taken may change which rows are urgent, since fewer rows wait.

  /// Gives slots to rows, and takes them from loads without operations, until a decision has a
  /// reason.
  ///
  /// If it never has one, nothing changes.
  mutating func giveSlots(until isExplained: (NaiveTracker) -> Bool) {
    var later = self
    while !isExplained(later) {
      guard later.giveSlot() || later.takeSlot(), later.lastRank < lastRank + 100 else { return }
    }
    self = later
  }

  private mutating func giveSlot() -> Bool {
    guard let row = candidates.filter(hasPlace).min() else { return false }
    let riders = hasBatches ? rowsThatMayRide(beside: row).prefix(settings.batchSize - 1) : []
    begin([row] + riders, isMade: false)
    return true
  }

  private mutating func takeSlot() -> Bool {
    guard let load = loads.first(where: { !$0.isMade && yields($0) }) else { return false }
    cancel(load)
    return true
  }

  /// The rows whose loads have slots and no operations.
  private var unmade: [Int] { loads.filter { !$0.isMade }.flatMap(\.rows) }

  /// Forgets that some rows have got their slot, since their operation is made.
  ///
  /// - Returns: Whether they had.
  private mutating func make(_ rows: [Int]) -> Bool {
    guard let load = loads.first(where: { !$0.isMade && $0.rows == rows }) else { return false }
    loads.removeAll { $0.order == load.order }
    withdrawStart(of: load)
    endProbe(load.order, well: false)
    for row in rows { runs[row] = nil }
    return true
  }
}
