import Testing

@testable import RowOperations

private let millisecond: Int64 = 1_000_000

@Suite("Loads of moving lists in the engine")
struct MovingLoadsTests {
  /// A list that scrolls backward by three rows within 80 ms, to positions 2 to 6.
  private struct Scroll {
    var engine: TrackerEngine
    let rows: [RowID]
    private let section: Int?

    init(section: Int? = nil, batchSize: Int = 0) throws {
      var settings = TrackerEngine.Settings()
      settings.batchSize = batchSize
      var engine = TrackerEngine(settings: settings)
      rows = (0..<20).map { _ in engine.addRow() }
      (self.engine, self.section) = (engine, section)
      try show(5..<10, new: [], at: 0)
      try show(3..<8, new: [4, 3], at: 10 * millisecond)
      try show(2..<7, new: [2], at: 80 * millisecond)
    }

    private mutating func show(_ shown: Range<Int>, new: [Int], at now: Int64) throws {
      if !new.isEmpty { engine.take(.scrollDidMove(1), at: now) }
      for row in new { _ = engine.addCell(of: rows[row]) }
      let span = try #require(ShownPositions(section: section, bounds: 0..<20, shown: shown))
      engine.take(.listShows(1, [span], isOtherData: false), at: now)
      for reading in engine.unreadPositions(of: 1) {
        let places = reading.positions.map { OrderWindow.Place.row(rows[$0]) }
        engine.take(.positionsRead(reading.key, reading.positions, places), at: now)
      }
      engine.take(.endReading(1), at: now)
      engine.endTurn(at: now)
    }

    /// Prefetches rows, and returns the one that may give its slot up after half a load.
    mutating func distant(among positions: [Int]) -> RunID? {
      engine.take(.prefetch(positions.map { rows[$0] }), at: 80 * millisecond)
      engine.load(at: 80 * millisecond)
      return engine.distantPrefetch(at: 140 * millisecond)
    }

    func load(of position: Int) throws -> RunID {
      engine.load(of: try #require(engine.rows[rows[position]].run))
    }
  }

  @Test(
    "A prefetch may give its slot up once its list, but no section of it, is over a row away",
    arguments: [(Int?.none, 7, false), (nil, 8, true), (0, 8, false)])
  func behind(section: Int?, position: Int, givesUp: Bool) throws {
    var scroll = try Scroll(section: section)
    let distant = scroll.distant(among: [position])
    #expect(try distant == (givesUp ? scroll.load(of: position) : nil))
  }

  @Test("A batch of prefetches may give its slot up once its list has left all of its rows")
  func batchBehind() throws {
    var scroll = try Scroll(batchSize: 2)
    let distant = scroll.distant(among: [8, 9])
    #expect(try distant == scroll.load(of: 8))
    var near = try Scroll(batchSize: 2)
    #expect(near.distant(among: [7, 8]) == nil)
  }

  @Test("Of prefetches that come on screen together, the one that began first gives its slot up")
  func together() throws {
    var engine = TrackerEngine()
    let rows = (0..<3).map { _ in engine.addRow() }
    let places: [OrderWindow.Place] = [.row(rows[0]), .rows([rows[1], rows[2]])]
    let span = try #require(ShownPositions(bounds: 0..<2, shown: 0..<1))
    engine.take(.listShows(1, [span], isOtherData: false), at: 0)
    engine.take(.positionsRead(OrderWindow.Key(list: 1), 0..<2, places), at: 0)
    engine.take(.endReading(1), at: 0)
    engine.take(.prefetch([rows[1], rows[2]]), at: 0)
    engine.load()
    #expect(engine.rows[rows[1]].prefetchRank == engine.rows[rows[2]].prefetchRank)
    let runs = engine.runs
    let first = runs.ids.min { runs[$0].generation < runs[$1].generation }
    #expect(runs.count == 2 && engine.distantPrefetch(at: 0) == first)
    engine.take(.scrollDidMove(1), at: 0)
    #expect(engine.distantPrefetch(at: 0) == first)
  }

  @Test("A row where one of several moving lists lands is urgent before it comes on screen")
  func landing() throws {
    var engine = TrackerEngine()
    let rows = (0..<4).map { _ in engine.addRow() }
    for (new, now) in [([0, 1], 10 * millisecond), ([2], 80 * millisecond)] {
      for list in 1...2 { engine.take(.scrollDidMove(list), at: now) }
      for row in new { _ = engine.addCell(of: rows[row]) }
      engine.endTurn(at: now)
    }
    engine.take(.scrollWillEnd(2, landingOn: [rows[3]]), at: 80 * millisecond)
    engine.endTurn(at: 80 * millisecond)
    for row in rows[..<3] { engine.take(.setValue(row, cost: 0), at: 80 * millisecond) }
    engine.endTurn(at: 80 * millisecond)
    let load = engine.nextLoad(at: 80 * millisecond)
    let next = try #require(load)
    #expect(next.row == rows[3] && next.urgency > .lowest)
  }
}
