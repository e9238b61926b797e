import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The cells that a tracker knows")
@MainActor
struct CellTableTests {
  @Test("A number that no cell has finds no entry")
  func unknownNumber() {
    var table = CellTable()
    #expect(table[CellID(index: 0)] == nil)
    let cell = SimulatedCell(number: 0)
    table.insert(cell, as: CellID(index: 0))
    #expect(table[CellID(index: 0)]?.cell === cell && table[CellID(index: 1)] == nil)
  }

  /// A table with cells that have the numbers from 0 on.
  private func table(of cells: [SimulatedCell]) -> CellTable {
    var table = CellTable()
    for cell in cells { table.insert(cell, as: CellID(index: Int32(cell.number))) }
    return table
  }

  @Test(
    "The turns check as many cells as the table has, two at a time unless all are to be checked")
  func checks() {
    let cells = (0..<3).map { SimulatedCell(number: $0) }
    var table = table(of: cells)
    #expect(table.checksInTurn == 2 && !table.isSweepUnfinished)
    table.checkAll()
    #expect(table.checksInTurn == 3 && table.isSweepUnfinished)
    #expect(table.remove(CellID(index: 1))?.cell === cells[1])
    #expect(table.remove(CellID(index: 1)) == nil)
    #expect(table.checksInTurn == 2)
    var checked: [Int32] = []
    while table.isSweepUnfinished {
      if let next = table.nextToCheck() { checked.append(next.id.index) }
    }
    #expect(checked.sorted() == [0, 2])
    for index in [0, 2] as [Int32] { _ = table.remove(CellID(index: index)) }
    table.checkAll()
    #expect(table.checksInTurn == 0 && !table.isSweepUnfinished)
    #expect(table.nextToCheck() == nil)
  }

  @Test("A large table gives its memory back when it forgets its last cell")
  func memory() {
    let cells = (0..<1_100).map { SimulatedCell(number: $0) }
    var table = table(of: cells)
    var sizes: [Int?] {
      ["entries", "identities"].map { name in
        Mirror(reflecting: table).descendant(name).map { Mirror(reflecting: $0).children.count }
      }
    }
    for cell in cells.dropFirst() { _ = table.remove(CellID(index: Int32(cell.number))) }
    #expect(sizes == [1_100, 1_100])
    _ = table.remove(CellID(index: 0))
    #expect(sizes == [0, 0])
  }
}
