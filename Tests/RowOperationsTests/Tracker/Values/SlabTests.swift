import Testing

@testable import RowOperations

@Suite("Slab")
struct SlabTests {
  @Test(
    "A place is used again after its removal, and the removal of a missing element does nothing")
  func removedTwice() {
    var slab = Slab<RowKind, String>()
    let (a, b) = (slab.insert("a"), slab.insert("b"))
    for _ in 0..<2 { slab.remove(a) }
    slab.remove(RowID(index: 2))
    slab.remove(RowID(index: 7))
    #expect(slab.count == 1 && slab[b] == "b")
    #expect(slab.contains(b) && !slab.contains(a) && !slab.contains(RowID(index: 2)))
    // A place that is freed twice would go to two elements.
    #expect(slab.insert("c") == a && slab.insert("d") == RowID(index: 2))
  }
}
