import Testing

@testable import RowOperations

@Suite("The operations of a tracker as a value")
struct RunsTests {
  private static let row = RowID(index: 4)

  /// Runs of operations that were made, one for each claim, which start a second apart.
  private static func made(_ claims: ClaimKind...) -> (Runs, [RunID]) {
    var runs = Runs()
    var all: [RunID] = []
    for (second, claim) in claims.enumerated() {
      all.append(runs.admit(row, claim, generation: UInt64(second), at: Int64(second)))
      runs.made(all[second])
    }
    return (runs, all)
  }

  @Test("Loads and batches occupy slots, the rows of a batch do not")
  func slots() {
    var runs = Runs()
    let load = runs.admit(Self.row, .displayed, generation: 1, at: 0)
    let batch = runs.admitBatch(.prefetched, generation: 2, at: 1)
    let member = runs.admitMember(of: batch, Self.row, .prefetched, generation: 3, at: 1)
    #expect(runs.count == 3 && runs.running == 2 && runs.prefetching == 1)
    #expect(Array(runs.runs(in: .claimed)) == [load, batch] && runs.prefetches == [batch])
    #expect([load, batch, member].map { runs[$0].isPrefetch } == [false, true, false])
    #expect(runs.members(of: batch) == [member] && runs[member].isMember)
    #expect(runs[load].role == .single && runs[batch].role == .batch)
    runs.leaveSlot(batch)
    runs.end(batch)
    #expect(runs.members(of: batch) == [])
    #expect(runs[member].row == Self.row && runs[member].stage == .admitted)
  }

  @Test("A run keeps the end of its first grace until a row claims it again")
  func grace() {
    var (runs, all) = Self.made(.displayed, .displayed)
    runs.unclaimed(all[0], until: 10)
    runs.unclaimed(all[1], until: 20)
    runs.unclaimed(all[0], until: 30)
    #expect(Array(runs.runs(in: .grace)) == all && runs.endOfFirstGrace == 10)
    #expect(runs.inGrace == 2 && runs.running == 2)
    runs.claimed(all[0])
    #expect(runs.endOfFirstGrace == 20 && runs[all[0]].graceEnd == nil)
    runs.unclaimed(all[0], until: 40)
    #expect(Array(runs.runs(in: .grace)) == [all[1], all[0]])
    #expect(runs.running == 2)
  }

  @Test("An operation learns of a new claim once it is made, and a run without one is no prefetch")
  func claims() {
    var (runs, all) = Self.made(.prefetched)
    let same = runs.setClaim(all[0], .prefetched)
    let displayed = runs.setClaim(all[0], .displayed)
    #expect((same, displayed) == (false, true) && runs.prefetching == 0)
    let unclaimed = runs.setClaim(all[0], nil)
    #expect(unclaimed && runs[all[0]].claim == .prefetched)
    #expect(!runs[all[0]].isPrefetch && runs.prefetching == 0)
    let prefetched = runs.setClaim(all[0], .prefetched)
    #expect(!prefetched && runs.prefetching == 1)
    let waiting = runs.admit(Self.row, .prefetched, generation: 9, at: 0)
    let unmade = runs.setClaim(waiting, .displayed)
    #expect(!unmade && runs[waiting].claim == .displayed)
  }

  @Test("A cancelled body lingers until it ends, and the row of a batch has none")
  func ends() {
    var (runs, all) = Self.made(.displayed, .prefetched, .displayed)
    let batch = runs.admitBatch(.displayed, generation: 8, at: 0)
    let member = runs.admitMember(of: batch, Self.row, .displayed, generation: 9, at: 0)
    for (index, isTimedOut) in [false, true].enumerated() {
      runs.leaveSlot(all[index])
      runs.cancelled(all[index], isTimedOut: isTimedOut)
    }
    runs.cancelled(member)
    #expect(
      [all[0], all[1], member].map { runs[$0].stage } == [.cancelled, .timedOut, .cancelled])
    #expect(runs.lingering == 2 && runs.running == 2 && runs.prefetching == 0)
    runs.end(member)
    #expect(runs.lingering == 2 && runs[member].stage == .ended)
    runs.end(all[1])
    runs.end(all[2])
    #expect(runs.lingering == 1)
    let timedOut = runs.admitMember(of: batch, Self.row, .displayed, generation: 10, at: 0)
    runs.cancelled(timedOut, isTimedOut: true)
    #expect(runs[timedOut].isLingering && runs[timedOut].stage == .timedOut)
  }

  @Test("Operations that were made by a time, and still hold a slot, are found by it")
  func started() {
    var (runs, all) = Self.made(.displayed, .displayed, .displayed)
    let unmade = runs.admit(Self.row, .displayed, generation: 9, at: 0)
    #expect(runs.started(by: 1) == [all[0], all[1]])
    runs.unclaimed(all[0], until: 10)
    #expect(runs.started(by: 1) == [all[1], all[0]] && runs.firstStart == 0)
    runs.leaveSlot(all[0])
    runs.leaveSlot(unmade)
    #expect(runs.started(by: 1) == [all[1]] && runs.firstStart == 1)
    runs.leaveSlot(all[1])
    runs.leaveSlot(all[2])
    #expect(runs.started(by: 9) == [] && runs.firstStart == nil)
  }

}
