import Testing

@testable import RowOperations

@Suite("The turns of a tracker")
struct TurnsTests {
  private var engine = TrackerEngine()
  private var turns: Turns { engine.turns }

  init() { engine.turns.addedEffects = 2 }

  /// A cell comes on screen with a row, so that the engine needs a turn.
  private mutating func display() {
    let (row, cell) = (engine.addRow(), engine.addCell())
    engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
    engine.take(.willDisplay(row: nil, cell: cell), at: 0)
  }

  private mutating func followUp(hasDiscarded: Bool = false) -> Turns.FollowUp {
    engine.followUp(hasDiscarded: hasDiscarded)
  }

  private mutating func end() -> Turns.FollowUp {
    engine.turnEnded(isNested: false, isContinued: false, hasDiscarded: false)
  }

  @Test("A turn is posted once, and the request for another one amid it takes effect at its end")
  mutating func requests() {
    #expect(engine.turns.request() == true && turns.isRequested)
    #expect(engine.turns.request() == false)
    #expect(engine.beginTurn() == false && !turns.isRequested)
    #expect(engine.turns.request() == true && turns.isRequested)
    #expect(engine.turns.request() == false)
    let next = end()
    #expect(turns.phase == .requested && !next.needsTurn, "the request has posted it")
  }

  @Test("A loop pauses when its budget is spent, and goes on to release objects before that")
  mutating func budget() {
    var loop = engine.beginLoop()
    for _ in 0..<2 {
      #expect(!loop.isSpent)
      guard case .release = engine.next(&loop) else {
        Issue.record("There is nothing to do but to release objects.")
        return
      }
    }
    #expect(loop.isSpent)
    guard case .pause = engine.next(&loop) else {
      Issue.record("The loop has spent its budget.")
      return
    }
  }

  @Test("A slot that became free is filled once")
  mutating func freedSlots() {
    engine.turns.slotFreed()
    var loop = engine.beginLoop()
    guard case .admit = engine.next(&loop), case .release = engine.next(&loop)
    else {
      Issue.record("The loop first fills the slot, and then releases objects.")
      return
    }
  }

  @Test("Nothing follows a change amid a call of the app's code")
  mutating func amidCall() {
    display()
    engine.turns.slotFreed()
    engine.turns.callBegan()
    #expect(turns.isBusy)
    let amid = followUp(hasDiscarded: true)
    #expect(!amid.hasWork && !amid.needsTurn && !turns.isRequested)
    engine.turns.callEnded()
    #expect(!turns.isBusy)
    let after = followUp()
    #expect(after.hasWork && after.needsTurn && turns.isRequested)
  }

  @Test("Objects alone are released at once at rest and in a turn, and wait for a requested turn")
  mutating func discarded() {
    let atRest = followUp(hasDiscarded: true)
    #expect(atRest.hasWork && !atRest.needsTurn)
    let withoutAny = followUp()
    #expect(!withoutAny.hasWork && !withoutAny.needsTurn)
    _ = engine.turns.request()
    let beforeTurn = followUp(hasDiscarded: true)
    #expect(!beforeTurn.hasWork && !beforeTurn.needsTurn)
    _ = engine.beginTurn()
    let inTurn = followUp()
    #expect(inTurn.hasWork && !inTurn.needsTurn)
  }
}
