import Testing

@testable import RowOperations

@Suite("Arrays of the engine")
struct ArraysTests {
  @Test("A table of more than 1024 elements releases its memory, a smaller one keeps its elements")
  func releasing() {
    var small = ContiguousArray(0..<1_024)
    var large = ContiguousArray(0..<1_025)
    small.releaseMemory()
    large.releaseMemory()
    #expect(small.count == 1_024 && large.isEmpty)
  }
}
