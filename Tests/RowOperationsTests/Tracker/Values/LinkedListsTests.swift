import Testing

@testable import RowOperations

@Suite("Linked lists over shared elements")
struct LinkedListsTests {
  private enum List: Int8, CaseIterable {
    case first
    case second
  }

  private typealias Element = ID<Int>

  private var lists = LinkedLists<Int, List>()

  private func indices(_ list: List) -> [Int32] { lists.elements(in: list).map(\.index) }

  @Test("A list keeps the order of appending, and an element is in the last list that it came to")
  mutating func order() {
    for index in [3, 1, 2, 4] as [Int32] { lists.append(Element(index: index), to: .first) }
    lists.append(Element(index: 3), to: .first)
    #expect(indices(.first) == [1, 2, 4, 3] && lists.first(in: .first)?.index == 1)
    lists.append(Element(index: 4), to: .second)
    #expect(indices(.first) == [1, 2, 3] && indices(.second) == [4])
    #expect([lists.count(in: .first), lists.count(in: .second)] == [3, 1])
    #expect(lists.contains(Element(index: 4), in: .second))
    #expect(!lists.contains(Element(index: 4), in: .first))
    #expect(!lists.contains(Element(index: 5), in: .first), "it is beyond the table")
  }

  @Test("The others stay in order when an element is removed", arguments: 0..<5 as Range<Int32>)
  mutating func removal(removed: Int32) {
    lists.remove(Element(index: removed))
    for index in 0..<4 as Range<Int32> { lists.append(Element(index: index), to: .first) }
    for _ in 0..<2 { lists.remove(Element(index: removed)) }
    lists.append(Element(index: 6), to: .first)
    let rest = (0..<4).filter { $0 != removed } + [6]
    #expect(indices(.first) == rest && lists.count(in: .first) == rest.count)
    for index in rest { lists.remove(Element(index: index)) }
    lists.releaseMemory()
    #expect(lists.first(in: .first) == nil && lists.count(in: .first) == 0)
  }
}
