import Testing

@testable import RowOperations

@Suite("Waiting order")
struct WaitingOrderTests {
  static func id(_ index: Int32) -> LoadID { LoadID(index: index) }

  /// Loads 0, 1, 2 … at these places.
  static func order(_ places: [WaitingOrder.Place]) -> WaitingOrder {
    var order = WaitingOrder()
    for (index, place) in places.enumerated() { order.place(id(Int32(index)), at: place) }
    return order
  }

  static func ids(_ order: WaitingOrder, newestPassFirst: Bool = true) -> [Int32] {
    order.ids(newestPassFirst: newestPassFirst).map(\.index)
  }

  @Test("Landing rows come before displayed ones, and those before prefetched ones")
  func claims() {
    let order = Self.order([
      .prefetched(rank: 0), .displayed(pass: 1, rank: 1), .landing(rank: 2),
    ])
    #expect(Self.ids(order) == [2, 1, 0])
    #expect(order.firstLanding == Self.id(2))
    #expect(order.firstDisplayed(newestPassFirst: true) == Self.id(1))
    #expect(order.firstPrefetched == Self.id(0))
    #expect(order.count == 3)
  }

  @Test("Passes are in either direction, the rows of one pass always in that of willDisplay")
  func passes() {
    let order = Self.order([
      .displayed(pass: 1, rank: 0), .displayed(pass: 1, rank: 1), .displayed(pass: 3, rank: 2),
      .displayed(pass: 3, rank: 3), .displayed(pass: 2, rank: 4),
    ])
    #expect(Self.ids(order) == [2, 3, 4, 0, 1])
    #expect(Self.ids(order, newestPassFirst: false) == [0, 1, 4, 2, 3])
    #expect(order.firstDisplayed(newestPassFirst: true) == Self.id(2))
    #expect(order.firstDisplayed(newestPassFirst: false) == Self.id(0))
  }

  @Test("Landing and prefetched rows are in the order given, in either direction")
  func ranks() {
    let order = Self.order([
      .landing(rank: 5), .landing(rank: 3), .prefetched(rank: 9), .prefetched(rank: 7),
    ])
    #expect(Self.ids(order) == [1, 0, 3, 2])
    #expect(Self.ids(order, newestPassFirst: false) == [1, 0, 3, 2])
  }

  @Test("A load that is raised or lowered is where it belongs, and nowhere else")
  func moves() {
    var order = Self.order([.prefetched(rank: 0), .prefetched(rank: 1), .prefetched(rank: 2)])
    order.place(Self.id(1), at: .displayed(pass: 0, rank: 3))
    #expect(Self.ids(order) == [1, 0, 2])
    order.place(Self.id(1), at: .prefetched(rank: 1))
    #expect(Self.ids(order) == [0, 1, 2])
    #expect(order.firstDisplayed(newestPassFirst: true) == nil)
    #expect(order.count == 3)
  }

  @Test(
    "Of equal ranks the one that came later is the later one, but being placed again is no move")
  func equalRanks() {
    var order = Self.order([.landing(rank: 1), .landing(rank: 1), .landing(rank: 1)])
    #expect(Self.ids(order) == [0, 1, 2])
    order.place(Self.id(0), at: .landing(rank: 1))
    #expect(Self.ids(order) == [0, 1, 2])
  }

  @Test("A pass that has emptied is passed over, and may come back between its neighbours")
  func emptiedPass() {
    var order = Self.order([
      .displayed(pass: 1, rank: 0), .displayed(pass: 2, rank: 1), .displayed(pass: 3, rank: 2),
    ])
    order.remove(Self.id(1))
    #expect(Self.ids(order) == [2, 0])
    order.remove(Self.id(2))
    #expect(order.firstDisplayed(newestPassFirst: true) == Self.id(0))
    order.place(Self.id(5), at: .displayed(pass: 2, rank: 4))
    order.place(Self.id(4), at: .displayed(pass: 3, rank: 3))
    #expect(Self.ids(order) == [4, 5, 0])
    #expect(Self.ids(order, newestPassFirst: false) == [0, 5, 4])
  }

  @Test("Who does not wait has no place, and taking it out changes nothing")
  func absent() {
    var order = Self.order([.landing(rank: 0)])
    order.remove(Self.id(9))
    #expect(order.place(of: Self.id(9)) == nil)
    #expect(!order.contains(Self.id(9)))
    order.remove(Self.id(0))
    order.remove(Self.id(0))
    #expect(order.count == 0)
    #expect(Self.ids(order) == [])
  }
}
