import Testing

@testable import RowOperations

@Suite("Arrays of the engine")
struct ArraysTests {
  @Test("A table is extended up to an index, and not if the index is valid")
  func extending() {
    var table: ContiguousArray<Int> = [7]
    table.extend(to: 0, with: 1)
    #expect(table == [7])
    table.extend(to: 1, with: 1)
    #expect(table == [7, 1])
    table.extend(to: 4, with: 2)
    #expect(table == [7, 1, 2, 2, 2])
  }

  @Test("A table of more than 1024 elements releases its memory, a smaller one keeps its elements")
  func releasing() {
    var small = ContiguousArray(0..<1_024)
    var large = ContiguousArray(0..<1_025)
    small.releaseMemory()
    large.releaseMemory()
    #expect(small.count == 1_024 && large.isEmpty)
  }

  @Test("The last 8 elements are taken, or all if there are fewer")
  func taking() {
    var numbers = ContiguousArray(0..<17)
    for expected in [9..<17, 1..<9, 0..<1, 0..<0] {
      let taken = numbers.takeSome()
      #expect(taken.elementsEqual(expected) && numbers.elementsEqual(0..<expected.lowerBound))
    }
  }
}
