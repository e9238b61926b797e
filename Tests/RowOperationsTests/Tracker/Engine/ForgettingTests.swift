import Testing

@testable import RowOperations

@Suite("Removed and forgotten rows in the engine")
struct ForgettingTests {
  private static var reportingCommits: TrackerEngine {
    var settings = TrackerEngine.Settings()
    settings.reportsCommits = true
    return TrackerEngine(settings: settings)
  }

  // MARK: Removed rows

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
}
