import Testing

@testable import RowOperations

private let millisecond: Int64 = 1_000_000

@Suite("Loads of moving lists in the engine")
struct MovingLoadsTests {
  /// A list that scrolls backward by three rows within 80 ms, to positions 2 to 6.
  private struct Scroll {
    var engine: TrackerEngine
    let rows: [RowID]

    init(batchSize: Int = 0) throws {
      var settings = TrackerEngine.Settings()
      settings.batchSize = batchSize
      var engine = TrackerEngine(settings: settings)
      rows = (0..<20).map { _ in engine.addRow() }
      self.engine = engine
      try show(5..<10, new: [], at: 0)
      try show(3..<8, new: [4, 3], at: 10 * millisecond)
      try show(2..<7, new: [2], at: 80 * millisecond)
    }

    private mutating func show(_ shown: Range<Int>, new: [Int], at now: Int64) throws {
      if !new.isEmpty { engine.take(.scrollDidMove(1), at: now) }
      for row in new { _ = engine.addCell(of: rows[row]) }
      let span = try #require(ShownPositions(bounds: 0..<20, shown: shown))
      engine.take(.listShows(1, [span], isOtherData: false), at: now)
      for reading in engine.unreadPositions(of: 1) {
        let places = reading.positions.map { OrderWindow.Place.row(rows[$0]) }
        engine.take(.positionsRead(reading.key, reading.positions, places), at: now)
      }
      engine.take(.endReading(1), at: now)
      engine.endTurn(at: now)
    }

    /// Prefetches rows, and returns the one that yields first 60 ms later.
    mutating func least(among positions: [Int]) -> RunID? {
      engine.take(.prefetch(positions.map { rows[$0] }), at: 80 * millisecond)
      engine.load(at: 80 * millisecond)
      engine.endTurn(at: 80 * millisecond)
      return engine.leastPrefetch(engine.choice(at: 140 * millisecond))?.run
    }

    func load(of position: Int) throws -> RunID {
      engine.load(of: try #require(engine.rows[rows[position]].run))
    }
  }

  @Test("A prefetch behind the screen yields before one that the list comes to")
  func behind() throws {
    var scroll = try Scroll()
    let least = scroll.least(among: [1, 8])
    #expect(try least == scroll.load(of: 8))
  }

  @Test("A batch of prefetches loses as much as its row that loses most")
  func batches() throws {
    var scroll = try Scroll(batchSize: 2)
    let least = scroll.least(among: [9, 1, 8, 10])
    #expect(try least == scroll.load(of: 8))
  }

  @Test("Of prefetches that lose the same, the one that is announced first yields")
  func equals() {
    var engine = TrackerEngine()
    let rows = (0..<2).map { _ in engine.addRow() }
    engine.take(.prefetch([rows[1]]), at: 0)
    engine.take(.prefetch([rows[0]]), at: 0)
    engine.load()
    engine.endTurn(at: 1)
    let least = engine.leastPrefetch(engine.choice(at: 1))
    #expect(least?.run == engine.rows[rows[1]].run && least?.loss == .lowest)
  }

  @Test("A prefetch yields no slot in the turn in which it began, nor while it is on screen")
  func tooEarly() {
    var engine = TrackerEngine()
    let row = engine.addRow()
    engine.take(.prefetch([row]), at: 0)
    engine.load()
    #expect(engine.leastPrefetch(engine.choice(at: 1)) == nil)
    engine.endTurn(at: 1)
    #expect(engine.leastPrefetch(engine.choice(at: 1)) != nil)
    _ = engine.addCell(of: row)
    #expect(engine.leastPrefetch(engine.choice(at: 1)) == nil)
  }

  @Test("What a prefetch has run counts for what it loses")
  func elapsed() {
    let wait = Wait(load: 100, due: 1, slots: 1)
    let visit = Visit(begin: 20, end: 1_000)
    #expect(wait.urgency(of: visit, elapsed: 40) == Urgency(share: 1.4))
    #expect(wait.urgency(of: visit, elapsed: 90) == Urgency(share: 1.8))
    #expect(wait.urgency(of: visit, elapsed: 200) == Urgency(share: 1.8))
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
