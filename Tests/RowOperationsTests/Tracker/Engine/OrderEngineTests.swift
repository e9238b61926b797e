import Testing

@testable import RowOperations

@Suite("The windows of lists in the engine")
struct OrderEngineTests {
  /// An engine whose lists show its rows.
  private struct Feed {
    var engine: TrackerEngine
    let rows: [RowID]

    init(rows count: Int, configure: (inout TrackerEngine.Settings) -> Void = { _ in }) {
      var settings = TrackerEngine.Settings()
      configure(&settings)
      var engine = TrackerEngine(settings: settings)
      rows = (0..<count).map { _ in engine.addRow() }
      self.engine = engine
    }

    /// Lets a list show positions, which have the rows with these numbers.
    mutating func show(_ shown: Range<Int>, in list: ListNumber, rows order: [Int]) throws {
      let span = try #require(ShownPositions(bounds: 0..<order.count, shown: shown))
      engine.take(.listShows(list, [span], isOtherData: false), at: 0)
      for reading in engine.unreadPositions(of: list) {
        let places = reading.positions.map { OrderWindow.Place.row(rows[order[$0]]) }
        engine.take(.positionsRead(reading.key, reading.positions, places), at: 0)
      }
      engine.take(.endReading(list), at: 0)
    }

    mutating func display(_ row: Int) {
      let cell = engine.addCell()
      engine.take(.bind(cell, to: rows[row], in: nil, rendersLeaving: false), at: 0)
      engine.take(.willDisplay(cell), at: 0)
    }

    /// Claims the rows around the screen.
    ///
    /// - Returns: Their numbers.
    mutating func expect() -> [Int] {
      let expected = engine.expectRows(at: 0)
      engine.endTurn(at: 0)
      return expected.compactMap { rows.firstIndex(of: $0) }
    }
  }

  @Test("A value that the list comes to next is dropped after older and newer ones")
  func expectedValue() throws {
    var feed = Feed(rows: 8) { $0.valueLimit = 3 }
    for row in 0..<3 {
      feed.engine.take(.setValue(feed.rows[row], cost: 1), at: 0)
      feed.engine.endTurn(at: 0)
    }
    #expect(feed.engine.kept.rows(in: .values).map { $0 } == Array(feed.rows[0..<3]))
    feed.display(7)
    try feed.show(1..<2, in: 1, rows: [6, 7, 0])
    #expect(feed.expect() == [0, 6])
    for row in 3..<5 {
      feed.engine.take(.setValue(feed.rows[row], cost: 1), at: 0)
      feed.engine.endTurn(at: 0)
    }
    let kept = (0..<5).filter { feed.engine.rows[feed.rows[$0]].hasValue }
    #expect(kept == [0, 3, 4])
  }

  @Test("Rows that lists come to next take the place of those that the app has announced first")
  func announced() throws {
    var feed = Feed(rows: 6) { $0.prefetchWindow.limit = 3 }
    feed.engine.take(.prefetch([feed.rows[3], feed.rows[4], feed.rows[5]]), at: 0)
    feed.engine.endTurn(at: 0)
    feed.display(1)
    try feed.show(1..<2, in: 1, rows: [0, 1, 2])
    #expect(feed.expect() == [2, 0])
    let claimed = feed.rows.indices.filter { feed.engine.rows[feed.rows[$0]].isPrefetched }
    #expect(claimed.count == 3 && claimed.prefix(2) == [0, 2])
  }

  @Test("A row that two lists have on screen belongs to the one that shows it at a position")
  func otherLists() throws {
    var feed = Feed(rows: 4)
    for row in 0..<3 { feed.display(row) }
    try feed.show(0..<1, in: 2, rows: [1, 3])
    #expect(feed.engine.displayedRows(besidesListsOtherThan: 1) == [feed.rows[0], feed.rows[2]])
    #expect(feed.engine.displayedRows(besidesListsOtherThan: 2) == Array(feed.rows[0..<3]))
    #expect(feed.engine.displayed(feed.rows) == Array(feed.rows[0..<3]))
  }

  @Test("Each list knows the positions of its rows near the screen")
  func positions() throws {
    var feed = Feed(rows: 3)
    try feed.show(0..<1, in: 1, rows: [0, 1])
    try feed.show(0..<1, in: 2, rows: [1, 0])
    #expect(feed.rows.map { feed.engine.position(of: $0, in: 1) } == [0, 1, nil])
    #expect(feed.rows.map { feed.engine.position(of: $0, in: 2) } == [1, 0, nil])
    #expect(feed.engine.rows(at: 1, in: 2) == [feed.rows[0]])
    #expect(feed.engine.rows(at: 2, in: 2) == [])
    #expect(feed.engine.check(feed.rows[1], at: 0, in: 2) == .right)
    #expect(feed.engine.check(feed.rows[0], at: 0, in: 2) == .elsewhere)
    #expect(feed.engine.check(feed.rows[2], at: 0, in: 2) == .outside)
    #expect(feed.engine.check(feed.rows[0], at: 1, in: 2) == .unknown)
  }
}
