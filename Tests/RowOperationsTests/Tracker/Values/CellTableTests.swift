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

}
