import Testing

@testable import RowOperations

@Suite("Kept rows and running prefetches in the engine")
struct KeepingEngineTests {
  /// An engine with room for all loads at once.
  private struct Loads {
    var engine: TrackerEngine
    let rows: [RowID]
    let cells: [CellID]

    init(rows count: Int, configure: (inout TrackerEngine.Settings) -> Void = { _ in }) {
      var settings = TrackerEngine.Settings()
      configure(&settings)
      var engine = TrackerEngine(settings: settings)
      rows = (0..<count).map { _ in engine.addRow() }
      cells = rows.map { row in
        let cell = engine.addCell()
        engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
        return cell
      }
      self.engine = engine
    }

    mutating func prefetch(_ wanted: Range<Int>, at now: Int64 = 0) {
      engine.take(.prefetch(Array(rows[wanted])), at: now)
      admit(at: now)
    }

    mutating func display(_ row: Int) {
      engine.take(.willDisplay(cells[row]), at: 0)
      admit(at: 0)
    }

    mutating func admit(at now: Int64) {
      engine.endTurn(at: now)
      engine.admitAll(SlotTable(count: 9), at: now)
      for run in Array(engine.runs.ids) {
        engine.take(.made(run, generation: engine.runs[run].generation), at: now)
      }
    }

    /// Displays a row, which gets a slot.
    mutating func admit(_ row: Int) throws -> RunID {
      engine.take(.willDisplay(cells[row]), at: 0)
      engine.endTurn(at: 0)
      engine.admitAll(SlotTable(count: 9), at: 0)
      return try run(row)
    }

    /// A row comes on screen for less than a turn.
    mutating func flash(_ row: Int) {
      engine.take(.willDisplay(cells[row]), at: 0)
      engine.take(.didEndDisplaying(cells[row]), at: 0)
    }

    func run(_ row: Int) throws -> RunID { try #require(engine.rows[rows[row]].run) }

    /// Ends a load, and the claim of its row.
    mutating func end(_ row: Int, with outcome: TrackerEngine.Outcome) throws {
      engine.take(.end(try run(row), outcome), at: 0)
      engine.take(.cancelPrefetch([rows[row]]), at: 0)
      engine.take(.didEndDisplaying(cells[row]), at: 0)
      engine.endTurn(at: 0)
    }
  }

  @Test("As many failures as the limit are kept, and one more drops the first one")
  func failures() throws {
    var loads = Loads(rows: 3) { $0.failureLimit = 2 }
    for row in 0..<3 {
      loads.display(row)
      try loads.end(row, with: .failure(FailureCause(kind: 2)))
      let failed = (0..<3).filter { loads.engine.rows[loads.rows[$0]].work == .failed }
      #expect(failed == Array(max(row - 1, 0)...row))
    }
  }

  @Test("A removed row that waits counts as cancelled, and leaves the rows on screen")
  func removal() {
    var loads = Loads(rows: 2)
    for row in 0..<2 { loads.engine.take(.willDisplay(loads.cells[row]), at: 0) }
    loads.engine.endTurn(at: 0)
    #expect(loads.engine.blanks.displayedRows == 2)
    loads.engine.take(.remove([loads.rows[0]]), at: 0)
    #expect(loads.engine.counts(at: 0).cancelledWaiting == 1)
    #expect(loads.engine.blanks.displayedRows == 1)
  }

  @Test("The removal of cached values drops those of all rows off screen, and no other")
  func eviction() {
    var loads = Loads(rows: 3)
    for row in 0..<2 { loads.engine.take(.setValue(loads.rows[row], cost: 1), at: 0) }
    loads.display(0)
    loads.display(2)
    loads.engine.take(.removeCachedValues, at: 0)
    #expect(loads.rows.map { loads.engine.rows[$0].hasValue } == [true, false, false])
  }

  @Test("A value that is set anew is dropped after those that were set before")
  func setAnew() {
    var loads = Loads(rows: 4) { $0.valueLimit = 3 }
    for row in [0, 1, 2, 0, 3] {
      loads.engine.take(.setValue(loads.rows[row], cost: 1), at: 0)
      loads.engine.endTurn(at: 0)
    }
    #expect(loads.rows.map { loads.engine.rows[$0].hasValue } == [true, false, true, true])
  }

  @Test(
    "A failed row that is removed or invalidated leaves its room to others",
    arguments: [true, false])
  func roomOfFailure(isRemoved: Bool) throws {
    var loads = Loads(rows: 3) { $0.failureLimit = 2 }
    for row in 0..<3 {
      loads.display(row)
      try loads.end(row, with: .failure(FailureCause(kind: 2)))
      guard row == 1 else { continue }
      loads.engine.take(isRemoved ? .remove([loads.rows[1]]) : .invalidate([loads.rows[1]]), at: 0)
      loads.engine.endTurn(at: 0)
    }
    let isFailed = loads.rows.map { loads.engine.rows[$0].work == .failed }
    #expect(isFailed == [true, false, true])
  }

  @Test("A value that is dropped amid a turn is kept no longer, though its row has new events")
  func valueAmidTurn() throws {
    var loads = Loads(rows: 2) { $0.valueLimit = 1 }
    loads.engine.take(.setValue(loads.rows[0], cost: 1), at: 0)
    let run = try loads.admit(1)
    loads.flash(0)
    let generation = loads.engine.runs[run].generation
    loads.engine.take(.foundValue(run, generation: generation, cost: 1), at: 0)
    #expect(loads.rows.map { loads.engine.rows[$0].hasValue } == [false, true])
    #expect(loads.engine.kept.rows(in: .values).map { $0 } == [])
  }

  @Test(
    "A row that comes on screen amid a turn keeps its value, though a further one is found",
    arguments: [false, true])
  func displayedAmidTurn(isPrefetched: Bool) throws {
    var loads = Loads(rows: 2) { $0.valueLimit = 1 }
    if isPrefetched {
      loads.prefetch(0..<1)
      try loads.end(0, with: .value(cost: 1))
      #expect(loads.engine.kept.count(in: .values) == 1)
    } else {
      loads.engine.take(.setValue(loads.rows[0], cost: 1), at: 0)
    }
    let run = try loads.admit(1)
    let generation = loads.engine.runs[run].generation
    loads.engine.take(.willDisplay(loads.cells[0]), at: 0)
    loads.engine.take(.foundValue(run, generation: generation, cost: 1), at: 0)
    #expect(loads.rows.map { loads.engine.rows[$0].hasValue } == [true, true])
    for cell in loads.cells { loads.engine.take(.didEndDisplaying(cell), at: 0) }
    loads.engine.endTurn(at: 0)
    #expect(loads.engine.kept.count == 1)
  }

  /// Keeps the failure of row 0, which is the limit, and then that of row 1.
  ///
  /// - Parameter change: A change amid the turn of the second failure.
  private func failAgain(after change: (inout Loads) -> Void) throws -> Loads {
    var loads = Loads(rows: 2) { $0.failureLimit = 1 }
    loads.display(0)
    try loads.end(0, with: .failure(FailureCause(kind: 2)))
    let run = try loads.admit(1)
    loads.engine.take(.didEndDisplaying(loads.cells[1]), at: 0)
    loads.engine.endTurn(at: 0)
    change(&loads)
    let generation = loads.engine.runs[run].generation
    loads.engine.take(.foundNothing(run, generation: generation), at: 0)
    #expect(loads.engine.kept.rows(in: .failures).map { $0 } == [loads.rows[1]])
    return loads
  }

  @Test("A row that comes on screen amid a turn makes room for a further failure")
  func failureOnScreen() throws {
    let loads = try failAgain { $0.engine.take(.willDisplay($0.cells[0]), at: 0) }
    #expect(loads.engine.rows[loads.rows[0]].hasFailed)
    #expect(loads.engine.rows[loads.rows[1]].knowledge == .nothing)
  }

  @Test("A failure that is dropped amid a turn is kept no longer, though its row has new events")
  func failureAmidTurn() throws {
    let loads = try failAgain { $0.flash(0) }
    #expect(loads.engine.rows[loads.rows[0]].work == .none)
  }

  @Test("A row whose load is out of date waits for the next one in the turn of the timeout")
  func outdatedTimeout() {
    var loads = Loads(rows: 1) { $0.timeout = 100 }
    loads.display(0)
    loads.engine.take(.invalidate(loads.rows), at: 0)
    loads.engine.endTurn(at: 100)
    #expect(loads.engine.rows[loads.rows[0]].work == .waiting)
  }

  @Test("A failed load is new content for a cell that comes on screen in the same turn")
  func failureAtOnce() throws {
    var loads = Loads(rows: 1)
    loads.display(0)
    let before = loads.engine.rows[loads.rows[0]].change
    let failure = TrackerEngine.Outcome.failure(FailureCause(kind: 2))
    loads.engine.take(.end(try loads.run(0), failure), at: 0)
    #expect(loads.engine.rows[loads.rows[0]].change != before)
  }

  @Test("A load counts as finished off screen only if its row has no claim any more")
  func finishedOffScreen() throws {
    var loads = Loads(rows: 2)
    for row in 0..<2 { loads.display(row) }
    try loads.end(0, with: .value(cost: 1))
    #expect(loads.engine.counts(at: 0).finishedOffScreen == 0)
    loads.engine.take(.didEndDisplaying(loads.cells[1]), at: 0)
    loads.engine.endTurn(at: 0)
    try loads.end(1, with: .value(cost: 1))
    #expect(loads.engine.counts(at: 0).finishedOffScreen == 1)
  }
}
