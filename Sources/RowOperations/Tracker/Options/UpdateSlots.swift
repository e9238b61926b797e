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
/// To let many rows download while few decode, take a permit for the slow step, see <doc:Tuning>.
///
/// **Cost**: O(trackers) for each turn of a tracker and for each admission, and O(waiting rows)
/// while its list moves and a slot is free.
@MainActor
public final class UpdateSlots {
  /// The number of loads that run at once.
  public nonisolated let count: Int
  /// Each tracker makes its own slots from this template.
  private nonisolated let isExample: Bool

  /// The trackers, by their numbers.
  private var users: [Int: WeakUser<TrackerCore>] = [:]
  private(set) var table: SharedSlotTable
  /// The trackers that were deallocated since the last admission, with the bodies that still run.
  private nonisolated let ended = Lock<[(number: Int, bodies: Int)]>([])
  /// Bodies still hold all slots since the last report of that.
  private var hasReportedHeld = false
  /// `false` for a replay, whose loads have no bodies.
  var reportsHeld = true

  /// Makes slots.
  ///
  /// - Parameter count: The number of loads that run at once, at least one.
  public nonisolated convenience init(_ count: Int) { self.init(count, isExample: false) }

  private nonisolated init(_ count: Int, isExample: Bool) {
    self.count = max(count, 1)
    self.isExample = isExample
    table = SharedSlotTable(count: max(count, 1))
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

  func add(_ tracker: TrackerCore) { users[tracker.number] = WeakUser(tracker) }

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
      return
    }
    if let current { bid(current, isOwnTurn: true) }
    var served: [TrackerCore] = []
    while let decision = table.decide() {
      switch decision {
      case .start(let number):
        guard let tracker = confirmed(number, decision, current) else { continue }
        start(tracker, tracker.nextRow(), &served)
      case .yield(let number, let yield, let winner):
        // A slot freed by another tracker spares the cancel.
        guard let next = confirmed(winner, decision, current),
          let tracker = confirmed(number, decision, current), areAllBidsCurrent(decision, current)
        else { continue }
        let row = next.nextRow()
        guard tracker.yieldSlot(yield) else {
          table.withdraw(number)
          continue
        }
        served.append(tracker)
        bid(tracker, isOwnTurn: tracker === current)
        // Now the row that has yielded waits, too. It does not get its slot back.
        if table.ledger.hasFree { start(next, row, &served) }
      }
      if let last = served.last { bid(last, isOwnTurn: last === current) }
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

  private func bid(_ tracker: TrackerCore, isOwnTurn: Bool) {
    table.update(tracker.number, tracker.slotBid(isOwnTurn: isOwnTurn))
  }

  /// Whether the decision is the same with all bids of this moment; O(trackers).
  private func areAllBidsCurrent(
    _ decision: SlotTable.Decision, _ current: TrackerCore?
  ) -> Bool {
    for user in users.values {
      guard let tracker = user.user else { continue }
      bid(tracker, isOwnTurn: tracker === current)
    }
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
