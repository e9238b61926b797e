/// Finds small numbers by hash value.
///
/// Its user compares the objects, so one type serves rows and cells.
///
/// A dictionary would hold each row twice (figure B9), and hash a cell's address at each of a
/// passing row's three look-ups (figure B12).
@usableFromInline
struct HashIndex {
  private struct Link {
    var hash: UInt32 = 0
    var next: Int32 = -1
  }

  /// The first number of each chain, -1 for none; the count is a power of two.
  private var heads: ContiguousArray<Int32> = []
  private var links: ContiguousArray<Link> = []
  @usableFromInline private(set) var count = 0

  /// -1 if there is no candidate.
  @usableFromInline
  func first(_ hash: UInt32) -> Int32 {
    guard count > 0 else { return -1 }
    return match(heads[Int(hash) & (heads.count - 1)], hash)
  }

  @usableFromInline
  func next(after index: Int32, _ hash: UInt32) -> Int32 { match(links[Int(index)].next, hash) }

  private func match(_ start: Int32, _ hash: UInt32) -> Int32 {
    var index = start
    while index >= 0, links[Int(index)].hash != hash { index = links[Int(index)].next }
    return index
  }

  /// The number is not in the index yet.
  @usableFromInline
  mutating func insert(_ index: Int32, _ hash: UInt32) {
    links.extend(to: Int(index), with: Link())
    count += 1
    if count > heads.count { rehash() }
    link(index, hash)
  }

  /// The number is in the index.
  @usableFromInline
  mutating func remove(_ index: Int32) {
    let link = links[Int(index)]
    let chain = Int(link.hash) & (heads.count - 1)
    if heads[chain] == index {
      heads[chain] = link.next
    } else {
      var previous = heads[chain]
      while links[Int(previous)].next != index { previous = links[Int(previous)].next }
      links[Int(previous)].next = link.next
    }
    count -= 1
    if count == 0, heads.isLarge { (heads, links) = ([], []) }
  }

  private mutating func link(_ index: Int32, _ hash: UInt32) {
    let chain = Int(hash) & (heads.count - 1)
    links[Int(index)] = Link(hash: hash, next: heads[chain])
    heads[chain] = index
  }

  /// Doubles the chains.
  private mutating func rehash() {
    let old = heads
    heads = ContiguousArray(repeating: -1, count: max(heads.count * 2, 16))
    for head in old {
      var index = head
      while index >= 0 {
        let old = links[Int(index)]
        link(index, old.hash)
        index = old.next
      }
    }
  }
}
