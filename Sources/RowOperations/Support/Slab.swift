/// The place of an element in a ``Slab``, valid until the element is removed.
@usableFromInline
package struct ID<Element>: Hashable, Sendable {
  @usableFromInline package let index: Int32

  @inlinable
  package init(index: Int32) { self.index = index }
}

/// An ``ID`` that may be missing, in half the space of an optional one; there are many of them.
struct CompactID<Element>: Hashable, Sendable {
  private var index: Int32 = -1

  var id: ID<Element>? {
    get { index < 0 ? nil : ID(index: index) }
    set { index = newValue?.index ?? -1 }
  }
}

/// Elements that keep their place for as long as they live; places are used again.
///
/// Every operation is O(1). It stands for a dictionary whose keys this package makes itself, since
/// hashing them would be most of the cost of a passing row (figure B12).
package struct Slab<Element: Sendable>: Sendable {
  /// The end of the chain of free places.
  private static var end: Int32 { -1 }
  private static var live: Int32 { -2 }

  private var elements: ContiguousArray<Element> = []
  /// For each place `live`, or the next free one.
  private var links: ContiguousArray<Int32> = []
  private var firstFree = Self.end
  package private(set) var count = 0

  package init() {}

  package mutating func insert(_ element: Element) -> ID<Element> {
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

  package mutating func remove(_ id: ID<Element>) {
    guard contains(id) else { return }
    count -= 1
    links[Int(id.index)] = firstFree
    firstFree = id.index
    if count == 0, elements.isLarge { self = Slab() }
  }

  package func contains(_ id: ID<Element>) -> Bool {
    Int(id.index) < links.count && links[Int(id.index)] == Self.live
  }

  package subscript(id: ID<Element>) -> Element {
    get { elements[Int(id.index)] }
    _modify { yield &elements[Int(id.index)] }
  }

  /// The places of all elements, in no particular order.
  ///
  /// O(places ever used at once).
  package var ids: some Sequence<ID<Element>> {
    links.indices.lazy.filter { links[$0] == Self.live }.map { ID(index: Int32($0)) }
  }
}

extension ContiguousArray {
  /// Appends, and grows by an eighth at a time.
  ///
  /// These tables hold most of what a tracker keeps for a row; doubling would leave them a third
  /// empty on average (figure B9).
  ///
  /// O(1) on average.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 8 + 16) }
    append(element)
  }

  /// Whether it is worth giving the memory of an empty table back.
  @inlinable
  var isLarge: Bool { count > 1024 }

  /// Removes all elements if there are so many places that their memory matters.
  @inlinable
  mutating func releaseMemory() {
    if isLarge { self = [] }
  }

  /// Appends copies of an element until there is a place for an index.
  @inlinable
  mutating func extend(to index: Int, with element: Element) {
    while count <= index { appendSparingly(element) }
  }
}

extension RangeReplaceableCollection {
  /// Removes all elements.
  ///
  /// Keeps the memory for the next ones unless there were very many.
  @inlinable
  mutating func emptyForReuse() { removeAll(keepingCapacity: count <= 256) }
}

extension Array {
  /// Removes the elements that satisfy a condition; moves nothing if none does.
  @inline(__always)
  mutating func removeFew(where isRemoved: (Element) -> Bool) {
    guard let first = firstIndex(where: isRemoved) else { return }
    var count = first
    for index in first + 1..<self.count where !isRemoved(self[index]) {
      self[count] = self[index]
      count += 1
    }
    removeLast(self.count - count)
  }
}

extension ContiguousArray {
  /// Takes the last 8 elements out, or all if there are no more.
  ///
  /// What is released in one step is bounded so, whatever the app's objects do when they end.
  @inlinable
  mutating func takeSome() -> ContiguousArray {
    var taken = ContiguousArray()
    guard count > 8 else {
      taken.reserveCapacity(8)
      swap(&taken, &self)
      return taken
    }
    taken.append(contentsOf: suffix(8))
    removeLast(8)
    return taken
  }
}
