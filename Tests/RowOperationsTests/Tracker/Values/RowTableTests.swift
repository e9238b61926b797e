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

  @Test("A row is found by its new name alone, and forgotten by its number")
  func rename() {
    var table = RowTable<Int>()
    table.insert(7, RowTable.hash(7), as: RowID(index: 3))
    let version = table.version
    #expect(table.rename(RowID(index: 3), to: 8, RowTable.hash(8)) == 7)
    #expect(table.id(of: 7, RowTable.hash(7)) == nil && table.version != version)
    #expect(table.id(of: 8, RowTable.hash(8)) == RowID(index: 3))
    #expect(remove(3, from: &table) == 8)
  }

  @Test("A number that goes on as another one keeps a name until it is forgotten, and is not found")
  func unlist() {
    var table = RowTable<Int>()
    table.insert(7, RowTable.hash(7), as: RowID(index: 0))
    table.insert(8, RowTable.hash(8), as: RowID(index: 1))
    let version = table.version
    #expect(table.unlist(RowID(index: 1), as: 7) == 8 && table.version != version)
    #expect(table[RowID(index: 1)] == 7 && table.id(of: 8, RowTable.hash(8)) == nil)
    #expect(table.id(of: 7, RowTable.hash(7)) == RowID(index: 0))
    #expect(remove(1, from: &table) == 7)
    #expect(table.index.count == 1 && table.id(of: 7, RowTable.hash(7)) == RowID(index: 0))
    #expect(remove(0, from: &table) == 7)
  }
}

@Suite("The new names of rows")
struct RenamedRowsTests {
  private typealias Names = RenamedRows<Int>

  private func names(_ renames: [(Int, Int)], lists: Set<Int> = []) -> Names {
    var names = Names()
    for (number, (old, new)) in renames.enumerated() {
      _ = names.add(.init(row: new, number: number + 1, lists: lists), for: old)
    }
    return names
  }

  @Test("A name is that of a call until a turn has ended that began after the rename")
  func calls() {
    var names = names([(1, 2), (3, 4)])
    #expect(names.name(of: 1) == 2 && names.name(of: 2) == nil && !names.isEmpty)
    #expect(names.turnEnded(after: 1).count == 1)
    #expect(names.name(of: 1) == nil && names.name(of: 3) == 4)
    #expect(names.turnEnded(after: 2).count == 1 && names.isEmpty)
  }

  @Test("A name is that of a list until its data is read anew")
  func lists() {
    var names = names([(1, 2)], lists: [5, 6])
    #expect(names.turnEnded(after: 1).isEmpty && !names.isEmpty)
    #expect(names.name(of: 1) == nil && names.name(of: 1, inList: 7) == nil)
    #expect(names.name(of: 1, inList: 5) == 2 && names.name(of: 1, inList: 6) == 2)
    #expect(names.listHasOtherData(5).isEmpty)
    #expect(names.name(of: 1, inList: 5) == nil && names.name(of: 1, inList: 6) == 2)
    #expect(names.listHasOtherData(6).count == 1 && names.isEmpty)
  }

  @Test("A fresh name stays though the data of its lists is read anew")
  func fresh() {
    var names = names([(1, 2)], lists: [5])
    #expect(names.listHasOtherData(5).isEmpty)
    #expect(names.name(of: 1) == 2 && names.name(of: 1, inList: 5) == 2)
  }

  @Test("Names follow each other, and a name that is given again is that of a row")
  func chains() {
    var names = names([(1, 2), (2, 3)])
    #expect(names.name(of: 1) == 3 && names.name(of: 2) == 3)
    let gone = names.add(.init(row: 1, number: 3, lists: []), for: 3)
    #expect(gone.count == 1 && names.name(of: 1) == nil)
    #expect(names.name(of: 2) == 1 && names.name(of: 3) == 1)
    #expect(names.add(.init(row: 4, number: 4, lists: []), for: 2).count == 1)
    #expect(names.name(of: 2) == 4)
  }
}
