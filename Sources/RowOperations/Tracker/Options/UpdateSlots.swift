import Dispatch

/// The slots for loads that run at once, for one tracker or shared by several.
///
/// A free slot goes to the row of all trackers that loses most by waiting, see <doc:Tuning>; among
/// equals, to the tracker that was served the longest ago. A cancelled load frees its slot at once,
/// though its body may run on. If more such bodies run than there are slots, each further one holds
/// a slot until it ends. When they hold all slots, `OperationDiagnostics` reports it.
///
/// ```swift
/// let slots = UpdateSlots(6)
/// configuration.slots = slots  // And so for each tracker.
/// ```
///
/// **Pauses**: after an error with a `Retry-After` of up to a minute, no load starts for that time,
/// at least for a second. The row goes back into the line. Then one load starts, and the others
/// when it has ended well. A row that is refused twice as that load, or five times in all, has
/// failed.
///
/// To let many rows download while few decode, take a permit for the slow step, see <doc:Tuning>.
///
/// **Cost**: O(trackers) for each turn of a tracker and for each admission, and O(waiting rows)
/// while its list moves and a slot is free. With pauses, a rate or lanes, O(waiting rows).
@MainActor
public final class UpdateSlots {
  /// The number of loads that run at once.
  public nonisolated let count: Int
  /// Each tracker makes its own slots from this template.
  private nonisolated let isExample: Bool
  nonisolated let laneLimit: Int

  /// The trackers, by their numbers.
  private var users: [Int: WeakUser<TrackerCore>] = [:]
  private(set) var table: SharedSlotTable
  /// The trackers that were deallocated since the last admission, with the bodies that still run.
  private nonisolated let ended = Lock<[(number: Int, bodies: Int)]>([])
  /// Bodies still hold all slots since the last report of that.
  private var hasReportedHeld = false
  /// `false` for a replay, whose loads have no bodies.
  var reportsHeld = true

  private var clock: TrackerClock?
  private var usesLanes = false
  private var lanes: [AnyHashable: Int] = [:]
  private var lastLane = 0
  /// At which unused ones are dropped.
  private var mostLanes = 100

  /// Makes slots.
  ///
  /// - Parameters:
  ///   - count: The number of loads that run at once, at least one.
  ///   - startsPerSecond: The most loads that start in any second. Zero or less is reported to
  ///     `OperationDiagnostics.onMisuse`, and is no limit.
  ///   - laneLimit: The number of loads of one `configuration.lane` that run at once, at least one.
  public nonisolated convenience init(
    _ count: Int, startsPerSecond: Int? = nil, laneLimit: Int = 4
  ) {
    self.init(count, startsPerSecond, laneLimit, isExample: false)
  }

  private nonisolated init(
    _ count: Int, _ startsPerSecond: Int? = nil, _ laneLimit: Int = 4, isExample: Bool
  ) {
    self.count = max(count, 1)
    self.laneLimit = max(laneLimit, 1)
    self.isExample = isExample
    var rate = startsPerSecond
    if let given = rate, given <= 0 {
      rate = nil
      OperationDiagnostics.report(
        .noStarts, nil,
        """
        UpdateSlots(startsPerSecond: \(given)) would start no load. The slots have no such limit. \
        Pass one or more, or call pause(for:).
        """)
    }
    table = SharedSlotTable(
      count: max(count, 1), laneLimit: max(laneLimit, 1), startsPerSecond: rate)
  }

  /// The default of a configuration: six slots for each tracker.
  ///
  /// On macOS `URLSession` opens as many connections to one host, on iOS four. 30 pictures at 300
  /// ms each take 2.4 s with four slots and 1.5 s with six (Linux).
  nonisolated static var standard: UpdateSlots { UpdateSlots(6, isExample: true) }

  /// These, or a copy of the template.
  nonisolated var forOneTracker: UpdateSlots {
    isExample ? UpdateSlots(count) : self
  }

  /// Reserves a number for a tracker.
  func reserveNumber() -> Int { table.add() }

  func add(_ tracker: TrackerCore) {
    users[tracker.number] = WeakUser(tracker)
    if tracker.usesLanes { usesLanes = true }
    tracker.join(table.holds, at: time ?? tracker.time)
    if clock == nil { clock = tracker.state.clock }
  }

  /// Records on any thread that a tracker is deallocated.
  ///
  /// - Parameter bodies: The number of its running bodies, which have not ended.
  nonisolated func trackerEnded(_ number: Int, bodies: Int) {
    ended.withLock { $0.append((number, bodies)) }
    DispatchQueue.main.async { self.admit() }
  }

  private func removeEnded() {
    for tracker in ended.exchange([]) {
      users[tracker.number] = nil
      table.remove(tracker.number)
      table.slots.orphans += tracker.bodies
    }
  }

  func orphansEnded(_ count: Int) {
    table.slots.orphans -= count
    admit()
  }

  // MARK: Admission

  /// Fills all free slots.
  ///
  /// - Parameter current: The tracker that takes a turn, and performs its own effects.
  func admit(in current: TrackerCore? = nil) {
    removeEnded()
    if let current, table.trackers == 1 {
      let bid = current.admitAll(table.slots)
      table.update(current.number, bid)
      if bid.hasNews { takeNews(of: [current]) }
      return
    }
    let hasNews = current.map { bid($0, isOwnTurn: true) } ?? false
    if hasNews || isGuarded { share(current) }
    var served: [TrackerCore] = []
    while let decision = table.decide() {
      switch decision {
      case .start(let number):
        guard let tracker = confirmed(number, decision, current) else { continue }
        start(tracker, tracker.nextRow(), &served)
      case .yield(let number, let yield, let lane, let winner):
        // A slot freed by another tracker spares the cancel.
        guard let next = confirmed(winner, decision, current),
          let tracker = confirmed(number, decision, current), areAllBidsCurrent(decision, current)
        else { continue }
        let row = next.nextRow()
        guard tracker.yieldSlot(yield, in: lane) else {
          table.withdraw(number)
          continue
        }
        served.append(tracker)
        bid(tracker, isOwnTurn: tracker === current)
        // Now the row that has yielded waits, too. It does not get its slot back.
        if table.ledger.hasFree { start(next, row, &served) }
      }
      guard let last = served.last else { continue }
      if isGuarded { share(current) } else { bid(last, isOwnTurn: last === current) }
    }
    for tracker in served where tracker !== current {
      tracker.run()
      tracker.admissionIsOver()
      bid(tracker, isOwnTurn: false)
    }
  }

  private func start(_ tracker: TrackerCore, _ row: RowID?, _ served: inout [TrackerCore]) {
    guard let row else { return table.withdraw(tracker.number) }
    table.serve(tracker.number)
    tracker.start(row)
    served.append(tracker)
  }

  @discardableResult
  private func bid(_ tracker: TrackerCore, isOwnTurn: Bool) -> Bool {
    if usesLanes {
      noteLanes(of: tracker, isOwnTurn: isOwnTurn)
      tracker.set(otherLanes: table.lanes(besides: tracker.number))
    }
    let bid = tracker.slotBid(isOwnTurn: isOwnTurn)
    table.update(tracker.number, bid)
    return bid.hasNews
  }

  private func noteLanes(of tracker: TrackerCore, isOwnTurn: Bool) {
    table.update(tracker.number, lanes: tracker.ownLanes(isOwnTurn: isOwnTurn))
  }

  /// A bid counts the lanes of all trackers, so these come first.
  private func bidAll(_ current: TrackerCore?) {
    let trackers = users.values.compactMap(\.user)
    if usesLanes {
      for tracker in trackers { noteLanes(of: tracker, isOwnTurn: tracker === current) }
    }
    for tracker in trackers { bid(tracker, isOwnTurn: tracker === current) }
  }

  /// Whether the decision is the same with all bids of this moment; O(trackers).
  private func areAllBidsCurrent(
    _ decision: SlotTable.Decision, _ current: TrackerCore?
  ) -> Bool {
    bidAll(current)
    return table.decide() == decision
  }

  /// `nil` if the decision is another one with the bid of this moment.
  private func confirmed(
    _ number: Int, _ decision: SlotTable.Decision, _ current: TrackerCore?
  ) -> TrackerCore? {
    guard let tracker = users[number]?.user else {
      // It is deallocated, and the next admission removes it.
      table.withdraw(number)
      return nil
    }
    bid(tracker, isOwnTurn: tracker === current)
    return table.decide() == decision ? tracker : nil
  }

  // MARK: Pauses and lanes

  /// Starts no load for a while.
  ///
  /// Then one load starts, and the others when it has ended well. The longer of two pauses counts.
  /// A duration of zero or less does nothing. Without a tracker, the pause begins with the first
  /// one. The default slots of a configuration belong to no tracker.
  public func pause(for duration: Duration) {
    guard duration > .zero else { return }
    share(nil, .paused(lane: 0, until: (time ?? 0) + duration.nanoseconds))
  }

  /// Ends all pauses; loads start in the next turn of the main queue.
  public func resume() {
    share(nil, .resumed)
    for user in users.values { user.user?.requestTurn() }
  }

  private var time: Int64? { clock?.now() }

  private var isGuarded: Bool { usesLanes || table.holds.isInUse }

  private func takeNews(of trackers: [TrackerCore]) {
    for news in trackers.flatMap({ $0.takeSlotNews() }) { table.holds.take(news) }
  }

  /// Passes news on to all trackers, which bid anew.
  private func share(_ current: TrackerCore?, _ news: SlotHolds.News? = nil) {
    let trackers = users.values.compactMap(\.user)
    takeNews(of: trackers)
    if let news { table.holds.take(news) }
    for tracker in trackers { tracker.take(table.holds) }
    bidAll(current)
  }

  func number(of lane: AnyHashable?) -> Int {
    guard let lane else { return 0 }
    if let known = lanes[lane] { return known }
    if lanes.count >= mostLanes { dropUnusedLanes() }
    lastLane += 1
    lanes[lane] = lastLane
    return lastLane
  }

  var knownLanes: Int { lanes.count }

  private func dropUnusedLanes() {
    let used = Set(users.values.compactMap(\.user).flatMap(\.lanes) + table.holds.pausedLanes)
    let old = lanes
    lanes = old.filter { used.contains($0.value) }
    mostLanes = max(2 * lanes.count, 100)
    withExtendedLifetime(old) {}  // Released outside of the change.
  }

  // MARK: Cancelled bodies

  /// Bodies that outlive their trackers.
  var orphans: Int { max(table.slots.orphans, 0) }

  /// The loads that hold slots, of all trackers.
  ///
  /// O(trackers).
  var slotHolders: [SlotHolder] {
    users.keys.sorted().compactMap { users[$0]?.user }.flatMap(\.slotHolders)
  }

  /// Notes the bid of a tracker, and reports held slots.
  func turnEnded(_ tracker: TrackerCore) {
    // A tracker alone has noted its bid at its last admission.
    if table.trackers > 1 {
      tracker.admissionIsOver()
      bid(tracker, isOwnTurn: false)
    }
    if hasReportedHeld || table.hasLingering { reportIfHeld() }
  }

  /// Once for bodies that hold all slots.
  private func reportIfHeld() {
    guard table.isHeld else { return hasReportedHeld = false }
    guard !hasReportedHeld, reportsHeld else { return }
    hasReportedHeld = true
    OperationDiagnostics.report(
      .ignoredCancellation, nil,
      """
      All \(count) slots are held by cancelled updates that still run. Nothing loads until one of them \
      ends. Call checkCancellation() in long steps, and pass cancellation on to the work they await.
      """)
  }
}
