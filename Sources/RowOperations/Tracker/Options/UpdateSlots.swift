/// The slots for loads that run at once, for one tracker or shared by several.
///
/// A free slot goes to the strongest claim of all trackers; among equals, to the tracker that was
/// served the longest ago. Prefetching takes all slots but one at most, so with a single slot
/// nothing is prefetched. A cancelled load frees its slot at once, though its body may run on for a
/// while. If more such bodies run than there are slots, each further one holds a slot until it
/// ends. When they hold all slots, `OperationDiagnostics` reports it.
///
/// ```swift
/// let slots = UpdateSlots(6)
/// avatars.slots = slots  // two configurations
/// pictures.slots = slots
/// ```
///
/// **Stages** can have limits of their own, so that many rows download while few decode:
///
/// ```swift
/// configuration.slots = UpdateSlots(8, stageLimits: [.decode: 2])
/// ```
///
/// A load that reaches a limited stage takes a permit, or waits for one and keeps its slot. So use
/// more slots than permits. If several loads wait, the strongest claim at that moment goes first. A
/// load holds one permit: a limited stage inside another one runs under the permit of the outer
/// one. A load that is cancelled or times out returns its permit at once; as many such bodies as
/// the limit run on without one, as with slots. Waiting for a permit counts towards `timeout`, and
/// not towards the load time of `.adaptive`.
///
/// **Cost**: O(sharing trackers) for each admission, O(waiting loads) for each permit with several
/// waiting loads.
@MainActor
public final class UpdateSlots {
  /// The number of loads that run at once.
  public nonisolated let count: Int
  /// The largest number of loads in each limited stage at once.
  public nonisolated let stageLimits: [UpdateStage: Int]
  /// The permits of the limited stages; `nil` without limits.
  package nonisolated let permits: StagePermits?
  /// Whether each tracker makes its own slots from this template.
  private nonisolated let isExample: Bool

  /// An object, so that a read copies no weak reference.
  private final class User {
    weak var core: TrackerCore?
    var servedAt = 0

    init(_ core: TrackerCore) { self.core = core }
  }

  private var users: [User] = []
  private var served = 0
  private var table: SlotTable
  /// Whether bodies still hold all slots since the last report of that.
  private var hasReportedHeld = false

  /// Makes slots.
  ///
  /// - Parameters:
  ///   - count: The number of loads that run at once, at least one.
  ///   - stageLimits: The largest number of them in a stage at once, at least one for each; see
  ///     `stage` of ``UpdateContext``. Other stages have no limit.
  public nonisolated convenience init(_ count: Int, stageLimits: [UpdateStage: Int] = [:]) {
    self.init(count, stageLimits: stageLimits, isExample: false)
  }

  private nonisolated init(_ count: Int, stageLimits: [UpdateStage: Int] = [:], isExample: Bool) {
    self.count = max(count, 1)
    self.stageLimits = stageLimits.mapValues { max($0, 1) }
    permits = stageLimits.isEmpty ? nil : StagePermits(stageLimits)
    self.isExample = isExample
    table = SlotTable(count: max(count, 1))
  }

  /// The default of a configuration: six slots for each tracker.
  ///
  /// On macOS `URLSession` opens as many connections to one host, on iOS four. 30 pictures at
  /// 300 ms each take 2.4 s with four slots and 1.5 s with six, measured on Linux.
  nonisolated static var standard: UpdateSlots { UpdateSlots(6, isExample: true) }

  /// The slots of a tracker with this configuration: these, or a copy of the template.
  @usableFromInline nonisolated var forOneTracker: UpdateSlots {
    isExample ? UpdateSlots(count) : self
  }

  var allowsPrefetch: Bool { count > 1 }

  func add(_ core: TrackerCore) { users.append(User(core)) }

  /// Adds the running operations of a deallocated tracker.
  func orphansAdded(_ operations: Int) {
    table.orphans += operations
    admit()
  }

  func orphansEnded(_ operations: Int) {
    table.orphans -= operations
    admit()
  }

  /// Fills all free slots.
  ///
  /// - Parameter current: The tracker that takes a turn and performs its own effects afterwards.
  func admit(in current: TrackerCore? = nil) {
    if let current, users.count == 1 { return current.admitAll(table) }
    let cores = liveCores()
    var served: [TrackerCore] = []
    while true {
      let bids = bids(of: cores, current)
      guard let decision = table.decide(bids) else { break }
      switch decision {
      case .start(let index):
        self.served += 1
        users[index].servedAt = self.served
        cores[index].startNext(mayPrefetch: SlotLedger(bids, table).mayPrefetch)
        served.append(cores[index])
      case .yield(let index, let yield):
        _ = cores[index].yieldSlot(yield)
        served.append(cores[index])
      }
    }
    for core in served where core !== current { core.run() }
  }

  // MARK: Stages

  /// Grants all free permits.
  func grantPermits() {
    guard let permits else { return }
    permits.grantAll(strongest)
    for stage in permits.newlyHeld() { reportHeld(stage) }
  }

  /// Among equal claims of several trackers, the longest waiting one goes first.
  private func strongest(of waiters: [StagePermits.Waiter]) -> PermitTable.Ticket? {
    let ofEachTracker = liveCores().compactMap { core in
      waiters.filter { $0.owner === core.inbox }
        .compactMap { waiter in core.stageClaim(of: waiter.id).map { (claim: $0, waiter) } }
        .min { $0.claim < $1.claim }
    }
    let strongest = ofEachTracker.min {
      ($0.claim.kind, $0.1.ticket) < ($1.claim.kind, $1.1.ticket)
    }
    // Loads without a claim come last.
    return (strongest?.1 ?? waiters.first)?.ticket
  }

  private func reportHeld(_ stage: UpdateStage) {
    OperationDiagnostics.report(
      .ignoredCancellation, nil,
      """
      All permits of stage \(stage.name) are held by cancelled updates that still run. No load enters \
      the stage until one of them leaves it. Call checkCancellation() in long steps.
      """)
  }

  // MARK: Cancelled bodies

  /// The number of bodies that outlive their deallocated trackers.
  var orphans: Int { max(table.orphans, 0) }

  func liveCores() -> [TrackerCore] {
    let live = users.map(\.core)
    if live.contains(where: { $0 == nil }) { users.removeAll { $0.core == nil } }
    return live.compactMap(\.self)
  }

  private func bids(of cores: [TrackerCore], _ current: TrackerCore?) -> [SlotBid] {
    cores.indices.map { index in
      var bid = cores[index].slotBid(isOwnTurn: cores[index] === current)
      bid.servedAt = users[index].servedAt
      return bid
    }
  }

  /// Reports held slots at the end of a tracker's turn.
  ///
  /// - Parameter lingering: The number of the tracker's cancelled bodies that still run.
  @inline(__always)
  func turnEnded(lingering: Int) {
    if permits != nil { grantPermits() }
    guard lingering > 0 || hasReportedHeld || table.orphans > 0 else { return }
    // Cheap test before the count over all trackers.
    if hasReportedHeld || (lingering + table.orphans) / 2 >= count { reportIfHeld() }
  }

  /// Reports once that bodies that ignore cancellation hold all slots.
  func reportIfHeld() {
    guard table.isHeld(liveCores().map { $0.slotBid(isOwnTurn: true) }) else {
      return hasReportedHeld = false
    }
    guard !hasReportedHeld else { return }
    hasReportedHeld = true
    OperationDiagnostics.report(
      .ignoredCancellation, nil,
      """
      All \(count) slots are held by cancelled updates that still run. Nothing loads until one of them \
      ends. Call checkCancellation() in long steps, and pass cancellation on to the work they await.
      """)
  }
}
