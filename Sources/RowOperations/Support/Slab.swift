/// The index of an element in a ``Slab``, valid until the element is removed.
@frozen
@usableFromInline
package struct ID<Element>: Hashable, Sendable {
  @usableFromInline package let index: Int32

  @inlinable
  package init(index: Int32) { self.index = index }
}

/// An optional ``ID`` in half the space of `Optional`, since there are many.
struct CompactID<Element>: Hashable, Sendable {
  private var index: Int32 = -1

  var id: ID<Element>? {
    get { index < 0 ? nil : ID(index: index) }
    set { index = newValue?.index ?? -1 }
  }
}

/// Elements with stable indices, which are used again after a removal.
///
/// Every operation is O(1). It replaces a dictionary with keys of this package: hashing them would
/// be most of the cost of a passing row (figure B12).
package struct Slab<Element: Sendable>: Sendable {
  /// The end of the chain of free indices.
  private static var end: Int32 { -1 }
  private static var live: Int32 { -2 }

  private var elements: ContiguousArray<Element> = []
  /// For each index `live`, or the next free index.
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

  /// The indices of all elements, in no particular order.
  ///
  /// O(indices ever used at once).
  package var ids: some Sequence<ID<Element>> {
    links.indices.lazy.filter { links[$0] == Self.live }.map { ID(index: Int32($0)) }
  }
}

extension ContiguousArray {
  /// Appends an element, and grows by an eighth at a time.
  ///
  /// These tables hold most of a tracker's memory per row, and doubling would leave them a third
  /// empty on average (figure B9).
  ///
  /// O(1) on average.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 8 + 16) }
    append(element)
  }

  /// Whether the table is large enough to release its memory.
  @inlinable
  var isLarge: Bool { count > 1024 }

  /// Removes all elements if the table is large.
  @inlinable
  mutating func releaseMemory() {
    if isLarge { self = [] }
  }

  /// Appends copies of an element until an index is valid.
  @inlinable
  mutating func extend(to index: Int, with element: Element) {
    while count <= index { appendSparingly(element) }
  }
}

extension RangeReplaceableCollection {
  /// Removes all elements.
  ///
  /// Keeps the memory for the next elements, unless there were many.
  @inlinable
  mutating func emptyForReuse() { removeAll(keepingCapacity: count <= 256) }
}

extension Array {
  /// Removes the elements that satisfy a condition, without moves if none does.
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
  /// Removes and returns the last 8 elements, or all if there are fewer.
  ///
  /// This bounds the releases of one step, since the app's objects may run code in `deinit`.
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
