import Testing

@testable import RowOperations

extension OrderWindow {
  /// Places with one row each.
  static func places(_ rows: some Sequence<Int>) -> [Place] {
    rows.map { .row(RowID(index: Int32($0))) }
  }

  static func span(
    _ shown: Range<Int>, of bounds: Range<Int> = 0..<100, prefetches: Bool = true
  ) throws -> ShownPositions {
    try #require(ShownPositions(bounds: bounds, shown: shown, prefetches: prefetches))
  }

  /// A window after its first report, with the rows that have the numbers of their positions.
  static func settled(
    _ shown: Range<Int> = 10..<14, holding held: Range<Int> = 8..<16,
    prefetches: Bool = true
  ) throws -> OrderWindow {
    var window = OrderWindow(Key(list: 1), try span(shown, prefetches: prefetches))
    _ = window.hold(held)
    _ = window.read(places(held), at: held)
    _ = window.settle()
    return window
  }

  /// Reports other positions on screen.
  mutating func show(_ shown: Range<Int>) throws {
    move(to: try Self.span(shown), isOtherData: false)
    _ = settle()
  }
}

@Suite("The window of a list as a value")
struct OrderWindowTests {
  private static func row(_ index: Int32) -> RowID { RowID(index: index) }

  @Test("A window that moves keeps the places that it goes on holding, and returns the others")
  func hold() throws {
    var window = try OrderWindow.settled()
    let same = window.hold(8..<16)
    #expect(same == [] && window.all == OrderWindow.places(8..<16))
    let down = window.hold(10..<18)
    #expect(down == OrderWindow.places(8..<10) && window.range == 10..<18)
    #expect(window.all == OrderWindow.places(10..<16) + [.unread, .unread])
    let up = window.hold(9..<13)
    #expect(up == OrderWindow.places(13..<16) + [.unread, .unread])
    #expect(window.all == [.unread] + OrderWindow.places(10..<13))
    let next = window.hold(13..<15)
    #expect(next == [.unread] + OrderWindow.places(10..<13))
    #expect(window.all == [.unread, .unread] && window.range == 13..<15)
  }

  @Test("Places that the window has, or does not hold, are refused")
  func refused() throws {
    var window = try OrderWindow.settled()
    _ = window.hold(8..<18)
    let refused = window.read(OrderWindow.places(114..<120), at: 14..<20)
    #expect(refused == OrderWindow.places([114, 115, 118, 119]))
    #expect(window.all == OrderWindow.places(8..<16) + OrderWindow.places([116, 117]))
    let all = window.read(OrderWindow.places(0..<10), at: 8..<18)
    #expect(all == OrderWindow.places(0..<10))
    #expect(window[8] == .row(Self.row(8)))
  }

  @Test("A window knows which of its positions are read, and takes others for unread")
  func unread() throws {
    var window = try OrderWindow.settled()
    #expect(window.unread == [] && window.hasRead(8..<16))
    _ = window.hold(6..<18)
    #expect(window.unread == [6..<8, 16..<18])
    #expect(window.hasRead(8..<16) && !window.hasRead(7..<9) && !window.hasRead(14..<30))
    #expect(window[5] == .unread && window[8] == .row(Self.row(8)) && window[18] == .unread)
  }

  @Test("A row that a list repeats has the position nearest to the screen, the first among equals")
  func nearest() throws {
    var window = OrderWindow(.init(list: 1), try OrderWindow.span(10..<14))
    _ = window.hold(7..<17)
    // From position 7 to 16; those from 10 to 13 are on screen.
    _ = window.read(OrderWindow.places([3, 1, 2, 0, 0, 5, 0, 3, 1, 2]), at: 7..<17)
    #expect(window.position(of: Self.row(1)) == 8)
    #expect(window.position(of: Self.row(2)) == 9)
    #expect(window.position(of: Self.row(3)) == 14)
    #expect(window.position(of: Self.row(0)) == 10)
    #expect(window.position(of: Self.row(4)) == nil)
    #expect(window.shows(Self.row(5)) && !window.shows(Self.row(3)))
  }

  @Test("A window reaches its screens ahead and behind, and no further than the limit")
  func reach() throws {
    let window = try OrderWindow.settled()
    func reach(_ ahead: Double, _ behind: Double, limit: Int) -> OrderWindow.Reach {
      window.reach(PrefetchWindow(ahead: ahead, behind: behind, limit: limit))
    }
    #expect(reach(2.5, 0.5, limit: 100) == .init(ahead: 10, behind: 2))
    #expect(reach(1.1, 0.1, limit: 100) == .init(ahead: 5, behind: 1))
    #expect(reach(2.5, 1, limit: 7) == .init(ahead: 7, behind: 4))
    #expect(reach(0, 0, limit: 100) == .init(ahead: 0, behind: 0))
    #expect(reach(100, 100, limit: 1_000) == .init(ahead: 400, behind: 400))
  }

  @Test(
    "The positions within a reach lie ahead in the direction of the list, and within its bounds")
  func positions() throws {
    var window = try OrderWindow.settled()
    let reach = OrderWindow.Reach(ahead: 6, behind: 0)
    #expect(window.positions(within: reach) == 10..<20)
    #expect(window.neededPositions(within: reach) == 9..<20)
    #expect(window.mostPositions(within: reach) == 6..<24)
    try window.show(9..<13)
    #expect(window.positions(within: reach) == 3..<13)
    #expect(window.neededPositions(within: reach) == 3..<14)
    #expect(window.mostPositions(within: reach) == 0..<17)
    let still = try OrderWindow.settled(prefetches: false)
    #expect(still.neededPositions(within: reach) == 10..<14)
    #expect(still.mostPositions(within: reach) == 10..<14)
  }

  @Test("A row is replaced at all positions, also at those from before a change of the data")
  func replace() throws {
    var window = try OrderWindow.settled(10..<12, holding: 10..<12)
    window.move(to: try OrderWindow.span(10..<12), isOtherData: true)
    _ = window.read([.row(Self.row(1)), .rows([Self.row(1), Self.row(2)])], at: 10..<12)
    window.replace(Self.row(1), by: Self.row(7))
    #expect(window.all == [.row(Self.row(7)), .rows([Self.row(7), Self.row(2)])])
    window.replace(Self.row(10), by: Self.row(8))
    #expect(window.placesBefore == [.row(Self.row(8)), .row(Self.row(11))])
    _ = window.hold(10..<13)
    window.replace(Self.row(7), by: Self.row(2))
    #expect(window.all == [.row(Self.row(2)), .rows([Self.row(2), Self.row(2)]), .unread])
  }
}
