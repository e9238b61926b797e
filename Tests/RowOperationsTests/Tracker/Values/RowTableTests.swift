import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("RowTable")
struct RowTableTests {
  /// A row with one of four hashes, so that chains grow long.
  private struct Row: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % 4) }
  }

  @Test(
    "RowTable agrees with a dictionary after random additions and removals",
    arguments: [1, 2, 3] as [UInt64])
  func likeADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = RowTable<Row>()
    var model: [Row: RowID] = [:]
    var free = (0..<200).map { RowID(index: $0) }
    for _ in 0..<5000 {
      let row = Row(number: .random(in: 0..<150, using: &random))
      if let id = model[row] {
        #expect(table.removeOne(id) == row)
        model[row] = nil
        free.append(id)
      } else {
        let id = free.remove(at: .random(in: free.indices, using: &random))
        table.insert(row, RowTable.hash(row), as: id)
        model[row] = id
      }
      let asked = Row(number: .random(in: 0..<150, using: &random))
      #expect(table.id(of: asked, RowTable.hash(asked)) == model[asked])
      if let id = model[asked] { #expect(table[id] == asked) }
    }
  }

  @Test("A number beyond those of the rows has no row")
  func unknownNumber() {
    var table = RowTable<Int>()
    #expect(table[RowID(index: 0)] == nil)
    table.insert(7, RowTable.hash(7), as: RowID(index: 0))
    #expect(table[RowID(index: 0)] == 7 && table[RowID(index: 1)] == nil)
  }

  @Test("A large table gives its memory back when its last row is removed")
  func memory() {
    var table = RowTable<Int>()
    for row in 0..<1_100 { table.insert(row, RowTable.hash(row), as: RowID(index: Int32(row))) }
    for row in 1..<1_100 { _ = table.removeOne(RowID(index: Int32(row))) }
    #expect(table[RowID(index: 0)] == 0)
    #expect(table.removeOne(RowID(index: 0)) == 0)
    #expect(table.rows.isEmpty)
  }

  @Test("The removal of a row that is not in the table changes nothing")
  func removeAgain() {
    var table = RowTable<Int>()
    table.insert(7, RowTable.hash(7), as: RowID(index: 3))
    #expect(table.removeOne(RowID(index: 5)) == nil)
    #expect(table.removeOne(RowID(index: 3)) == 7)
    #expect(table.removeOne(RowID(index: 3)) == nil)
    #expect(table.id(of: 7, RowTable.hash(7)) == nil)
    #expect(table[RowID(index: 3)] == nil)
  }
}

extension RowTable {
  fileprivate mutating func removeOne(_ id: RowID) -> Row? {
    var dropped: ContiguousArray<Row> = []
    remove([id], to: &dropped)
    return dropped.first
  }
}
