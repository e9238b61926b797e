/// The place of an element in a ``Slab``, good until the element is removed.
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
/// All O(1). It stands for a dictionary wherever this package hands out the keys itself.
package struct Slab<Element> {
  private var elements: ContiguousArray<Element> = []
  private var isLive: ContiguousArray<Bool> = []
  private var free: [Int32] = []

  package init() {}

  package var count: Int { elements.count - free.count }

  package mutating func insert(_ element: Element) -> ID<Element> {
    if let index = free.popLast() {
      elements[Int(index)] = element
      isLive[Int(index)] = true
      return ID(index: index)
    }
    elements.appendSparingly(element)
    isLive.appendSparingly(true)
    return ID(index: Int32(elements.count - 1))
  }

  package mutating func remove(_ id: ID<Element>) {
    guard contains(id) else { return }
    isLive[Int(id.index)] = false
    free.append(id.index)
  }

  package func contains(_ id: ID<Element>) -> Bool {
    Int(id.index) < isLive.count && isLive[Int(id.index)]
  }

  package subscript(id: ID<Element>) -> Element {
    get { elements[Int(id.index)] }
    _modify { yield &elements[Int(id.index)] }
  }

  /// The places of all elements, in no order that means anything.
  ///
  /// O(places ever used at once).
  package var ids: some Sequence<ID<Element>> {
    isLive.indices.lazy.filter { isLive[$0] }.map { ID(index: Int32($0)) }
  }
}

extension ContiguousArray {
  /// Appends, and grows by an eighth at a time, not twofold: these tables hold most of what a tracker
  /// keeps for a row, and would be a third empty on average.
  ///
  /// O(1) on average.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 8 + 16) }
    append(element)
  }

  /// Appends copies of an element until there is a place for an index.
  @inlinable
  mutating func extend(to index: Int, with element: Element) {
    while count <= index { appendSparingly(element) }
  }
}

extension Array {
  /// Removes all elements and keeps the memory for the next ones, unless there were very many: a pass
  /// that names a whole list is not to leave its mark.
  @inlinable
  mutating func emptyForReuse() { removeAll(keepingCapacity: count <= 256) }
}
