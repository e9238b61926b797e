/// Several lists, of which each element is in one at most; O(1) for every operation.
struct LinkedLists<Kind, List: RawRepresentable & CaseIterable>: Sendable
where List.RawValue == Int8 {
  private struct Link: Sendable {
    var previous: Int32 = -1
    var next: Int32 = -1
    var list: Int8 = -1
  }

  private struct Ends: Sendable {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
  }

  private var links: ContiguousArray<Link> = []
  private var ends: ContiguousArray<Ends>
  private var count = 0

  init() { ends = ContiguousArray(repeating: Ends(), count: List.allCases.count) }

  package func count(in list: List) -> Int { ends[Int(list.rawValue)].count }

  func first(in list: List) -> ID<Kind>? { id(ends[Int(list.rawValue)].first) }

  func last(in list: List) -> ID<Kind>? { id(ends[Int(list.rawValue)].last) }

  func previous(of id: ID<Kind>) -> ID<Kind>? {
    self.id(links[Int(id.index)].previous)
  }

  package func next(of id: ID<Kind>) -> ID<Kind>? { self.id(links[Int(id.index)].next) }

  private func id(_ index: Int32) -> ID<Kind>? { index < 0 ? nil : ID(index: index) }

  package func list(of id: ID<Kind>) -> List? {
    guard Int(id.index) < links.count else { return nil }
    return List(rawValue: links[Int(id.index)].list)
  }

  package func contains(_ id: ID<Kind>, in list: List) -> Bool {
    Int(id.index) < links.count && links[Int(id.index)].list == list.rawValue
  }

  /// From any list.
  mutating func append(_ id: ID<Kind>, to list: List) {
    insert(id, into: list, after: last(in: list))
  }

  /// Moves an element behind its neighbour, or to the front.
  ///
  /// - Parameter neighbour: In the same list, and another element.
  mutating func insert(
    _ id: ID<Kind>, into list: List, after neighbour: ID<Kind>?
  ) {
    var neighbour = neighbour
    if neighbour == id { neighbour = previous(of: id) }
    remove(id)
    let index = Int(id.index)
    let end = Int(list.rawValue)
    links.extend(to: index, with: Link())
    var after = ends[end]
    let next = neighbour.map { links[Int($0.index)].next } ?? after.first
    links[index] = Link(previous: neighbour?.index ?? -1, next: next, list: list.rawValue)
    if let neighbour {
      links[Int(neighbour.index)].next = id.index
    } else {
      after.first = id.index
    }
    if next < 0 { after.last = id.index } else { links[Int(next)].previous = id.index }
    after.count += 1
    ends[end] = after
    count += 1
  }

  @inline(__always)
  mutating func remove(_ id: ID<Kind>) {
    if count > 0, Int(id.index) < links.count, links[Int(id.index)].list >= 0 { unlink(id) }
  }

  private mutating func unlink(_ id: ID<Kind>) {
    let link = links[Int(id.index)]
    let list = Int(link.list)
    var after = ends[list]
    if link.previous < 0 {
      after.first = link.next
    } else {
      links[Int(link.previous)].next = link.next
    }
    if link.next < 0 {
      after.last = link.previous
    } else {
      links[Int(link.next)].previous = link.previous
    }
    after.count -= 1
    ends[list] = after
    count -= 1
    links[Int(id.index)] = Link()
  }

  /// Releases memory when no elements are left.
  ///
  /// Lists that are empty for a moment keep it: a large index would grow them again.
  mutating func releaseMemory() {
    if count == 0 { links.releaseMemory() }
  }

  /// In order; O(1) per element.
  func elements(in list: List) -> some Sequence<ID<Kind>> {
    sequence(state: ends[Int(list.rawValue)].first) { [links] next in
      guard next >= 0 else { return nil }
      defer { next = links[Int(next)].next }
      return ID<Kind>(index: next)
    }
  }
}
