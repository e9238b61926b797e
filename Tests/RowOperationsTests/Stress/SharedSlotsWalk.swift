import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// Random scripts, played to trackers that share slots, with loads that end when a script says so.
///
/// Whenever the trackers have taken their turns, the use of the slots is compared with the rules as
/// they stand in ``UpdateSlots``, from the loads and the waiting rows of each tracker.
@Suite("Random walks with shared slots", .timeLimit(.minutes(10)))
@MainActor
struct SharedSlotsWalk {
  private typealias Tracker = DisplayTracker<Int, Int>

  private struct Failure: Error {
    let row: Int
  }

  /// One tracker and its list.
  private struct Member {
    let tracker: Tracker
    let player: ScriptPlayer<Int, Int>
  }

  @Test("No slot is idle while a row of any tracker waits for one")
  func walks() {
    var generator = SeededGenerator(seed: StressLevel.seed)
    let count = StressLevel.current.lists * 20
    var withWaiting = 0
    for _ in 0..<count {
      let seed = UInt64.random(in: 0..<1_000_000, using: &generator)
      let (faults, hadWaiting) = Self.walk(seed: seed)
      #expect(faults == [], "seed \(seed)")
      if !faults.isEmpty { return }
      if hadWaiting { withWaiting += 1 }
    }
    #expect(withWaiting > count / 2, "most walks must have waiting rows")
  }

  /// - Returns: The first fault and the steps before it, and whether rows waited at the end of
  ///   turns.
  private static func walk(seed: UInt64) -> (faults: [String], hadWaiting: Bool) {
    var random = SeededGenerator(seed: seed)
    let clock = ManualClock()
    let slots = UpdateSlots(
      Int.random(in: 1...3, using: &random),
      startsPerSecond: Int.random(in: 0..<4, using: &random) == 0 ? 3 : nil,
      laneLimit: Int.random(in: 1...2, using: &random))
    var members = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      member(slots, clock, using: &random)
    }
    var steps: [String] = []
    var hadWaiting = false
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let number = members.indices.randomElement(using: &random) ?? 0
        let script = EventScript.random(
          seed: .random(in: 0..<1_000_000, using: &random), length: 1, rows: 6, cells: 4,
          withRenames: true)
        steps.append("\(number): \(script)")
        members[number].player.play(script)
      }
      if members.count > 1, Int.random(in: 0..<60, using: &random) == 0 { members.removeLast() }
      switch Int.random(in: 0..<40, using: &random) {
      case 0: slots.pause(for: .milliseconds(300))
      case 1: slots.resume()
      case 2..<6: clock.advance(by: .milliseconds(600))
      default: break
      }
      takeTurns(members)
      if let fault = fault(in: members, slots) { return ([fault] + steps, hadWaiting) }
      if members.contains(where: { bid(of: $0).next != nil }) { hadWaiting = true }
    }
    for round in 0..<200 {
      // No load runs at that time, so none times out.
      if round % 10 == 0 { clock.advance(by: .seconds(1)) }
      endLoads(of: members)
    }
    // The bodies of deallocated trackers and those of timed out loads never end here, and may hold
    // all slots.
    let isIdle =
      slots.table.slots.orphans > 0 || slots.table.ledger.isHeldByLingering
      || members.allSatisfy { bid(of: $0).running == 0 && bid(of: $0).next == nil }
    let rest = members.map { "\(bid(of: $0))" }
    return (isIdle ? [] : ["a load never ends: \(rest), \(slots.table.holds)"] + steps, hadWaiting)
  }

  private static func member(
    _ slots: UpdateSlots, _ clock: ManualClock, using random: inout SeededGenerator
  ) -> Member {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = slots
    configuration.clock = clock
    configuration.scrollPolicy =
      [.adaptive, .immediate, .whenSettled].randomElement(using: &random) ?? .adaptive
    configuration.grace = Bool.random(using: &random) ? .zero : .milliseconds(150)
    configuration.timeout = Bool.random(using: &random) ? nil : .milliseconds(400)
    configuration.retry = Bool.random(using: &random) ? .never : .onNextDisplay
    if Bool.random(using: &random) { configuration.lane = { $0 % 3 == 0 ? nil : $0 % 3 } }
    // The servers of some rows request pauses.
    let refuses = Bool.random(using: &random)
    configuration.retryAfter = { ($0 as? Failure)?.row == 1 && refuses ? .seconds(1) : nil }
    let tracker = Tracker(configuration: configuration) { $0.row }
    tracker.holdOperations()
    let player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
    player.onLoadStep = { [unowned tracker] step in
      switch step {
      case .finish(let row): _ = tracker.endLoad(of: row) { _ in .success(row) }
      case .fail(let row): _ = tracker.endLoad(of: row) { _ in .failure(Failure(row: row)) }
      case .setValue(let row): tracker.setValue(row, for: row)
      default: break
      }
    }
    return Member(tracker: tracker, player: player)
  }

  /// Takes turns until none follows from another one.
  private static func takeTurns(_ members: [Member]) {
    for _ in 0..<3 {
      for member in members { member.tracker.endPass() }
    }
  }

  private static func bid(of member: Member) -> SlotBid {
    member.tracker.core.slotBid(isOwnTurn: true)
  }

  private static func endLoads(of members: [Member]) {
    takeTurns(members)
    for member in members {
      for row in 0..<6 { _ = member.tracker.endLoad(of: row) { _ in .success(row) } }
    }
    takeTurns(members)
  }

  private static func fault(in members: [Member], _ slots: UpdateSlots) -> String? {
    let loads = members.flatMap { $0.tracker.core.slotHolders }
    let bids = members.map(bid)
    let lingering = loads.count(where: \.isLingering) + max(slots.table.slots.orphans, 0)
    let running = loads.count - loads.count(where: \.isLingering)
    if running > slots.count { return "\(running) loads run in \(slots.count) slots" }
    let lanes = members.flatMap { $0.tracker.core.engine.lanes.loads.values }
    for lane in Set(lanes) where lanes.count(where: { $0 == lane }) > slots.laneLimit {
      return "too many loads of a lane run"
    }
    let free = slots.count - running - max(lingering - slots.count, 0)
    guard let urgency = bids.compactMap(\.next).max() else { return nil }
    if free > 0 { return "a row waits beside \(free) free slots" }
    // A cancelled load runs on beside the slots, until as many do as there are slots.
    let mayCancel = lingering < slots.count
    if mayCancel, urgency > .zero, bids.contains(where: \.hasUnclaimed) {
      return "a row waits for an unclaimed load"
    }
    return nil
  }
}
