import Testing

@testable import RowOperations

@Suite("The values that a tracker keeps, by row")
struct ValueTableTests {
  @Test("A number beyond the table has no value")
  func beyond() {
    var table = ValueTable<Int>()
    #expect(table[RowID(index: 0)] == nil)
    #expect(table.drop(RowID(index: 0)) == nil)
    #expect(table.keep(7, RowID(index: 2)) == nil)
    #expect(table.values.count == 3)
    #expect((0..<4).map { table[RowID(index: $0)] } == [nil, nil, 7, nil])
    #expect(table.drop(RowID(index: 3)) == nil)
  }

  @Test("A table counts the rows with a value, and a new value returns the one before")
  func count() {
    var table = ValueTable<Int>()
    #expect(table.keep(1, RowID(index: 0)) == nil)
    #expect(table.keep(2, RowID(index: 0)) == 1 && table.count == 1)
    #expect(table.drop(RowID(index: 0)) == 2 && table.count == 0)
    #expect(table.drop(RowID(index: 0)) == nil && table.count == 0)
  }
}
