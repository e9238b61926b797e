import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Positions of rows off screen")
  struct RowLinesTests {
    /// Rows of a list, one per line, from an index on.
    private func list(from first: Int, at start: Double = 0, heights: [Double]) -> RowLines? {
      var end = start
      return RowLines(
        heights.enumerated().map { index, height in
          defer { end += height }
          return RowLines.Row(index: first + index, start: end, end: end + height)
        })
    }

    @Test("Rows on screen lie where they were seen, also the row at each edge")
    func onScreen() throws {
      let lines = try #require(list(from: 10, at: -30, heights: [50, 100, 20, 400]))
      #expect(lines.indices(in: 0...500, count: 100) == 10..<14)
      #expect(lines.indices(in: 21...119, count: 100) == 11..<12)
      #expect(lines.indices(in: 119...121, count: 100) == 11..<13)
    }

    @Test("Rows below and above the screen follow at the mean extent of the rows on screen")
    func beyond() throws {
      let lines = try #require(list(from: 20, heights: [40, 60, 50, 50]))
      // A line every 50 points, the last one from 150.
      #expect(lines.indices(in: 1_150...1_350, count: 1_000) == 43..<47)
      #expect(lines.indices(in: -500...(-300), count: 1_000) == 10..<14)
      #expect(lines.indices(in: -480...(-299), count: 1_000) == 10..<15)
    }

    @Test("A landing includes rows on screen and rows off screen")
    func overlap() throws {
      let lines = try #require(list(from: 20, heights: [50, 50, 50, 50]))
      #expect(lines.indices(in: 120...320, count: 100) == 22..<27)
      #expect(lines.indices(in: -80...120, count: 100) == 18..<23)
    }

    @Test("The list has no rows beyond its ends")
    func ends() throws {
      let lines = try #require(list(from: 2, heights: [50, 50]))
      #expect(lines.indices(in: -1_000...(-900), count: 5).isEmpty)
      #expect(lines.indices(in: -200...0, count: 5) == 0..<2)
      #expect(lines.indices(in: 100...900, count: 5) == 4..<5)
      #expect(lines.indices(in: 5_000...6_000, count: 5).isEmpty)
      #expect(lines.indices(in: 0...1e300, count: 5) == 2..<5)
    }

    @Test("The number of columns of a grid is the distance between the indices of its lines")
    func grid() throws {
      let rows = (0..<12).map { index in
        let line = Double(index / 3)
        return RowLines.Row(index: 30 + index, start: line * 110, end: line * 110 + 100)
      }
      let lines = try #require(RowLines(rows.shuffled()))
      // Four lines of three rows on screen, a line every 110 points.
      #expect(lines.indices(in: 0...430, count: 1_000) == 30..<42)
      #expect(lines.indices(in: 1_100...1_500, count: 1_000) == 60..<72)
      #expect(lines.indices(in: -220...(-10), count: 1_000) == 24..<30)
    }

    @Test("Cells of one line can differ in height")
    func raggedGrid() throws {
      let lines = try #require(
        RowLines([
          .init(index: 0, start: 0, end: 100), .init(index: 1, start: 30, end: 70),
          .init(index: 2, start: 100, end: 200), .init(index: 3, start: 120, end: 180),
        ]))
      #expect(lines.indices(in: 400...600, count: 100) == 8..<12)
    }

    /// Items with several rows, one below the other, from a row of the first item on.
    private func stacked(
      _ items: ClosedRange<Int>, heights: [Double] = [20, 20, 20], dropping cut: Int = 0,
      last rows: Int? = nil, isMirrored: Bool = false
    ) -> RowLines? {
      let all = items.flatMap { item in heights.map { (item, $0) } }
      let hidden = heights.count - (rows ?? heights.count)
      var end = 0.0
      let shown = all.dropLast(hidden).dropFirst(cut).map { item, height in
        defer { end += height }
        return isMirrored
          ? RowLines.Row(index: item, start: -end - height, end: -end)
          : RowLines.Row(index: item, start: end, end: end + height)
      }
      return RowLines(shown.reversed())
    }

    @Test(
      "Items with several rows, one below the other, follow at the mean extent of the items",
      arguments: [0, 1, 2], [1, 2, 3])
    func stackedRows(cut: Int, rows: Int) throws {
      let lines = try #require(stacked(10...14, dropping: cut, last: rows))
      // Item 10 begins here, with its rows off screen, and an item has 60 points.
      let start = -20 * Double(cut)
      func items(_ range: Range<Int>) -> Range<Int> {
        let edges = (range.lowerBound - 10, range.upperBound - 10)
        let (low, high) = (start + 60 * Double(edges.0) + 1, start + 60 * Double(edges.1) - 1)
        return lines.indices(in: low...high, count: 100)
      }
      for range in [10..<15, 11..<12, 14..<15, 15..<16, 25..<27, 9..<10, 2..<5] {
        #expect(items(range) == range)
      }
    }

    @Test("A header above each item belongs to its extent")
    func unequalRows() throws {
      let lines = try #require(stacked(10...13, heights: [20, 180], dropping: 1, last: 1))
      // Item 35 begins 20 points above this stretch, and item 38 within it.
      #expect(lines.indices(in: 5_000...5_600, count: 100) == 35..<39)
    }

    @Test("One item with several rows does not change the columns of a grid")
    func bannerInGrid() throws {
      let grid = [1, 4, 8, 11, 14].enumerated().flatMap { line, first in
        (first..<first + 3).map { index in
          let start = 100 * Double(line < 2 ? line : line + 1)
          return RowLines.Row(index: index, start: start, end: start + 100)
        }
      }
      let banner = [200.0, 250.0].map { RowLines.Row(index: 7, start: $0, end: $0 + 50) }
      let lines = try #require(RowLines(grid + banner))
      #expect(lines.indices(in: 1_150...1_550, count: 100) == 32..<47)
    }

    @Test("Columns of items with several rows each are a grid")
    func gridOfStacks() throws {
      let rows = (0..<8).flatMap { index in
        [0, 20].map { offset in
          let start = 40 * Double(index / 2) + offset
          return RowLines.Row(index: index, start: start, end: start + 20)
        }
      }
      let lines = try #require(RowLines(rows))
      #expect(lines.indices(in: 401...479, count: 100) == 20..<24)
    }

    @Test("A caption that begins beside an item's picture leaves the item in one line")
    func captionBesidePicture() throws {
      let rows = (0..<4).flatMap { index in
        let start = 100 * Double(index)
        return [
          RowLines.Row(index: index, start: start + 5, end: start + 95),
          RowLines.Row(index: index, start: start, end: start + 20),
        ]
      }
      let lines = try #require(RowLines(rows))
      #expect(lines.indices(in: 3_001...3_394, count: 100) == 30..<34)
    }

    @Test("Items with several rows may also run against the axis")
    func mirroredStackedRows() throws {
      let lines = try #require(stacked(10...14, isMirrored: true))
      #expect(lines.indices(in: -130...(-70), count: 100) == 11..<13)
      #expect(lines.indices(in: -959...(-901), count: 100) == 25..<26)
    }

    @Test(
      "Of items with several rows, two that may be cut show only themselves", arguments: [10, 11])
    func cutItems(last: Int) throws {
      let lines = try #require(stacked(10...last))
      let end = last == 10 ? 60.0 : 120
      #expect(lines.indices(in: 10...end - 10, count: 100) == 10..<last + 1)
      #expect(lines.indices(in: -400...4_000, count: 100) == 10..<last + 1)
      #expect(lines.indices(in: end + 1...4_000, count: 100).isEmpty)
      #expect(lines.indices(in: -400...(-1), count: 100).isEmpty)
    }

    @Test("Rows of one item that lie side by side are in one line")
    func severalRows() throws {
      let lines = try #require(
        RowLines([
          .init(index: 0, start: 0, end: 100), .init(index: 0, start: 20, end: 40),
          .init(index: 1, start: 100, end: 200), .init(index: 1, start: 120, end: 140),
        ]))
      #expect(lines.indices(in: 300...400, count: 100) == 3..<4)
    }

    @Test("The last line on screen ends after its own last row, however many rows it has")
    func longLastLine() throws {
      let lines = try #require(
        RowLines([
          .init(index: 0, start: 0, end: 100), .init(index: 1, start: 100, end: 200),
          .init(index: 2, start: 200, end: 300), .init(index: 3, start: 200, end: 300),
          .init(index: 4, start: 200, end: 300),
        ]))
      #expect(lines.indices(in: 150...250, count: 100) == 1..<5)
      #expect(lines.indices(in: 150...300, count: 100) == 1..<5)
    }

    @Test("Rows of the order without a frame leave no gap in the lines")
    func mixed() throws {
      let lines = try #require(
        RowLines([
          .init(index: 0, start: 0, end: 50), .init(index: 1, start: 50, end: 100),
          .init(index: 3, start: 150, end: 200), .init(index: 4, start: 200, end: 250),
        ]))
      #expect(lines.indices(in: 0...250, count: 100) == 0..<5)
    }

    @Test("The lines of a list that runs from right to left are recognised")
    func mirrored() throws {
      let lines = try #require(
        RowLines(
          (0..<4).map { index in
            let end = 400 - Double(index) * 100
            return RowLines.Row(index: index, start: end - 100, end: end)
          }))
      #expect(lines.indices(in: 0...400, count: 100) == 0..<4)
      #expect(lines.indices(in: -800...(-400), count: 100) == 8..<12)
    }

    @Test("One row on screen gives the extent of all rows")
    func alone() throws {
      let lines = try #require(list(from: 7, at: -100, heights: [600]))
      #expect(lines.indices(in: 1_100...1_700, count: 100) == 9..<10)
      #expect(lines.indices(in: 1_100...1_701, count: 100) == 9..<11)
    }

    @Test("Rows that take less than a point give no lines")
    func unknown() {
      #expect(RowLines([]) == nil)
      #expect(RowLines([.init(index: 0, start: 5, end: 5)]) == nil)
      #expect(RowLines([.init(index: 0, start: 0, end: .infinity)]) == nil)
      #expect(RowLines([.init(index: 0, start: 0, end: 0.1)]) == nil)
      #expect(RowLines([.init(index: 0, start: 0, end: 1)]) != nil)
    }

    @Test("A row that takes no space among others is in no line")
    func flat() throws {
      let rows: [RowLines.Row] = [
        .init(index: 1, start: 0, end: 100), .init(index: 2, start: 100, end: 200),
      ]
      for flat in [
        RowLines.Row(index: 0, start: -10, end: -10), .init(index: 3, start: 900, end: 900),
        .init(index: 3, start: 900, end: 899), .init(index: 3, start: 200, end: .infinity),
      ] {
        let lines = try #require(RowLines(rows + [flat]))
        #expect(lines.indices(in: 350...360, count: 100) == 4..<5)
      }
    }

    @Test("A tall row that begins beside a short one begins a line, one that begins before it none")
    func tall() throws {
      func begins(at start: Double) -> RowLines? {
        RowLines([
          .init(index: 0, start: 0, end: 10), .init(index: 1, start: start, end: 100),
          .init(index: 2, start: 100, end: 200),
        ])
      }
      let lines = try #require(begins(at: 0))
      // A line every 50 points.
      #expect(lines.indices(in: 210...240, count: 100) == 4..<5)
      #expect(begins(at: -1) == nil)
    }

    @Test("Rows that lie in no lines, as in a pile, give no lines")
    func pile() {
      #expect(
        RowLines([
          .init(index: 0, start: 0, end: 10), .init(index: 1, start: 500, end: 510),
          .init(index: 2, start: 100, end: 110),
          .init(index: 3, start: 900, end: 910),
        ]) == nil)
    }
  }
}
