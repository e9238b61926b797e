import Testing

@testable import RowOperations

@Suite("The pace of a list")
struct PaceTests {
  /// Passes in which rows appeared, in milliseconds, and the pace in rows per second.
  private static let examples: [(passes: [(time: Int64, rows: Int)], now: Int64, pace: Double?)] = [
    ([(0, 2), (50, 3)], 60, 50),
    ([(0, 9)], 99, nil),
    ([(0, 1), (200, 2), (400, 2), (600, 2)], 700, 2 / 0.3),
    ([(0, 4), (200, 1), (400, 1), (600, 1)], 700, 2 / 0.5),
    ([(0, 1), (900, 1)], 999, 1 / 0.999),
    ([(0, 1), (900, 1)], 1_000, nil),
  ]

  @Test("The rows of 100 ms count, or if these are few, the last three rows and two passes")
  func pace() throws {
    for (passes, now, expected) in Self.examples {
      var motion = ListMotion(1, at: 0)
      for (time, rows) in passes { motion.rowsAppeared(rows, at: time * 1_000_000) }
      let pace = motion.pace(at: now * 1_000_000).map { $0 * 1e9 }
      let difference = abs((pace ?? -1) - (expected ?? -1))
      #expect(difference < 1e-9, "\(passes) at \(now): \(String(describing: pace))")
    }
  }
}
