import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The views of rows in a list without cells")
  @MainActor
  struct ListedRowsTests {
    private typealias ScreenRow = RowListTests.ScreenRow

    @Test("A row belongs to the view that has shown it the longest, up to now")
    func oldestView() {
      var rows = ListedRows<Int>()
      let (first, second) = (ScreenRow(0), ScreenRow(1))
      for view in [first, second] { rows.insert(view, as: 7) }
      #expect(rows.row(firstIn: first) == 7 && rows.row(firstIn: second) == nil)
      rows.insert(first, as: 8)
      #expect(rows.row(firstIn: first) == 8 && rows.row(firstIn: second) == 7)
      rows.insert(first, as: 7)
      #expect(rows.row(firstIn: first) == nil && rows.row(firstIn: second) == 7)
    }

    @Test("The rows of a list are those of the views that are not known to be outside")
    func inside() {
      var rows = ListedRows<Int>()
      let list = RowList<Int>()
      let views = (0..<4).map { ScreenRow($0) }
      for view in views { rows.insert(view, as: view.row) }
      let before = rows.rows(in: list)
      #expect(before == [0, 1, 2, 3])
      (views[0].isInside, views[1].isInside) = (true, false)
      let after = rows.rows(in: list)
      #expect(after == [0, 2, 3])
      let isGone = rows.remove(views[0])
      let isGoneTwice = rows.remove(views[0])
      let left = rows.rows(in: list)
      #expect(left.sorted() == [2, 3] && isGone && !isGoneTwice)
    }

    @Test(
      "Released views are forgotten before there are 64 views, or twice as many as living ones",
      arguments: [(0, 63), (100, 201)])
    func released(living: Int, most: Int) {
      var rows = ListedRows<Int>()
      let kept = (0..<living).map { ScreenRow(-$0) }
      for view in kept { rows.insert(view, as: view.row) }
      // All of them exist at first, so no two have the same address.
      var views = (0..<1_000).map { ScreenRow($0) }
      var count = 0
      while let view = views.popLast() {
        rows.insert(view, as: view.row)
        count = max(count, rows.count)
      }
      #expect(count == most && kept.allSatisfy { rows.row(firstIn: $0) == $0.row })
    }
  }
}
