import Testing

@testable import RowOperations

@Suite("Turns in the engine")
struct TurnEngineTests {
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
    #expect(engine.failures.series.isEmpty, "its failures are forgotten")
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
}
