import Testing

@testable import RowOperationsTesting

@Suite("Row geometry")
struct RowGeometryTests {
  static func rows(_ count: Int, of height: Double) -> RowGeometry {
    RowGeometry(heights: Array(repeating: height, count: count))
  }

  @Test("Rows of one height lie one after another")
  func fixed() {
    let rows = Self.rows(100, of: 44)
    #expect(rows.count == 100)
    #expect(rows.contentHeight == 4400)
    #expect(rows.extent(of: 0) == 0..<44)
    #expect(rows.extent(of: 99) == 4356..<4400)
    #expect(rows.rows(in: 100..<200) == 2..<5)
  }

  @Test("Rows of different heights lie one after another")
  func varying() {
    let rows = RowGeometry(heights: [10, 0, 30, 5.5])
    #expect(rows.count == 4)
    #expect(rows.contentHeight == 45.5)
    #expect((0..<4).map(rows.extent) == [0..<10, 10..<10, 10..<40, 40..<45.5])
    #expect(rows.rows(in: 20..<41) == 2..<4)
  }

  @Test("A range that ends where a row begins does not show that row")
  func edges() {
    let rows = Self.rows(5, of: 10)
    #expect(rows.rows(in: 10..<30) == 1..<3)
    #expect(rows.rows(in: 10..<30.5) == 1..<4)
    #expect(rows.rows(in: 9.5..<30) == 0..<3)
    #expect(rows.rows(in: 0..<50) == 0..<5)
  }

  @Test("A range can reach beyond both ends of the list or lie outside it")
  func beyond() {
    let rows = Self.rows(3, of: 10)
    #expect(rows.rows(in: -100..<5) == 0..<1)
    #expect(rows.rows(in: 25..<100) == 2..<3)
    #expect(rows.rows(in: -100..<100) == 0..<3)
    #expect(rows.rows(in: -.infinity..<(.infinity)) == 0..<3)
    #expect(rows.rows(in: -20..<(-10)).isEmpty)
    #expect(rows.rows(in: -20..<0).isEmpty)
    #expect(rows.rows(in: 30..<50).isEmpty)
    #expect(rows.rows(in: 40..<50).isEmpty)
  }

  @Test("A row without a height shows between its neighbours, but not at the edge of a range")
  func zeroHeights() {
    let rows = RowGeometry(heights: [0, 10, 0, 0, 10, 0])
    #expect(rows.rows(in: 5..<15) == 1..<5)
    #expect(rows.rows(in: 0..<10) == 1..<2)
    #expect(rows.rows(in: 10..<20) == 4..<5)
    #expect(rows.rows(in: -1..<21) == 0..<6)
    #expect(RowGeometry(heights: [0, 0]).rows(in: -5..<5) == 0..<2)
    #expect(RowGeometry(heights: [0, 0]).rows(in: 0..<5).isEmpty)
  }

  @Test("A list without rows shows none", arguments: [-5.0..<5, 0..<5, 0..<0, 5..<9])
  func empty(stretch: Range<Double>) {
    let rows = RowGeometry(heights: [])
    #expect(rows.count == 0)
    #expect(rows.contentHeight == 0)
    #expect(rows.rows(in: stretch).isEmpty)
  }

  @Test("An empty range shows no row")
  func emptyStretch() {
    #expect(Self.rows(3, of: 10).rows(in: 15..<15).isEmpty)
    #expect(RowGeometry(heights: [10, 10]).rows(in: 10..<10).isEmpty)
  }

  @Test("A negative height, a height of 0 for all rows, and an unknown row are refused")
  func refused() async {
    await #expect(processExitsWith: .failure) { _ = RowGeometry(heights: [1, -1]) }
    await #expect(processExitsWith: .failure) {
      _ = await ListSimulator(rows: [1], rowHeight: 0, viewport: 100) { _ in }
    }
    await #expect(processExitsWith: .failure) { _ = RowGeometry(heights: [44]).extent(of: 1) }
  }

  // MARK: Against a scan of all rows

  /// The first difference between the rows of a range and those that a scan of all rows finds.
  static func complaint(_ rows: RowGeometry, _ stretch: Range<Double>) -> String? {
    let scanned = (0..<rows.count).filter { row in
      rows.extent(of: row).lowerBound < stretch.upperBound
        && rows.extent(of: row).upperBound > stretch.lowerBound
    }
    let found = rows.rows(in: stretch)
    guard Array(found) != scanned else { return nil }
    return "\(stretch) of \((0..<rows.count).map(rows.extent)): \(found), not \(scanned)"
  }

  @Test("All ranges of all small lists show the rows that a scan finds")
  func allSmall() {
    let edges = stride(from: -2.0, through: 10, by: 0.5)
    // Up to four rows with heights from 0 to 3.
    let allHeights: [[Double]] = (0...4).flatMap { count in
      (0..<1 << (2 * count)).map { (number: Int) -> [Double] in
        (0..<count).map { Double((number >> (2 * $0)) & 3) }
      }
    }
    for heights in allHeights {
      let lists = [
        RowGeometry(heights: heights), Self.rows(heights.count, of: 1.5),
      ]
      for list in lists {
        for from in edges {
          for to in edges where to > from {
            if let complaint = Self.complaint(list, from..<to) {
              Issue.record("\(complaint)")
              return
            }
          }
        }
      }
    }
  }

  @Test("Random ranges of random lists show the rows that a scan finds", arguments: 0..<50)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...60, using: &random)
    let heights = (0..<count).map { _ in
      Bool.random(using: &random) ? 0 : Double.random(in: 0...50, using: &random)
    }
    for list in [
      RowGeometry(heights: heights), Self.rows(count, of: 1 + 1 / Double(seed + 3)),
    ] {
      for _ in 0..<100 {
        // Half of the ranges go exactly from the edge of one row to the edge of another.
        func offset() -> Double {
          guard count > 0, Bool.random(using: &random) else {
            return .random(in: -100...(list.contentHeight + 100), using: &random)
          }
          return list.extent(of: .random(in: 0..<count, using: &random)).upperBound
        }
        let (a, b) = (offset(), offset())
        let complaint = a == b ? nil : Self.complaint(list, min(a, b)..<max(a, b))
        #expect(complaint == nil)
      }
    }
  }
}
