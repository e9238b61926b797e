import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The rows of a batch in the engine")
struct BatchEngineTests {
  /// An engine with two rows, which load in one batch.
  private struct Pair {
    var engine: TrackerEngine
    let rows: [RowID]
    private let cells: [CellID]
    let batch: RunID

    init(
      isPrefetched: Bool = false, configure: (inout TrackerEngine.Settings) -> Void = { _ in }
    ) throws {
      var settings = TrackerEngine.Settings()
      settings.batchSize = 2
      configure(&settings)
      var engine = TrackerEngine(settings: settings)
      let rows = (0..<2).map { _ in engine.addRow() }
      let cells = (0..<2).map { _ in engine.addCell() }
      if isPrefetched { engine.take(.prefetch(rows), at: 0) }
      for (row, cell) in zip(rows, cells) where !isPrefetched {
        engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
        engine.take(.willDisplay(cell), at: 0)
      }
      engine.endTurn(at: 0)
      engine.admitAll(SlotTable(count: 1), at: 0)
      batch = try #require(engine.runs.ids.first { engine.runs[$0].role == .batch })
      (self.engine, self.rows, self.cells) = (engine, rows, cells)
    }

    /// The app has made the operation of the batch.
    mutating func make() { make(batch) }

    mutating func make(_ batch: RunID) {
      engine.take(.made(batch, generation: engine.runs[batch].generation), at: 0)
    }

    mutating func leave(_ index: Int, at now: Int64 = 0) {
      engine.take(.didEndDisplaying(cells[index]), at: now)
      engine.endTurn(at: now)
    }

    mutating func comeBack(_ index: Int) {
      engine.take(.willDisplay(cells[index]), at: 0)
      engine.endTurn(at: 0)
      engine.admitAll(SlotTable(count: 2), at: 0)
    }

    func member(_ index: Int) throws -> RunID { try #require(engine.rows[rows[index]].run) }

    mutating func end(_ run: RunID, with outcome: TrackerEngine.Outcome, at now: Int64 = 0) {
      engine.take(.end(run, outcome), at: now)
    }
  }

  @Test("A row that is set before the operation is made is no part of it")
  func setBeforeOperation() throws {
    var pair = try Pair()
    pair.engine.take(.setValue(pair.rows[0], cost: 1), at: 0)
    #expect(pair.engine.counts(at: 0).started == 1)
    pair.make()
    let engine = pair.engine
    #expect(engine.runs.members(of: pair.batch).map { engine.runs[$0].row } == [pair.rows[1]])
  }

  @Test("A row of a batch counts as finished off screen only if it has left")
  func finishedOffScreen() throws {
    var pair = try Pair()
    pair.make()
    let members = [try pair.member(0), try pair.member(1)]
    pair.leave(1)
    pair.end(members[0], with: .value(cost: 1))
    #expect(pair.engine.counts(at: 0).finishedOffScreen == 0)
    pair.end(members[1], with: .value(cost: 1))
    #expect(pair.engine.counts(at: 0).finishedOffScreen == 1)
  }

  @Test("Batches of a moving list that start in one turn have no row in common")
  func moving() throws {
    var engine = try Pair().engine
    engine.take(.scrollWillBegin(0), at: 0)
    let span = try #require(ShownPositions(bounds: 0..<9, shown: 0..<1))
    engine.take(.listShows(1, [span], isOtherData: false), at: 0)
    for _ in 0..<3 {
      let (row, cell) = (engine.addRow(), engine.addCell())
      engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
      engine.take(.willDisplay(cell), at: 0)
    }
    engine.endTurn(at: 0)
    engine.admitAll(SlotTable(count: 3), at: 0)
    let batches = engine.runs.ids.filter { engine.runs[$0].role == .batch }
    let rows = batches.flatMap { engine.runs.members(of: $0).map { engine.runs[$0].row } }
    #expect(batches.count == 3 && rows.count == 5 && Set(rows).count == 5)
  }

  @Test("A row does not keep its batch once it has its value, is refused or has timed out")
  func gone() throws {
    var pair = try Pair()
    pair.make()
    let members = [try pair.member(0), try pair.member(1)]
    pair.end(members[0], with: .value(cost: 1))
    #expect(pair.engine.batches.standing(of: members[0]) == .gone)
    pair.engine.take(.invalidate([pair.rows[1]]), at: 0)
    pair.leave(1)
    #expect(pair.engine.batches.standing(of: members[1]) == .left)
    pair.end(members[1], with: .value(cost: 1))
    #expect(pair.engine.counts(at: 0).refusedStale == 1)
    #expect(pair.engine.batches.standing(of: members[1]) == .gone)
    var late = try Pair { $0.timeout = 10 }
    late.make()
    late.engine.endTurn(at: 10)
    #expect(late.engine.counts(at: 10).failed == 2 && late.engine.batches.isEmpty(late.batch))
  }

  @Test("A cancelled batch says nothing about the time of a load")
  func cancelled() throws {
    var pair = try Pair()
    pair.make()
    for index in 0..<2 { pair.leave(index) }
    pair.engine.endTurn(at: 400)
    #expect(pair.engine.runs[pair.batch].stage == .current)
    pair.engine.endTurn(at: 200_000_000)
    #expect(pair.engine.runs[pair.batch].stage == .cancelled)
    pair.engine.take(.end(pair.batch, .value(cost: 1)), at: 230_000_000)
    #expect(pair.engine.gate.loadTimes.median == nil)
  }

  @Test("A row that has failed counts as failed again when a batch ends that it has left")
  func failedAgain() throws {
    var pair = try Pair { $0.batchSize = 1 }
    pair.make()
    pair.end(pair.batch, with: .failure(FailureCause(kind: 2)))
    #expect(pair.engine.rows[pair.rows[0]].work == .failed)
    // The row loads on its next display, and leaves once more.
    pair.leave(0)
    pair.engine.endTurn(at: 0)
    pair.comeBack(0)
    let member = try pair.member(0)
    let batch = pair.engine.load(of: member)
    pair.make(batch)
    pair.leave(0)
    pair.end(batch, with: .failure(FailureCause(kind: 3)))
    #expect(pair.engine.rows[pair.rows[0]].work == .failed)
  }

  @Test("Each progress of a batch is rendered in the cells of its rows")
  func progress() throws {
    var pair = try Pair()
    pair.make()
    pair.engine.pass()
    pair.engine.performEffects()
    for _ in 0..<2 {
      pair.engine.take(.step(pair.batch, hasValue: false), at: 0)
      pair.engine.pass()
      #expect(pair.engine.performEffects().count == 2)
    }
  }

  @Test(
    "A prefetch is in vain once its row is removed, has failed, has left or has timed out",
    arguments: ["removed", "failed", "left", "timed out"])
  func inVain(end: String) throws {
    var pair = try Pair(isPrefetched: true) { $0.timeout = 100_000_000 }
    pair.make()
    switch end {
    case "removed": pair.engine.take(.remove([pair.rows[0]]), at: 0)
    case "failed": pair.end(pair.batch, with: .failure(FailureCause(kind: 2)))
    case "left":
      pair.engine.take(.cancelPrefetch([pair.rows[0]]), at: 0)
      pair.engine.endTurn(at: 0)
      pair.end(pair.batch, with: .value(cost: 1))
    default:
      pair.engine.take(.cancelPrefetch([pair.rows[0]]), at: 0)
      pair.engine.endTurn(at: 100_000_000)
    }
    // The other row fails or goes on.
    let others = end == "removed" ? 0 : 1
    #expect(pair.engine.counts(at: 0).prefetchedInVain == 1 + others)
  }

  @Test(
    "The model agrees with the engine about rows that leave their batch, and come back",
    arguments: [
      "cW[0,1] | E0(a) E1(b) | +100ms | W0(a) | +100ms | F0 F1 |",
      "cW[0,1] | E0(a) | +200ms | W0(a) | F0 F1 |",
      "cW[0,1] | p0 | E0(a) | m0 F1 | W0(a) |",
    ])
  func leaving(script: String) throws {
    for variant in EngineVariant.batches {
      #expect(NaiveTrackerTests.complaints(try EventScript(script), variant) == [], "\(variant)")
    }
  }
}
