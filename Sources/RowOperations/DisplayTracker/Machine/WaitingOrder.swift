/// Who is next: the waiting loads in the order of their claims.
///
/// Landing rows come first, in the order given; then displayed rows, newest pass first while the
/// list moves and oldest pass first at rest, in the order of willDisplay within a pass; then
/// prefetched rows, nearest first.
///
/// Placing, moving and taking out are O(1): a load that is placed belongs at the end of its list
/// unless it comes back to it, and then it walks past those that came later.
package struct WaitingOrder {
  /// A load's place, by its strongest claim.
  package enum Place: Hashable, Sendable {
    case landing(rank: UInt64)
    case displayed(pass: UInt64, rank: UInt64)
    case prefetched(rank: UInt64)
  }

  private struct Node {
    var previous: Int32 = -1
    var next: Int32 = -1
    var chain: Int32 = -1
    var rank: UInt64 = 0
  }

  private struct Chain {
    var first: Int32 = -1
    var last: Int32 = -1
    /// For a chain of displayed rows: its pass, and its neighbours.
    var pass: UInt64 = 0
    var older: ID<Chain>?
    var newer: ID<Chain>?
  }

  private var nodes: ContiguousArray<Node> = []
  private var chains = Slab<Chain>()
  private let landing: ID<Chain>
  private let prefetched: ID<Chain>
  private var oldestPass: ID<Chain>?
  private var newestPass: ID<Chain>?
  package private(set) var count = 0

  package init() {
    landing = chains.insert(Chain())
    prefetched = chains.insert(Chain())
  }

  package func contains(_ id: LoadID) -> Bool {
    Int(id.index) < nodes.count && nodes[Int(id.index)].chain >= 0
  }

  package func place(of id: LoadID) -> Place? {
    guard contains(id) else { return nil }
    let node = nodes[Int(id.index)]
    let chain = ID<Chain>(index: node.chain)
    if chain == landing { return .landing(rank: node.rank) }
    if chain == prefetched { return .prefetched(rank: node.rank) }
    return .displayed(pass: chains[chain].pass, rank: node.rank)
  }

  // MARK: Heads

  package var firstLanding: LoadID? { first(in: landing) }

  package var firstPrefetched: LoadID? { first(in: prefetched) }

  package func firstDisplayed(newestPassFirst: Bool) -> LoadID? {
    (newestPassFirst ? newestPass : oldestPass).flatMap(first(in:))
  }

  private func first(in chain: ID<Chain>) -> LoadID? {
    let index = chains[chain].first
    return index < 0 ? nil : LoadID(index: index)
  }

  /// All waiting loads, strongest claim first.
  ///
  /// O(count).
  package func ids(newestPassFirst: Bool) -> [LoadID] {
    var order = [landing]
    var pass = newestPassFirst ? newestPass : oldestPass
    while let chain = pass {
      order.append(chain)
      pass = newestPassFirst ? chains[chain].older : chains[chain].newer
    }
    order.append(prefetched)
    return order.flatMap { chain in
      sequence(first: chains[chain].first) { nodes[Int($0)].next }
        .prefix { $0 >= 0 }
        .map { LoadID(index: $0) }
    }
  }

  // MARK: Changes

  /// Puts a load where its strongest claim says, from wherever it was.
  package mutating func place(_ id: LoadID, at place: Place) {
    if self.place(of: id) == place { return }
    remove(id)
    let index = Int(id.index)
    nodes.extend(to: index, with: Node())
    let (chain, rank) =
      switch place {
      case .landing(let rank): (landing, rank)
      case .prefetched(let rank): (prefetched, rank)
      case .displayed(let pass, let rank): (self.chain(of: pass), rank)
      }
    insert(id.index, into: chain, rank: rank)
    count += 1
  }

  package mutating func remove(_ id: LoadID) {
    guard contains(id) else { return }
    let node = nodes[Int(id.index)]
    let chain = ID<Chain>(index: node.chain)
    if node.previous < 0 {
      chains[chain].first = node.next
    } else {
      nodes[Int(node.previous)].next = node.next
    }
    if node.next < 0 {
      chains[chain].last = node.previous
    } else {
      nodes[Int(node.next)].previous = node.previous
    }
    nodes[Int(id.index)] = Node()
    count -= 1
    if chains[chain].first < 0, chain != landing, chain != prefetched { removePass(chain) }
  }

  private mutating func insert(_ index: Int32, into chain: ID<Chain>, rank: UInt64) {
    var previous = chains[chain].last
    while previous >= 0, nodes[Int(previous)].rank > rank {
      previous = nodes[Int(previous)].previous
    }
    let next = previous < 0 ? chains[chain].first : nodes[Int(previous)].next
    nodes[Int(index)] = Node(previous: previous, next: next, chain: chain.index, rank: rank)
    if previous < 0 { chains[chain].first = index } else { nodes[Int(previous)].next = index }
    if next < 0 { chains[chain].last = index } else { nodes[Int(next)].previous = index }
  }

  /// The chain of a pass, which is mostly the newest.
  private mutating func chain(of pass: UInt64) -> ID<Chain> {
    var older = newestPass
    while let chain = older, chains[chain].pass > pass { older = chains[chain].older }
    if let chain = older, chains[chain].pass == pass { return chain }
    let newer = older.map { chains[$0].newer } ?? oldestPass
    let chain = chains.insert(Chain(pass: pass, older: older, newer: newer))
    if let older { chains[older].newer = chain } else { oldestPass = chain }
    if let newer { chains[newer].older = chain } else { newestPass = chain }
    return chain
  }

  private mutating func removePass(_ chain: ID<Chain>) {
    let (older, newer) = (chains[chain].older, chains[chain].newer)
    if let older { chains[older].newer = newer } else { oldestPass = newer }
    if let newer { chains[newer].older = older } else { newestPass = older }
    chains.remove(chain)
  }
}
