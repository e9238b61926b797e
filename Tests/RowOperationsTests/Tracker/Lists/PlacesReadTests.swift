import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Rows read at positions", .timeLimit(.minutes(10)))
@MainActor
struct PlacesReadTests {
  private typealias Place = OrderWindow.Place

  private static func id(_ index: Int32) -> RowID { RowID(index: index) }

  /// Reads rows for positions from 10 on, with a table that knows the rows a, b and c.
  private func read(_ rows: [[String]], guesses: [Place]) -> [Place] {
    var table = RowTable<String>()
    for (index, row) in ["a", "b", "c"].enumerated() {
      table.insert(row, RowTable.hash(row), as: Self.id(Int32(index)))
    }
    let known = table.rows
    var places = PlacesRead<String>(10..<10 + rows.count, guesses)
    for (index, rows) in rows.enumerated() {
      for row in rows { places.take(10 + index, row, known) }
    }
    var last: Int32 = 2
    return places.end { row in
      if let known = table.id(of: row, RowTable.hash(row)) { return known }
      last += 1
      table.insert(row, RowTable.hash(row), as: Self.id(last))
      return Self.id(last)
    }
  }

  @Test("Guessed rows keep their numbers, known ones have theirs, and new ones get the next")
  func rows() {
    let (a, b, c) = (Self.id(0), Self.id(1), Self.id(2))
    let guesses: [Place] = [.row(a), .row(c), .unread, .unread]
    let read = read([["a"], ["b"], ["c"], ["d"]], guesses: guesses)
    #expect(read == [.row(a), .row(b), .row(c), .row(Self.id(3))])
  }

  @Test("Positions have no row, one row or several, whatever was guessed")
  func items() {
    let (a, b, c) = (Self.id(0), Self.id(1), Self.id(2))
    let places: [Place] = [.rows([]), .row(a), .rows([a, b]), .rows([]), .rows([b, b, c])]
    let rows = [[], ["a"], ["a", "b"], [], ["b", "b", "c"]]
    let guesses: [[Place]] = [
      places, Array(repeating: .unread, count: 5), Array(repeating: .row(a), count: 5),
      [.row(b), .row(b), .row(a), .rows([a]), .row(b)],
    ]
    for guesses in guesses { #expect(read(rows, guesses: guesses) == places) }
    let none = [Place](repeating: .rows([]), count: 3)
    #expect(read([[], [], []], guesses: [.row(a), .unread, .rows([b])]) == none)
  }

  @Test("A row is looked up by its name only if it is not the guessed one")
  func lookUps() {
    let guesses: [Place] = [.row(Self.id(0)), .row(Self.id(0))]
    var places = PlacesRead<String>(10..<12, guesses)
    for (index, row) in ["a", "b"].enumerated() { places.take(10 + index, row, ["a", "b"]) }
    var lookedUp: [String] = []
    let read = places.end { row in
      lookedUp.append(row)
      return Self.id(1)
    }
    #expect(read == [.row(Self.id(0)), .row(Self.id(1))] && lookedUp == ["b"])
  }

  @Test("Rows on screen have their own numbers, whatever was guessed, and unknown ones have none")
  func rowsOnScreen() {
    let store = TrackerRig().tracker.store
    for row in 0..<2 { store.rows.insert(row, RowTable.hash(row), as: Self.id(Int32(row))) }
    let known = store.known([0, 1, 9, 0], [Self.id(0), Self.id(0), Self.id(1)])
    #expect(known == [Self.id(0), Self.id(1), Self.id(0)])
  }

  @Test("A source of items gives the rows of each item, in order, at its position")
  func sourceOfItems() {
    let source = RowSource<Int>([9, 2, 0, 3].dropFirst()) { item in
      (0..<item).map { 10 * item + $0 }
    }
    var read: [[Int]] = []
    for positions in [0..<3, 2..<3] {
      source.read(positions) { read.append([$0, $1]) }
    }
    let last = [[2, 30], [2, 31], [2, 32]]
    #expect(source.count == 3 && read == [[0, 20], [0, 21]] + last + last)
  }

  @Test("A row whose number goes to another row while the rows are read gets a new one")
  func reentrancy() throws {
    let store = TrackerRig().tracker.store
    let (old, new) = (Self.id(0), Self.id(1))
    store.rows.insert(7, RowTable.hash(7), as: old)
    var readings = 0
    let source = RowSource<Int>(count: 1) { positions, take in
      readings += 1
      for position in positions { take(position, 7) }
      guard readings == 1 else { return }
      store.forgetRows([old])
      store.rows.insert(8, RowTable.hash(8), as: old)
    }
    let reading = TrackerEngine.Reading(
      key: .init(list: 0), positions: 0..<1, guesses: [.row(old)])
    let places = store.read(reading, of: source, passedAt: 0) { new }
    #expect(places == [.row(new)] && readings == 2)
    #expect(store.rows[old] == 8 && store.rows[new] == 7)
  }

  @Test("A list that scrolls and whose order is set again has its window at the rows on screen")
  func scrolled() {
    let tracker = TrackerRig().tracker
    let cells = (0..<10).map { SimulatedCell(number: $0) }
    for first in [10, 12, 11] {
      for cell in cells {
        tracker.bind(cell, to: first + cell.number) { _, _ in }
        tracker.willDisplay(cell)
      }
      tracker.setOrder(Array(0..<100))
      tracker.endPass()
      #expect(tracker.shownPositions(inList: 0) == first..<first + 10)
    }
  }
}
