import Testing

@testable import RowOperations
@testable import RowOperationsTesting

@Suite("Names of simulated cells")
struct SimulatedCellNameTests {
  @Test(
    "Cells have the names a to z, then a1 to z1, and so on",
    arguments: [
      (0, "a"), (1, "b"), (25, "z"), (26, "a1"), (27, "b1"), (51, "z1"), (52, "a2"), (285, "z10"),
    ])
  func names(number: Int, name: String) {
    #expect(TrackerInput<Int, Int>.name(ofCell: number) == name)
    #expect(SimulatedCell(number: number).description == name)
    #expect(SimulatedCell.number(named: name) == number)
  }

  @Test("Each name belongs to one cell")
  func roundTrip() {
    let names = (0..<5000).map(TrackerInput<Int, Int>.name(ofCell:))
    #expect(Set(names).count == 5000)
    #expect(names.map(SimulatedCell.number) == Array(0..<5000))
  }

  @Test(
    "A text that is no name belongs to no cell",
    arguments: ["", "A", "1", "aa", "a0", "a-1", "ä", "a1b"])
  func none(name: String) {
    #expect(SimulatedCell.number(named: name) == nil)
  }
}
