/// Elements with stable numbers, reused after a removal.
///
/// Hashing for a dictionary would be most of the cost of a passing row (figure B12).
package struct Slab<Kind, Element: Sendable>: Sendable {
  /// The end of the chain of free numbers.
  private static var end: Int32 { -1 }
  private static var live: Int32 { -2 }

  private var elements: ContiguousArray<Element> = []
  /// For each number `live`, or the next free number.
  private var links: ContiguousArray<Int32> = []
  private var firstFree = Self.end
  package private(set) var count = 0

  init() {}

  mutating func insert(_ element: Element) -> ID<Kind> {
    count += 1
    let index = firstFree
    if index != Self.end {
      firstFree = links[Int(index)]
      links[Int(index)] = Self.live
      elements[Int(index)] = element
      return ID(index: index)
    }
    elements.appendSparingly(element)
    links.appendSparingly(Self.live)
    return ID(index: Int32(elements.count - 1))
  }

  mutating func remove(_ id: ID<Kind>) {
    guard contains(id) else { return }
    count -= 1
    links[Int(id.index)] = firstFree
    firstFree = id.index
    if count == 0, elements.isLarge { self = Slab() }
  }

  package func contains(_ id: ID<Kind>) -> Bool {
    Int(id.index) < links.count && links[Int(id.index)] == Self.live
  }

  package subscript(id: ID<Kind>) -> Element {
    get { elements[Int(id.index)] }
    _modify { yield &elements[Int(id.index)] }
  }

  /// In no particular order.
  package var ids: some Sequence<ID<Kind>> {
    links.indices.lazy.filter { links[$0] == Self.live }.map { ID(index: Int32($0)) }
  }
}
