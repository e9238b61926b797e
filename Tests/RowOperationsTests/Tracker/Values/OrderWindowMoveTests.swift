import Testing

@testable import RowOperations

@Suite("Moves of the window of a list as a value")
struct OrderWindowMoveTests {
  /// A window that moves to other positions with other data, and has not read them.
  private static func changed(to shown: Range<Int>) throws -> OrderWindow {
    var window = try OrderWindow.settled()
    window.move(to: try OrderWindow.span(shown), isOtherData: true)
    return window
  }

  /// Moves a window back first, unless it goes on forward.
  ///
  /// - Returns: Whether it goes forward then.
  private static func direction(after shown: Range<Int>, isForward: Bool) throws -> Bool {
    var window = try OrderWindow.settled(isForward ? 10..<14 : 11..<15)
    if !isForward { try window.show(10..<14) }
    #expect(window.isForward == isForward)
    try window.show(shown)
    return window.isForward
  }

  @Test("A list turns when both ends move to the other side, or one does while the other stays")
  func turning() throws {
    for isForward in [true, false] {
      for shown in [11..<15, 10..<15, 11..<14] {
        #expect(try Self.direction(after: shown, isForward: isForward), "\(shown)")
      }
      for shown in [9..<13, 9..<14, 10..<13] {
        #expect(try !Self.direction(after: shown, isForward: isForward), "\(shown)")
      }
      for shown in [9..<15, 11..<13, 10..<14] {
        #expect(try Self.direction(after: shown, isForward: isForward) == isForward, "\(shown)")
      }
    }
  }

  @Test("A position is passed when half of it is on screen, until half of it has left")
  func passing() throws {
    let window = try OrderWindow.settled()
    #expect(window.passing(14, isForward: true) == (0.5, 4.5))
    #expect(window.passing(9, isForward: false) == (0.5, 4.5))
    #expect(window.passing(10, isForward: true) == (-3.5, 0.5))
    #expect(window.passing(13, isForward: false) == (-3.5, 0.5))
  }

  @Test("A report agrees with the one before if its bounds, positions and permission are the same")
  func agreement() throws {
    let window = try OrderWindow.settled()
    #expect(window.agrees(with: try OrderWindow.span(10..<14)))
    #expect(!window.agrees(with: try OrderWindow.span(10..<14, of: 0..<99)))
    #expect(!window.agrees(with: try OrderWindow.span(10..<13)))
    #expect(!window.agrees(with: try OrderWindow.span(10..<14, prefetches: false)))
  }

  @Test("Rows are looked for where they were on screen before a change of the data")
  func guesses() throws {
    let window = try Self.changed(to: 30..<34)
    #expect(window.guesses(at: 28..<36) == OrderWindow.places(8..<16))
    #expect(window.guesses(at: 28..<30) == OrderWindow.places(8..<10))
    #expect(window.guesses(at: 29..<37) == OrderWindow.places(9..<16) + [.unread])
    #expect(window.guesses(at: 26..<30) == [.unread, .unread] + OrderWindow.places(8..<10))
    #expect(try OrderWindow.settled().guesses(at: 8..<10) == [.unread, .unread])
  }
}
