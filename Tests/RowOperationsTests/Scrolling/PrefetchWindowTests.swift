import Testing

@testable import RowOperations

@Suite("Prefetch window")
struct PrefetchWindowTests {
  typealias Position = PrefetchWindow.Position

  /// Rows of section 0.
  static func positions(_ rows: some Sequence<Int>) -> [Position] { rows.map { Position(row: $0) } }

  @Test("At first the window points down: rows ahead come before rows behind, nearest first")
  func first() {
    var window = PrefetchWindow(before: 2, after: 3)
    let change = window.move(to: 10...14, count: 100)
    #expect(change.added == Self.positions([15, 16, 17, 9, 8]))
    #expect(change.removed == [])
    #expect(window.positions == change.added)
  }

  @Test("A step down adds the next row ahead and removes the last row behind")
  func step() {
    var window = PrefetchWindow(before: 2, after: 3)
    _ = window.move(to: 10...14, count: 100)
    let change = window.move(to: 11...15, count: 100)
    #expect(change.added == Self.positions([18, 10]))
    #expect(change.removed == Self.positions([8]))
    #expect(window.positions == Self.positions([16, 17, 18, 10, 9]))
  }

  @Test("A row of the window that becomes visible is not reported as removed")
  func becameVisible() {
    var window = PrefetchWindow(before: 0, after: 3)
    _ = window.move(to: 0...4, count: 100)
    #expect(window.move(to: 3...7, count: 100).removed == [])
    #expect(window.positions == Self.positions([8, 9, 10]))
  }

  @Test("Without a move nothing changes, and the direction stays")
  func still() {
    var window = PrefetchWindow(before: 1, after: 3)
    _ = window.move(to: 10...14, count: 100)
    _ = window.move(to: 9...13, count: 100)
    #expect(window.move(to: 9...13, count: 100) == PrefetchWindow.Change())
    #expect(window.positions == Self.positions([8, 7, 6, 14]))
  }

  @Test("When the direction flips, the rows that both directions share stay in the window")
  func flip() {
    var window = PrefetchWindow(before: 2, after: 5)
    _ = window.move(to: 50...59, count: 100)
    let change = window.move(to: 49...58, count: 100)
    #expect(window.positions == Self.positions([48, 47, 46, 45, 44, 59, 60]))
    #expect(change.added == Self.positions([47, 46, 45, 44, 59]))
    #expect(change.removed == Self.positions([61, 62, 63, 64]))
  }

  @Test("If only one end of the visible rows has moved, it gives the direction")
  func oneEnd() {
    var window = PrefetchWindow(before: 0, after: 1)
    _ = window.move(to: 10...14, count: 100)
    _ = window.move(to: 10...13, count: 100)
    #expect(window.positions == Self.positions([9]))
    _ = window.move(to: 10...14, count: 100)
    #expect(window.positions == Self.positions([15]))
    _ = window.move(to: 9...14, count: 100)
    #expect(window.positions == Self.positions([8]))
    _ = window.move(to: 10...14, count: 100)
    #expect(window.positions == Self.positions([15]))
  }

  @Test("If both ends moved apart or together, the direction stays")
  func bothEnds() {
    var window = PrefetchWindow(before: 0, after: 1)
    _ = window.move(to: 10...14, count: 100)
    _ = window.move(to: 8...16, count: 100)
    #expect(window.positions == Self.positions([17]))
    _ = window.move(to: 7...15, count: 100)
    _ = window.move(to: 9...12, count: 100)
    #expect(window.positions == Self.positions([8]))
  }

  @Test("The window stops at both ends of the list")
  func clamps() {
    var window = PrefetchWindow(before: 3, after: 3)
    #expect(window.move(to: 1...8, count: 10).added == Self.positions([9, 0]))
    #expect(window.move(to: 0...9, count: 10).added == [])
    #expect(window.positions == [])
  }

  @Test("The window continues into the next sections and skips sections without rows")
  func sections() {
    let rows = [2, 0, 0, 3, 0, 1]
    var window = PrefetchWindow(before: 2, after: 3)
    let visible = Position(section: 3, row: 1)...Position(section: 3, row: 1)
    let change = window.move(to: visible, sections: rows.count) { rows[$0] }
    let ahead = [Position(section: 3, row: 2), Position(section: 5, row: 0)]
    let behind = [Position(section: 3, row: 0), Position(section: 0, row: 1)]
    #expect(change.added == ahead + behind)
  }

  @Test("The window of a list that grows includes the new rows")
  func growth() {
    var window = PrefetchWindow(before: 0, after: 4)
    _ = window.move(to: 0...7, count: 10)
    #expect(window.move(to: 0...7, count: 20).added == Self.positions([10, 11]))
  }

  @Test("Removed rows are not in the window, even if they still count as visible")
  func goneRows() {
    var window = PrefetchWindow(before: 3, after: 3)
    _ = window.move(to: 50...59, count: 100)
    let change = window.move(to: 50...59, count: 10)
    #expect(change.added == Self.positions([9, 8, 7]))
    #expect(Set(change.removed) == Set(Self.positions([60, 61, 62, 49, 48, 47])))
    _ = window.move(to: 50...59, count: 0)
    #expect(window.positions == [])
  }

  @Test("Rows of removed sections are not in the window")
  func goneSections() {
    var window = PrefetchWindow(before: 2, after: 2)
    let visible = Position(section: 1, row: 3)...Position(section: 2, row: 1)
    _ = window.move(to: visible, sections: 3) { _ in 5 }
    _ = window.move(to: visible, sections: 2) { _ in 5 }
    #expect(window.positions == [Position(section: 1, row: 2), Position(section: 1, row: 1)])
    _ = window.move(to: visible, sections: 0) { _ in 5 }
    #expect(window.positions == [])
  }

  @Test("A reset clears the window and the direction")
  func reset() {
    var window = PrefetchWindow(before: 1, after: 2)
    _ = window.move(to: 50...59, count: 100)
    _ = window.move(to: 49...58, count: 100)
    #expect(window.reset() == PrefetchWindow.Change(removed: Self.positions([48, 47, 59])))
    #expect(window == PrefetchWindow(before: 1, after: 2))
    #expect(window.move(to: 49...58, count: 100).added == Self.positions([59, 60, 48]))
  }

  @Test("A window of depth zero or less stays empty", arguments: [0, -1, -10])
  func nowhere(size: Int) {
    var window = PrefetchWindow(before: size, after: size)
    #expect(window.move(to: 5...6, count: 10) == PrefetchWindow.Change())
    #expect((window.before, window.after) == (0, 0))
  }

  @Test("Positions are ordered by section, then by row")
  func order() {
    let positions = (0..<3).flatMap { section in (0..<3).map { Position(section: section, row: $0) }
    }
    #expect(positions.reversed().sorted() == positions)
  }
}

extension PrefetchWindowTests {
  @Test("Ten rows before and after are found across sections, from visible rows in any order")
  func unsorted() {
    let rows = [3, 0, 4, 2, 9, 1]
    let visible = [
      Position(section: 3, row: 1), Position(section: 2, row: 3), Position(section: 3, row: 0),
    ]
    var sorted = PrefetchWindow(before: 10, after: 10)
    var unsorted = sorted
    let expected = sorted.move(
      to: Position(section: 2, row: 3)...Position(section: 3, row: 1), sections: 6
    ) { rows[$0] }
    let change = unsorted.move(toVisible: visible, sections: 6) { rows[$0] }
    #expect(change == expected)
    #expect(change.added.count == 16, "six rows before, where the list begins, and ten after")
    #expect(
      unsorted.move(toVisible: [] as [Position], sections: 6) { rows[$0] }.removed == change.added)
  }
}
