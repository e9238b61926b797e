/// The operations from admission to the ends of their bodies.
package struct Runs: Sendable {
  package enum List: Int8, CaseIterable {
    /// In the order of claims.
    case claimed
    /// Without a claim, in the order of the ends of their grace.
    case grace
  }

  private var runs = Slab<RunKind, RunState>()
  private var lists = LinkedLists<RunKind, List>()
  private struct Batch: Sendable {
    /// In the order of the request.
    var members: [RunID] = []
    /// The last one that evaluated the batch.
    var turn = 0
  }

  /// Those that have not ended.
  private var batches: [RunID: Batch] = [:]
  /// Cancelled operations that have not ended.
  package private(set) var lingering = 0
  package private(set) var prefetching = 0
  /// Forgotten once no effect is pending.
  private var ended: [RunID] = []

  init() {}

  /// Operations whose bodies have not ended.
  package var count: Int { runs.count }

  package var isEmpty: Bool { runs.count == 0 }

  /// Operations that occupy slots.
  package var running: Int { lists.count(in: .claimed) + lists.count(in: .grace) }

  var inGrace: Int { lists.count(in: .grace) }

  var ids: some Sequence<RunID> { runs.ids }

  package func contains(_ run: RunID) -> Bool { runs.contains(run) }

  package subscript(run: RunID) -> RunState { runs[run] }

  func runs(in list: List) -> some Sequence<RunID> { lists.elements(in: list) }

  func first(in list: List) -> RunID? { lists.first(in: list) }

  // MARK: Slots

  mutating func admit(
    _ row: RowID, _ claim: ClaimKind, generation: UInt64, at now: Int64
  ) -> RunID {
    let run = runs.insert(
      RunState(row: row, claim: claim, generation: generation, startedAt: now))
    if claim == .prefetched { prefetching += 1 }
    lists.append(run, to: .claimed)
    return run
  }

  /// A run without rows of its own, which ``admitMember(of:_:_:generation:at:)`` adds.
  mutating func admitBatch(_ claim: ClaimKind, generation: UInt64, at now: Int64) -> RunID {
    let run = runs.insert(
      RunState(row: .none, role: .batch, claim: claim, generation: generation, startedAt: now))
    if claim == .prefetched { prefetching += 1 }
    lists.append(run, to: .claimed)
    batches[run] = Batch()
    return run
  }

  /// A member holds no slot itself.
  mutating func admitMember(
    of batch: RunID, _ row: RowID, _ claim: ClaimKind, generation: UInt64, at now: Int64
  ) -> RunID {
    let place = Int32(members(of: batch).count)
    let run = runs.insert(
      RunState(
        row: row, role: .member(of: batch, place: place), claim: claim, generation: generation,
        startedAt: now))
    batches[batch]?.members.append(run)
    return run
  }

  /// None after the end of the batch.
  func members(of batch: RunID) -> [RunID] { batches[batch]?.members ?? [] }

  /// The request has these members, in this order.
  mutating func setMembers(of batch: RunID, _ requested: [RunID]) {
    batches[batch]?.members = requested
    for (place, run) in requested.enumerated() {
      runs[run].role = .member(of: batch, place: Int32(place))
    }
  }

  mutating func made(_ run: RunID) { runs[run].stage = .current }

  /// The last claim is lost.
  mutating func unclaimed(_ run: RunID, until end: Int64) {
    guard runs[run].graceEnd == nil else { return }
    runs[run].graceEnd = end
    lists.append(run, to: .grace)
  }

  /// Ends the grace.
  mutating func claimed(_ run: RunID) {
    guard runs[run].graceEnd != nil else { return }
    runs[run].graceEnd = nil
    lists.append(run, to: .claimed)
  }

  /// - Returns: Whether the operation has to know.
  mutating func setClaim(_ run: RunID, _ kind: ClaimKind?) -> Bool {
    setPrefetch(run, kind == .prefetched)
    let claim = kind ?? .prefetched
    guard runs[run].claim != claim else { return false }
    runs[run].claim = claim
    return runs[run].stage == .current
  }

  /// - Returns: Whether the turn has not evaluated the batch yet.
  mutating func evaluates(_ batch: RunID, inTurn turn: Int) -> Bool {
    defer { batches[batch]?.turn = turn }
    return batches[batch]?.turn != turn
  }

  private mutating func setPrefetch(_ run: RunID, _ isPrefetch: Bool) {
    guard runs[run].isPrefetch != isPrefetch else { return }
    runs[run].isPrefetch = isPrefetch
    prefetching += isPrefetch ? 1 : -1
  }

  mutating func invalidated(_ run: RunID) { runs[run].isOutdated = true }

  // MARK: Ends

  mutating func leaveSlot(_ run: RunID) {
    setPrefetch(run, false)
    lists.remove(run)
  }

  /// The body may linger.
  mutating func cancelled(_ run: RunID, isTimedOut: Bool = false) {
    runs[run].stage = isTimedOut ? .timedOut : .cancelled
    if !runs[run].isMember { lingering += 1 }
  }

  /// The operation has ended, or none was made.
  mutating func end(_ run: RunID) {
    if runs[run].isLingering, !runs[run].isMember { lingering -= 1 }
    if !batches.isEmpty { batches[run] = nil }
    runs[run].stage = .ended
    ended.append(run)
  }

  // MARK: Time

  var endOfFirstGrace: Int64? { first(in: .grace).flatMap { runs[$0].graceEnd } }

  /// That of the longest-running operation.
  var firstStart: Int64? { slotHolders.map { runs[$0].startedAt }.min() }

  func started(by time: Int64) -> [RunID] {
    slotHolders.filter { runs[$0].startedAt <= time && runs[$0].stage == .current }
  }

  private var slotHolders: [RunID] {
    guard running > 0 else { return [] }
    return Array(lists.elements(in: .claimed)) + Array(lists.elements(in: .grace))
  }

  var prefetches: [RunID] { lists.elements(in: .claimed).filter { runs[$0].isPrefetch } }

  // MARK: Forgetting

  var hasEnded: Bool { !ended.isEmpty }

  /// Forgets ended runs, which no effect may name.
  mutating func forget() -> [RunID] {
    defer { ended = [] }
    for run in ended { runs.remove(run) }
    if runs.count == 0 { lists.releaseMemory() }
    return ended
  }
}
