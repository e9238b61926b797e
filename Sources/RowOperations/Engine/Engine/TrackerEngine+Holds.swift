/// Lanes, pauses and the rate of starts.
extension TrackerEngine {
  var isGuarded: Bool { holds.isInUse || settings.laneLimit != nil }

  private func slotTime(_ now: Int64) -> Int64 { now + settings.slotsAhead }

  private func name(_ load: RunID) -> SlotHolds.Load {
    SlotHolds.Load(tracker: settings.tracker, generation: runs[load].generation)
  }

  private mutating func note(_ news: SlotHolds.News) {
    holds.take(news)
    slotNews.append(news)
  }

  mutating func takeSlotNews() -> [SlotHolds.News] {
    defer { slotNews = [] }
    return slotNews
  }

  // MARK: Waiting

  func lane(of row: RowID) -> Int? { settings.laneLimit == nil ? 0 : lanes[row] }

  func hold(on row: RowID, at now: Int64) -> SlotHolds.Hold? {
    guard holds.isInUse, let lane = lane(of: row) else { return nil }
    switch holds.hold(on: lane, at: slotTime(now)) {
    case .paused(let end): return .paused(until: end - settings.slotsAhead)
    case .tooSoon(let end): return .tooSoon(until: end - settings.slotsAhead)
    case .probed: return .probed
    case nil: return nil
    }
  }

  func isStopped(_ row: RowID, at now: Int64) -> Bool {
    lane(of: row) == nil || hold(on: row, at: now) != nil
  }

  /// With time, or with the end of another tracker's load.
  func startsByItself(_ row: RowID, at now: Int64) -> Bool {
    isStopped(row, at: now) || otherLanes[lane(of: row) ?? 0] != nil
  }

  /// O(waiting rows).
  var endOfFirstHold: Int64? {
    guard !isSuspended else { return nil }
    return line.rows.compactMap { hold(on: $0, at: lastTurn)?.end }.min()
  }

  // MARK: Lanes

  /// Those of all trackers; O(running loads · lanes).
  func laneUses(_ choice: Choice) -> [Int: SlotBid] {
    var uses = otherLanes
    for (lane, own) in ownLanes(choice) { uses[lane, default: SlotBid()].add(own) }
    return uses
  }

  /// O(running loads · lanes).
  func ownLanes(at now: Int64) -> [Int: SlotBid] { ownLanes(choice(at: now)) }

  private func ownLanes(_ choice: Choice) -> [Int: SlotBid] {
    var uses: [Int: SlotBid] = [:]
    for lane in Set(lanes.loads.values) { uses[lane] = use(of: lane, choice) }
    return uses
  }

  /// O(running loads).
  func use(of lane: Int, _ choice: Choice) -> SlotBid {
    let loads = lanes.loads.filter { $0.value == lane }.keys
    return SlotBid(
      running: loads.count, hasUnclaimed: loads.contains { runs[$0].graceEnd != nil },
      leastLoss: leastPrefetch(choice, in: lane)?.loss)
  }

  /// Whether no load of a full lane yields.
  func isFull(_ lane: Int, _ uses: [Int: SlotBid], for urgency: Urgency) -> Bool {
    guard lane > 0, let limit = settings.laneLimit, let use = uses[lane], use.running >= limit
    else { return false }
    let yields = use.hasUnclaimed || use.leastLoss?.yields(to: urgency) == true
    return urgency <= .zero || !yields
  }

  mutating func rowReplaced(_ row: RowID) {
    guard settings.laneLimit != nil else { return }
    lanes.replaced(row, mayWait: mayWait(row))
  }

  /// Whether the row waits within this turn, which it also does when its load yields.
  private func mayWait(_ row: RowID) -> Bool {
    switch rows[row].work {
    case .waiting, .running: true
    case .none, .backoff, .failed, .givenUp: false
    }
  }

  mutating func beginReadingLane() -> RowID? {
    while let row = lanes.beginReading() {
      if rows.contains(row), mayWait(row) { return row }
      lanes.forget(row)
    }
    return nil
  }

  mutating func endReadingLane(of row: RowID, _ lane: Int) { lanes.endReading(row, lane) }

  // MARK: Loads

  mutating func tookSlot(_ load: RunID, for row: RowID, at now: Int64) {
    guard isGuarded else { return }
    let lane = lane(of: row) ?? 0
    if lane > 0 { lanes.loads[load] = lane }
    if holds.isInUse { note(.started(name(load), lane: lane, at: slotTime(now))) }
  }

  mutating func leftSlot(_ load: RunID, well: Bool) {
    guard isGuarded, !runs[load].isMember else { return }
    lanes.loads[load] = nil
    guard holds.isInUse else { return }
    if runs[load].stage == .admitted {
      note(.withdrawn(name(load), startedAt: slotTime(runs[load].startedAt)))
    } else if holds.isProbe(name(load)) {
      note(.ended(name(load), well: well))
    }
  }

  /// The loads after a pause wait for its end.
  func isProbe(_ load: RunID) -> Bool { holds.isInUse && holds.isProbe(name(load)) }

  // MARK: Refusals

  /// - Returns: Whether the load was a probe; `nil` if no pause begins.
  mutating func pause(after cause: FailureCause, of load: RunID, at now: Int64) -> Bool? {
    guard !neverRetries, let pause = cause.pause else { return nil }
    let isProbe = isProbe(load)
    note(.paused(lane: lanes.loads[load] ?? 0, until: slotTime(now) + pause))
    return isProbe
  }

  /// - Returns: Whether the row goes back into the line.
  mutating func loadsAgain(_ row: RowID, _ cause: FailureCause, asProbe: Bool?) -> Bool {
    guard let asProbe, cause.isRetryable, !failures.refused(row, asProbe: asProbe) else {
      return false
    }
    failWithoutTrace(row)
    return true
  }
}
