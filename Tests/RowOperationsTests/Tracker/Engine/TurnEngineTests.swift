import Testing

@testable import RowOperations

@Suite("Turns in the engine")
struct TurnEngineTests {
  @Test(
    "A row with nothing to load is rendered in its turn alone, though another cell appears amid it")
  func nothingAmidTurn() throws {
    var engine = TrackerEngine()
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    let other = engine.addCell(of: row, isDisplayed: false)
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 1), at: 0)
    let run = try #require(engine.rows[row].run)
    engine.take(.willDisplay(other), at: 0)
    engine.take(.foundNothing(run, generation: engine.runs[run].generation), at: 0)
    engine.finishTurn()
    #expect(Set(engine.performEffects()) == [cell, other])
    #expect(engine.phase(of: row) == .idle)
    engine.pass()
    #expect(engine.performEffects() == [])
  }

  @Test("A load whose row leaves before the start is not started")
  func leftBeforeStart() {
    var settings = TrackerEngine.Settings()
    settings.grace = 0
    var engine = TrackerEngine(settings: settings)
    let cell = engine.addCell(of: engine.addRow())
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 1), at: 0)
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.pass()
    while let effect = engine.nextEffect() {
      if case .start = effect { Issue.record("It is started.") }
    }
  }

  @Test("A row that has nothing to load any more listens to no stream")
  func nothingAndStream() throws {
    var settings = TrackerEngine.Settings()
    settings.streams = TrackerEngine.StreamSettings(isLoad: false)
    var engine = TrackerEngine(settings: settings)
    let row = engine.addRow()
    _ = engine.addCell(of: row)
    engine.load()
    // The stream opens beside the load, which fails, so the row has no value.
    #expect(engine.streams[row]?.stage == .open)
    let failed = try #require(engine.rows[row].run)
    engine.take(.end(failed, .failure(FailureCause(kind: 2))), at: 0)
    engine.take(.retry(row), at: 0)
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 1), at: 0)
    let run = try #require(engine.rows[row].run)
    engine.take(.foundNothing(run, generation: engine.runs[run].generation), at: 0)
    #expect(engine.streams[row] == nil && engine.rows[row].listening == .none)
  }

  @Test("A load whose row has left goes on for a cell in a covered list")
  func coveredInGrace() throws {
    var engine = TrackerEngine()
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    engine.load()
    let run = try #require(engine.rows[row].run)
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.endTurn(at: 0)
    #expect(engine.nextDeadline == engine.settings.grace)
    let covered = engine.addCell(of: row, isDisplayed: false)
    engine.take(.cover(covered), at: 0)
    engine.endTurn(at: 0)
    #expect(engine.nextDeadline == nil)
    engine.endTurn(at: engine.settings.grace)
    #expect(engine.runs[run].stage == .current)
  }

  @Test("A cell that leaves the screen again is listed once for that")
  func leavesAgain() {
    var engine = TrackerEngine()
    let cell = engine.addCell(of: engine.addRow(), rendersLeaving: true)
    engine.pass()
    for _ in 0..<2 {
      engine.performEffects()
      engine.take(.didEndDisplaying(cell), at: 0)
      engine.pass()
      #expect(engine.pendingEffects == 1)
      #expect(engine.nextEffect() == .leave(cell))
      engine.take(.willDisplay(cell), at: 0)
      engine.pass()
    }
  }

  @Test("The stream of a row whose value the app has at hand opens at once")
  func foundValueOfLiveRow() throws {
    var settings = TrackerEngine.Settings()
    settings.streams = TrackerEngine.StreamSettings(isLoad: true)
    var engine = TrackerEngine(settings: settings)
    let row = engine.addRow()
    _ = engine.addCell(of: row)
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 1), at: 0)
    let run = try #require(engine.rows[row].run)
    engine.take(.foundValue(run, generation: engine.runs[run].generation, cost: 1), at: 0)
    #expect(engine.streams[row]?.stage == .open)
  }

  @Test("A cell that comes on screen is rendered at once if its row was invalidated before")
  func invalidatedOffScreen() {
    var engine = TrackerEngine()
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    engine.take(.setValue(row, cost: 1), at: 0)
    engine.pass()
    #expect(engine.performEffects() == [cell])
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.pass()
    engine.take(.invalidate([row]), at: 0)
    #expect(engine.performEffects() == [])
    engine.take(.willDisplay(cell), at: 0)
    #expect(engine.performEffects() == [cell])
  }

  @Test("A row that is invalidated has no new value, so that no commit names it")
  func commitOfNewValues() {
    var settings = TrackerEngine.Settings()
    settings.reportsCommits = true
    var engine = TrackerEngine(settings: settings)
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    engine.take(.setValue(row, cost: 1), at: 0)
    engine.pass()
    engine.performEffects()
    #expect(engine.takeCommittedRows() == [row])
    engine.take(.invalidate([row]), at: 0)
    engine.pass()
    #expect(engine.performEffects() == [cell])
    #expect(engine.takeCommittedRows() == [])
  }
}
