import Testing

@testable import RowOperations

@Suite("RowTable")
struct RowTableTests {
  /// - Returns: The removed row.
  private func remove(_ index: Int32, from table: inout RowTable<Int>) -> Int? {
    let row = table[RowID(index: index)]
    var dropped: ContiguousArray<Any> = []
    table.remove([RowID(index: index)], to: &dropped)
    return dropped.first as? Int == row ? row : -1
  }

  @Test("The removal of a row that is not in the table changes nothing")
  func removeAgain() {
    var table = RowTable<Int>()
    table.insert(7, RowTable.hash(7), as: RowID(index: 3))
    #expect(remove(5, from: &table) == nil)
    #expect(remove(3, from: &table) == 7)
    #expect(remove(3, from: &table) == nil)
    #expect(table.id(of: 7, RowTable.hash(7)) == nil)
    #expect(table[RowID(index: 3)] == nil)
  }
}
