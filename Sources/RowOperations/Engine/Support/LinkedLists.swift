/// Several lists, of which each element is in one at most.
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

  func first(in list: List) -> ID<Kind>? {
    let first = ends[Int(list.rawValue)].first
    return first < 0 ? nil : ID(index: first)
  }

  package func contains(_ id: ID<Kind>, in list: List) -> Bool {
    Int(id.index) < links.count && links[Int(id.index)].list == list.rawValue
  }

  /// From any list.
  mutating func append(_ id: ID<Kind>, to list: List) {
    remove(id)
    links.extend(to: Int(id.index), with: Link())
    let last = ends[Int(list.rawValue)].last
    links[Int(id.index)] = Link(previous: last, list: list.rawValue)
    if last < 0 {
      ends[Int(list.rawValue)].first = id.index
    } else {
      links[Int(last)].next = id.index
    }
    ends[Int(list.rawValue)].last = id.index
    ends[Int(list.rawValue)].count += 1
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

  /// In order.
  func elements(in list: List) -> some Sequence<ID<Kind>> {
    sequence(state: ends[Int(list.rawValue)].first) { [links] next in
      guard next >= 0 else { return nil }
      defer { next = links[Int(next)].next }
      return ID<Kind>(index: next)
    }
  }
}
