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
    let cell = engine.addCell(of: row)
    engine.load()
    // The stream opens beside the load, which fails, so the row has no value.
    #expect(engine.streams[row]?.stage == .open)
    let failed = try #require(engine.rows[row].run)
    engine.take(.end(failed, .failure(FailureCause(kind: 2))), at: 0)
    // It loads on its next display.
    engine.take(.didEndDisplaying(row: nil, cell: cell), at: 0)
    engine.endTurn(at: 0)
    engine.take(.willDisplay(row: nil, cell: cell), at: 0)
    engine.endTurn(at: 0)
    #expect(!engine.failures.series.isEmpty)
    engine.admitAll(SlotTable(count: 1), at: 0)
    let run = try #require(engine.rows[row].run)
    engine.take(.foundNothing(run, generation: engine.runs[run].generation), at: 0)
    #expect(engine.streams[row] == nil && engine.rows[row].listening == .none)
    #expect(engine.failures.series.isEmpty, "its failures are forgotten")
  }

  @Test("A move requests a turn while the policy keeps a row from a free slot", arguments: 1...2)
  func keptFromSlot(slots: Int) {
    var settings = TrackerEngine.Settings()
    settings.scrollPolicy = .whenSettled
    var engine = TrackerEngine(settings: settings)
    engine.take(.prefetch([engine.addRow()]), at: 0)
    engine.load()
    engine.take(.scrollWillBegin, at: 0)
    _ = engine.addCell(of: engine.addRow())
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: slots), at: 0)
    engine.finishTurn()
    let needsTurn = engine.needsTurn
    engine.take(.scrollDidMove, at: 0)
    let needsTurnOnMove = engine.needsTurn
    #expect(!needsTurn && needsTurnOnMove == (slots == 2))
  }

  @Test("Of given rows, those with a cell on screen are displayed")
  func displayed() {
    var engine = TrackerEngine()
    let rows = (0..<3).map { _ in engine.addRow() }
    _ = engine.addCell(of: rows[1])
    engine.take(.didEndDisplaying(row: nil, cell: engine.addCell(of: rows[2])), at: 0)
    let displayed = engine.displayed(rows)
    #expect(displayed == [rows[1]])
  }
}
