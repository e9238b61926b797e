import Testing

@testable import RowOperations

@Suite("The index of numbers by hash value")
struct HashIndexTests {
  /// The numbers that the index finds for a hash value.
  private func found(_ hash: UInt32, in index: HashIndex) -> [Int32] {
    var (found, next): ([Int32], Int32) = ([], index.first(hash))
    while next >= 0 {
      found.append(next)
      next = index.next(after: next, hash)
    }
    return found
  }

  @Test("Only numbers of the same hash value are found, although others share their chain")
  func chains() {
    var index = HashIndex()
    #expect(found(5, in: index) == [])
    // Few numbers have sixteen chains.
    for (number, hash) in [(0, 5), (1, 21), (2, 5)] as [(Int32, UInt32)] {
      index.insert(number, hash)
    }
    #expect(found(5, in: index) == [2, 0] && found(21, in: index) == [1])
    #expect(found(37, in: index) == [])
    index.remove(2)
    #expect(found(5, in: index) == [0] && found(21, in: index) == [1])
  }

}
