/// Several lists over the same elements, each element in one of them at most.
///
/// Appending, removing and looking at either end are O(1).
package struct IDLists<Element> {
  private struct Link {
    var previous: Int32 = -1
    var next: Int32 = -1
    var list: Int8 = -1
  }

  private struct Ends {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
  }

  private var links: ContiguousArray<Link> = []
  private var ends: [Ends]

  package init(lists: Int) { ends = Array(repeating: Ends(), count: lists) }

  package func count(in list: Int) -> Int { ends[list].count }

  package func first(in list: Int) -> ID<Element>? {
    ends[list].first < 0 ? nil : ID(index: ends[list].first)
  }

  /// Which list the element is in.
  package func list(of id: ID<Element>) -> Int? {
    guard Int(id.index) < links.count, links[Int(id.index)].list >= 0 else { return nil }
    return Int(links[Int(id.index)].list)
  }

  /// Puts the element at the end of a list, from wherever it was.
  package mutating func append(_ id: ID<Element>, to list: Int) {
    remove(id)
    let index = Int(id.index)
    links.extend(to: index, with: Link())
    let last = ends[list].last
    links[index] = Link(previous: last, next: -1, list: Int8(list))
    if last < 0 {
      ends[list].first = id.index
    } else {
      links[Int(last)].next = id.index
    }
    ends[list].last = id.index
    ends[list].count += 1
  }

  /// Takes the element out of whatever list it is in.
  package mutating func remove(_ id: ID<Element>) {
    guard let list = list(of: id) else { return }
    let link = links[Int(id.index)]
    if link.previous < 0 {
      ends[list].first = link.next
    } else {
      links[Int(link.previous)].next = link.next
    }
    if link.next < 0 {
      ends[list].last = link.previous
    } else {
      links[Int(link.next)].previous = link.previous
    }
    ends[list].count -= 1
    links[Int(id.index)] = Link()
  }

  /// The elements of a list in order.
  ///
  /// O(1) an element.
  package func elements(in list: Int) -> some Sequence<ID<Element>> {
    sequence(state: ends[list].first) { [links] next in
      guard next >= 0 else { return nil }
      defer { next = links[Int(next)].next }
      return ID<Element>(index: next)
    }
  }
}
