import Testing

@testable import RowOperations

@Suite("Loads of moving lists in the engine")
struct MovingLoadsTests {
  @Test("A prefetch yields no slot in the turn in which it began, nor while it is on screen")
  func tooEarly() {
    var engine = TrackerEngine()
    let row = engine.addRow()
    engine.take(.prefetch([row]), at: 0)
    engine.load()
    #expect(engine.leastPrefetch(engine.choice(at: 1)) == nil)
    engine.endTurn(at: 1)
    #expect(engine.leastPrefetch(engine.choice(at: 1)) != nil)
    _ = engine.addCell(of: row)
    #expect(engine.leastPrefetch(engine.choice(at: 1)) == nil)
  }

  @Test("What a prefetch has run counts for what it loses")
  func elapsed() {
    let wait = Wait(load: 100, due: 1, slots: 1)
    let visit = Visit(begin: 20, end: 1_000)
    #expect(wait.urgency(of: visit, elapsed: 40) == Urgency(share: 1.4))
    #expect(wait.urgency(of: visit, elapsed: 90) == Urgency(share: 1.8))
    #expect(wait.urgency(of: visit, elapsed: 200) == Urgency(share: 1.8))
  }
}
