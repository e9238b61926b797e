import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The views of rows in a list without cells")
  @MainActor
  struct ListedRowsTests {
    private typealias ScreenRow = RowListTests.ScreenRow

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
