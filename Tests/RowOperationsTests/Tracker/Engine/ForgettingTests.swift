import Testing

@testable import RowOperations

@Suite("Removed and forgotten rows in the engine")
struct ForgettingTests {
  private static let second: Int64 = 1_000_000_000

  private static var reportingCommits: TrackerEngine {
    var settings = TrackerEngine.Settings()
    settings.reportsCommits = true
    return TrackerEngine(settings: settings)
  }

  // MARK: Removed rows

  @Test("A row that is removed and displayed again comes on screen after the rows in between")
  func displayedAgain() {
    var engine = TrackerEngine()
    let rows = (0..<2).map { _ in engine.addRow() }
    let cells = rows.map { engine.addCell(of: $0) }
    engine.take(.remove([rows[0]]), at: 0)
    engine.take(.bind(cells[0], to: rows[0], in: nil, rendersLeaving: false), at: 0)
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 1), at: 0)
    #expect(rows.map { engine.rows[$0].run != nil } == [false, true])
  }

  @Test("A row that is removed before a commit is not named by it")
  func removedBeforeCommit() {
    var engine = Self.reportingCommits
    let rows = (0..<2).map { _ in engine.addRow() }
    for row in rows {
      _ = engine.addCell(of: row)
      engine.take(.setValue(row, cost: 1), at: 0)
    }
    engine.pass()
    engine.take(.remove([rows[0]]), at: 0)
    #expect(engine.takeCommittedRows() == [rows[1]])
  }

  @Test("A cell of a row that has failed and was removed is not rendered again for that failure")
  func removedFailure() throws {
    var engine = TrackerEngine()
    let row = engine.addRow()
    _ = engine.addCell(of: row)
    engine.load()
    let run = try #require(engine.rows[row].run)
    engine.take(.end(run, .failure(FailureCause(kind: 2))), at: 0)
    engine.pass()
    engine.performEffects()
    #expect(engine.phase(of: row) == .failed)
    engine.take(.remove([row]), at: 0)
    _ = engine.addCell(of: row)
    #expect(engine.phase(of: row) == .waiting)
    engine.pass()
    #expect(engine.performEffects() == [])
  }

  // MARK: Forgotten rows

  @Test("A row that comes on screen and leaves before it is forgotten has not appeared")
  func appearance() {
    var engine = TrackerEngine()
    let row = engine.addRow()
    engine.endTurn(at: 0)
    let cell = engine.addCell(of: row)
    engine.take(.unbind(cell), at: 0)
    #expect(engine.appearedRows.all == [row])
    engine.forgetUnused()
    #expect(!engine.rows.contains(row) && engine.appearedRows.all == [])
  }

  @Test("A row that is forgotten amid a turn is not named by its commit")
  func commit() {
    var engine = Self.reportingCommits
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    engine.pass()
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.pass()
    engine.take(.setValue(row, cost: 1), at: 0)
    engine.pass()
    #expect(engine.performEffects() == [])
    // The cell comes on screen with an outdated content, and the row loses all that it has.
    engine.take(.willDisplay(cell), at: 0)
    #expect(engine.performEffects() == [cell])
    engine.take(.unbind(cell), at: 0)
    engine.take(.removeCachedValues, at: 0)
    engine.endTurn(at: 0)
    engine.forgetUnused()
    #expect(!engine.rows.contains(row))
    engine.finishTurn()
    #expect(engine.takeCommittedRows() == [])
  }

  @Test("A row that is forgotten after the drop of its value is kept no longer")
  func keptValue() {
    var engine = TrackerEngine()
    let (row, other) = (engine.addRow(), engine.addRow())
    _ = engine.addCell(of: other)
    // The row counts as unused until it gets a value.
    engine.endTurn(at: 0)
    engine.take(.setValue(row, cost: 1), at: 0)
    engine.endTurn(at: 0)
    #expect(engine.kept.rows(in: .values).map { $0 } == [row])
    engine.take(.removeCachedValues, at: 0)
    engine.forgetUnused()
    #expect(!engine.rows.contains(row))
    #expect(engine.kept.rows(in: .values).map { $0 } == [])
  }

  @Test("A row that is forgotten as a suspension ends its late load leaves no failure")
  func failureOfLateLoad() throws {
    var settings = TrackerEngine.Settings()
    settings.streams = TrackerEngine.StreamSettings(isLoad: true)
    var engine = TrackerEngine(settings: settings)
    let row = engine.addRow()
    // The row counts as unused until it is displayed.
    engine.endTurn(at: 0)
    let cell = engine.addCell(of: row)
    engine.load()
    let run = try #require(engine.rows[row].run)
    engine.take(.end(run, .failure(FailureCause(kind: 2))), at: 0)
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.endTurn(at: 0)
    engine.take(.willDisplay(cell), at: 0)
    engine.load()
    engine.endTurn(at: Self.second)
    #expect(engine.rows[row].listening == .owed && !engine.failures.series.isEmpty)
    engine.take(.unbind(cell), at: Self.second)
    engine.endTurn(at: Self.second)
    engine.take(.suspend, at: Self.second)
    engine.forgetUnused()
    #expect(!engine.rows.contains(row) && engine.failures.series.isEmpty)
  }
}
