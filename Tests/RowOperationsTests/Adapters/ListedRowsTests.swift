import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The views of rows in a list without cells")
  @MainActor
  struct ListedRowsTests {
    @Test("A row belongs to the view that has shown it the longest, up to now")
    func oldestView() {
      var rows = ListedRows<Int>()
      let (first, second) = (RowListTests.ScreenRow(0), RowListTests.ScreenRow(1))
      for view in [first, second] { _ = rows.insert(view, as: 7) }
      #expect(rows.row(firstIn: first) == 7 && rows.row(firstIn: second) == nil)
      _ = rows.insert(first, as: 8)
      #expect(rows.row(firstIn: first) == 8 && rows.row(firstIn: second) == 7)
      _ = rows.insert(first, as: 7)
      #expect(rows.row(firstIn: first) == nil && rows.row(firstIn: second) == 7)
    }
  }
}
