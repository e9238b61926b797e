import Testing

@testable import RowOperations

@Suite("Arrays of the engine")
struct ArraysTests {
  @Test("A table that grows sparingly is at most an eighth empty, and is seldom moved")
  func growth() {
    var table: ContiguousArray<Int> = []
    var capacities: Set<Int> = []
    for number in 0..<9_000 {
      table.appendSparingly(number)
      capacities.insert(table.capacity)
    }
    #expect(table.elementsEqual(0..<9_000))
    // With the rounding of the allocator.
    #expect(table.capacity <= 9_000 + 9_000 / 8 + 100 && capacities.count < 100)
  }

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

  @Test("An array of up to 256 elements keeps its memory for the next ones")
  func reuse() {
    var small = Array(0..<256)
    var large = Array(0..<257)
    small.emptyForReuse()
    large.emptyForReuse()
    #expect(small.isEmpty && small.capacity >= 256 && large.isEmpty && large.capacity < 256)
  }

  @Test("Elements that satisfy a condition are removed, and the others keep their order")
  func removing() {
    for removed in [[], [0], [4], [1, 3], [0, 1, 2], [0, 1, 2, 3, 4]] {
      var numbers = Array(0..<5)
      numbers.removeFew { removed.contains($0) }
      #expect(numbers == (0..<5).filter { !removed.contains($0) })
    }
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
