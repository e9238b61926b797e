import Testing

@testable import RowOperations

@Suite("Pauses, and the rate of starts")
struct SlotHoldsTests {
  private func load(_ number: UInt64, of tracker: Int = 0) -> SlotHolds.Load {
    SlotHolds.Load(tracker: tracker, generation: number)
  }

  @Test("A pause of a lane holds the lane, one of all holds each lane, the longer one counts")
  func lanes() {
    var holds = SlotHolds()
    #expect(!holds.isInUse)
    holds.take(.paused(lane: 2, until: 10))
    holds.take(.paused(lane: 2, until: 5))
    #expect(holds.isInUse && Array(holds.pausedLanes) == [2])
    #expect(holds.hold(on: 2, at: 9) == .paused(until: 10) && holds.hold(on: 2, at: 10) == nil)
    #expect(holds.hold(on: 1, at: 0) == nil && holds.hold(on: 0, at: 0) == nil)
    holds.take(.paused(lane: 0, until: 7))
    #expect(holds.hold(on: 1, at: 0) == .paused(until: 7))
    #expect(holds.hold(on: 2, at: 0) == .paused(until: 7), "the other pause goes on after it")
    #expect(holds.hold(on: 2, at: 7) == .paused(until: 10))
    holds.take(.resumed)
    #expect(!holds.isInUse)
  }

  @Test("The first load after a pause holds the others until it has ended well")
  func probes() {
    var holds = SlotHolds()
    holds.take(.paused(lane: 0, until: 1))
    holds.take(.paused(lane: 1, until: 1))
    for end: SlotHolds.News in [
      .ended(load(1), well: false), .withdrawn(load(1), startedAt: 1), .paused(lane: 1, until: 1),
    ] {
      holds.take(.started(load(1), lane: 1, at: 1))
      #expect(holds.isProbe(load(1)) && !holds.isProbe(load(1, of: 1)) && !holds.isProbe(load(2)))
      #expect(holds.hold(on: 1, at: 1) == .probed && holds.hold(on: 2, at: 1) == .probed)
      holds.take(.ended(load(1, of: 1), well: true))
      #expect(holds.hold(on: 1, at: 1) == .probed, "another load ends nothing")
      holds.take(end)
      if case .paused = end { #expect(holds.hold(on: 2, at: 1) == .probed) }
      holds.take(.ended(load(1), well: false))
      #expect(holds.hold(on: 1, at: 1) == nil && holds.hold(on: 2, at: 1) == nil)
    }
    holds.take(.started(load(2, of: 5), lane: 1, at: 1))
    holds.remove(4)
    #expect(holds.hold(on: 1, at: 1) == .probed)
    holds.remove(5)
    #expect(holds.hold(on: 1, at: 1) == nil && holds.isInUse)
    holds.take(.started(load(3), lane: 1, at: 1))
    holds.take(.ended(load(3), well: true))
    #expect(!holds.isInUse)
  }

  @Test("In any second, no more loads start than the rate says")
  func rate() {
    var holds = SlotHolds(startsPerSecond: 2)
    let second: Int64 = 1_000_000_000
    #expect(holds.isInUse && holds.hold(on: 0, at: 0) == nil)
    holds.take(.started(load(1), lane: 0, at: 0))
    holds.take(.started(load(2), lane: 3, at: 5))
    #expect(holds.hold(on: 3, at: 5) == .tooSoon(until: second))
    holds.take(.withdrawn(load(2), startedAt: 5))
    #expect(holds.hold(on: 0, at: 5) == nil)
    holds.take(.started(load(3), lane: 0, at: 7))
    #expect(holds.hold(on: 0, at: second - 1) == .tooSoon(until: second))
    #expect(holds.hold(on: 0, at: second) == nil)
    holds.take(.started(load(4), lane: 0, at: second))
    #expect(holds.hold(on: 0, at: second) == .tooSoon(until: second + 7))
    #expect(SlotHolds.Hold.probed.end == nil && SlotHolds.Hold.tooSoon(until: 3).end == 3)
  }
}
