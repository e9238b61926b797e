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

  // MARK: Forgotten rows

  @Test("A row that is forgotten amid a turn is not named by its commit")
  func commit() {
    var engine = Self.reportingCommits
    let row = engine.addRow()
    let cell = engine.addCell(of: row)
    engine.pass()
    engine.take(.didEndDisplaying(row: nil, cell: cell), at: 0)
    engine.pass()
    engine.take(.setValue(row, cost: 1), at: 0)
    engine.pass()
    #expect(engine.performEffects() == [])
    // The cell comes on screen with an outdated content, and the row loses all that it has.
    engine.take(.willDisplay(row: nil, cell: cell), at: 0)
    #expect(engine.performEffects() == [cell])
    engine.take(.unbind(cell: cell), at: 0)
    engine.take(.removeCachedValues, at: 0)
    engine.endTurn(at: 0)
    engine.forgetUnused()
    // Another row, which is not on screen, gets its number.
    let next = engine.addRow()
    engine.take(.setValue(next, cost: 1), at: 0)
    engine.finishTurn()
    #expect(next == row && engine.takeCommittedRows() == [])
  }
}
