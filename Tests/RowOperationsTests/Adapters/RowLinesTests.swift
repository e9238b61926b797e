import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Positions of rows off screen")
  struct RowLinesTests {
    /// Rows on screen, and the rows that lie in some stretches along the axis.
    struct Example: Sendable, CustomTestStringConvertible {
      let name: String
      let rows: [RowLines.Row]
      /// The number of rows in the list.
      let count: Int
      /// `nil` for a stretch without rows.
      let found: [(ClosedRange<Double>, Range<Int>?)]
      var testDescription: String { name }

      init(
        _ name: String, _ rows: [RowLines.Row], of count: Int = 100,
        _ found: (ClosedRange<Double>, Range<Int>?)...
      ) {
        (self.name, self.rows, self.count, self.found) = (name, rows, count, found)
      }
    }

    private static func row(_ index: Int, _ start: Double, _ end: Double) -> RowLines.Row {
      RowLines.Row(index: index, start: start, end: end)
    }

    /// Rows of a list, one per line, from an index on.
    private static func list(
      from first: Int, at start: Double = 0, _ heights: [Double]
    ) -> [RowLines.Row] {
      var end = start
      return heights.enumerated().map { index, height in
        defer { end += height }
        return row(first + index, end, end + height)
      }
    }

    /// Items with several rows, one below the other, from a row of the first item on.
    private static func stacked(
      _ items: ClosedRange<Int>, heights: [Double] = [20, 20, 20], dropping cut: Int = 0,
      last rows: Int? = nil, isMirrored: Bool = false
    ) -> [RowLines.Row] {
      let all = items.flatMap { item in heights.map { (item, $0) } }
      let hidden = heights.count - (rows ?? heights.count)
      var end = 0.0
      let shown = all.dropLast(hidden).dropFirst(cut).map { item, height in
        defer { end += height }
        return isMirrored ? row(item, -end - height, -end) : row(item, end, end + height)
      }
      return shown.reversed()
    }

    /// Lines of three rows, each 100 points long.
    private static func grid(lines: [(first: Int, start: Double)]) -> [RowLines.Row] {
      lines.flatMap { first, start in (0..<3).map { row(first + $0, start, start + 100) } }
    }

    private static let lists: [Example] = [
      Example(
        "Rows on screen lie where they were seen, also the row at each edge",
        list(from: 10, at: -30, [50, 100, 20, 400]),
        (0...500, 10..<14), (21...119, 11..<12), (119...121, 11..<13)),
      Example(
        "Rows below and above the screen follow at the mean extent of the rows on screen",
        // A line every 50 points, the last one from 150.
        list(from: 20, [40, 60, 50, 50]), of: 1_000,
        (1_150...1_350, 43..<47), (-500...(-300), 10..<14), (-480...(-299), 10..<15)),
      Example(
        "A landing includes rows on screen and rows off screen",
        list(from: 20, [50, 50, 50, 50]), (120...320, 22..<27), (-80...120, 18..<23)),
      Example(
        "The list has no rows beyond its ends", list(from: 2, [50, 50]), of: 5,
        (-1_000...(-900), nil), (-200...0, 0..<2), (100...900, 4..<5), (5_000...6_000, nil),
        (0...1e300, 2..<5)),
      Example(
        "The lines of a list that runs from right to left are recognised",
        stacked(0...3, heights: [100], isMirrored: true),
        (-400...0, 0..<4), (-1_200...(-800), 8..<12)),
      Example(
        "One row on screen gives the extent of all rows", list(from: 7, at: -100, [600]),
        (1_100...1_700, 9..<10), (1_100...1_701, 9..<11)),
      Example(
        "Rows of the order without a frame leave no gap in the lines",
        [row(0, 0, 50), row(1, 50, 100), row(3, 150, 200), row(4, 200, 250)], (0...250, 0..<5)),
      Example(
        "A tall row that begins beside a short one begins a line",
        // A line every 50 points.
        [row(0, 0, 10), row(1, 0, 100), row(2, 100, 200)], (210...240, 4..<5)),
    ]

    private static let grids: [Example] = [
      Example(
        "The number of columns of a grid is the distance between the indices of its lines",
        // Four lines of three rows on screen, a line every 110 points.
        grid(lines: [(30, 0), (33, 110), (36, 220), (39, 330)]).shuffled(), of: 1_000,
        (0...430, 30..<42), (1_100...1_500, 60..<72), (-220...(-10), 24..<30)),
      Example(
        "Cells of one line can differ in height",
        [row(0, 0, 100), row(1, 30, 70), row(2, 100, 200), row(3, 120, 180)],
        (400...600, 8..<12)),
      Example(
        "The last line on screen ends after its own last row, however many rows it has",
        [row(0, 0, 100), row(1, 100, 200), row(2, 200, 300), row(3, 200, 300), row(4, 200, 300)],
        (150...250, 1..<5), (150...300, 1..<5)),
      Example(
        "One item with several rows does not change the columns of a grid",
        grid(lines: [(1, 0), (4, 100), (8, 300), (11, 400), (14, 500)])
          + [row(7, 200, 250), row(7, 250, 300)],
        (1_150...1_550, 32..<47)),
      Example(
        "Columns of items with several rows each are a grid",
        (0..<8).flatMap { item in
          let start = 40 * Double(item / 2)
          return [row(item, start, start + 20), row(item, start + 20, start + 40)]
        },
        (401...479, 20..<24)),
    ]

    private static let items: [Example] = [
      Example(
        "A header above each item belongs to its extent",
        // Item 35 begins 20 points above this stretch, and item 38 within it.
        stacked(10...13, heights: [20, 180], dropping: 1, last: 1), (5_000...5_600, 35..<39)),
      Example(
        "A caption that begins beside an item's picture leaves the item in one line",
        (0..<4).flatMap { index in
          let start = 100 * Double(index)
          return [row(index, start + 5, start + 95), row(index, start, start + 20)]
        },
        (3_001...3_394, 30..<34)),
      Example(
        "Rows of one item that lie side by side are in one line",
        [row(0, 0, 100), row(0, 20, 40), row(1, 100, 200), row(1, 120, 140)],
        (300...400, 3..<4)),
      Example(
        "Items with several rows may also run against the axis",
        stacked(10...14, isMirrored: true), (-130...(-70), 11..<13), (-959...(-901), 25..<26)),
      Example(
        "One item that may be cut shows only itself", stacked(10...10),
        (10...50, 10..<11), (-400...4_000, 10..<11), (61...4_000, nil), (-400...(-1), nil)),
      Example(
        "Two items that may be cut show only themselves", stacked(10...11),
        (10...110, 10..<12), (-400...4_000, 10..<12), (121...4_000, nil), (-400...(-1), nil)),
    ]

    @Test("Rows lie where the rows on screen put them", arguments: lists + grids + items)
    func examples(example: Example) throws {
      let lines = try #require(RowLines(example.rows))
      for (stretch, expected) in example.found {
        let found = lines.indices(in: stretch, count: example.count)
        #expect(expected.map { found == $0 } ?? found.isEmpty, "\(found) in \(stretch)")
      }
    }

    @Test(
      "Items with several rows, one below the other, follow at the mean extent of the items",
      arguments: [0, 1, 2], [1, 2, 3])
    func stackedRows(cut: Int, rows: Int) throws {
      let lines = try #require(RowLines(Self.stacked(10...14, dropping: cut, last: rows)))
      // Item 10 begins here, with its rows off screen, and an item has 60 points.
      let start = -20 * Double(cut)
      for range in [10..<15, 11..<12, 14..<15, 15..<16, 25..<27, 9..<10, 2..<5] {
        let low = start + 60 * Double(range.lowerBound - 10) + 1
        let high = start + 60 * Double(range.upperBound - 10) - 1
        #expect(lines.indices(in: low...high, count: 100) == range)
      }
    }

    @Test("A row that takes no space among others is in no line")
    func flat() throws {
      let rows = [Self.row(1, 0, 100), Self.row(2, 100, 200)]
      for flat in [
        Self.row(0, -10, -10), Self.row(3, 900, 900), Self.row(3, 900, 899),
        Self.row(3, 200, .infinity),
      ] {
        let lines = try #require(RowLines(rows + [flat]))
        #expect(lines.indices(in: 350...360, count: 100) == 4..<5)
      }
    }

    @Test("Rows that take less than a point, or lie in no lines, give no lines")
    func unknown() {
      let pile = [(0, 0.0), (1, 500), (2, 100), (3, 900)].map { Self.row($0, $1, $1 + 10) }
      let tallBeforeShort = [Self.row(0, 0, 10), Self.row(1, -1, 100), Self.row(2, 100, 200)]
      for rows in [
        [], [Self.row(0, 5, 5)], [Self.row(0, 0, .infinity)], [Self.row(0, 0, 0.1)], pile,
        tallBeforeShort,
      ] {
        #expect(RowLines(rows) == nil)
      }
      #expect(RowLines([Self.row(0, 0, 1)]) != nil)
    }
  }
}
