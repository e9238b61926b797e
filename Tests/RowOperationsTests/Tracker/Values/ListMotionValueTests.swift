import Testing

@testable import RowOperations

@Suite("The motion of one list as a value")
struct ListMotionValueTests {
  /// A list where one row appeared at each of some times, in milliseconds.
  private func motion(_ times: Int64...) -> ListMotion {
    var motion = ListMotion(1, at: 0)
    for time in times { motion.rowsAppeared(1, at: time * 1_000_000) }
    return motion
  }

  @Test("Appearances count for less than a second, and passes without one do not count")
  func appearances() {
    var list = motion(0, 400)
    list.rowsAppeared(0, at: 999_999_999)
    #expect(list.appearances.map(\.time) == [0, 400_000_000])
    list.rowsAppeared(2, at: 1_000_000_000)
    #expect(list.appearances.map(\.time) == [400_000_000, 1_000_000_000])
    #expect(list.appearances.map(\.count) == [1, 2])
  }

  @Test(
    "A search visits each position once, the nearest first, and the one ahead of two",
    arguments: [
      (2, 5, [2, 3, 1, 4, 0]), (0, 3, [0, 1, 2]), (9, 3, [2, 1, 0]), (-4, 2, [0, 1]), (0, 1, [0]),
      (0, 0, []),
    ])
  func search(center: Int, count: Int, expected: [Int]) {
    var search = OrderSearch(from: center, count: count)
    var found: [Int] = []
    while found.count <= count, let next = search.next() { found.append(next) }
    #expect(found == expected)
  }
}
