@testable import TestSupport

/// A stream of a row that hops between threads, has some elements, and then ends, fails or falls
/// silent.
struct RandomStream: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private static let opened = Box(0)

  let row: Int
  private let number = Self.opened.add()
  private var count = 0

  init(row: Int) { self.row = row }

  func makeAsyncIterator() -> RandomStream { self }

  mutating func next() async throws -> RandomList.Photo? {
    for _ in 0..<number % 5 { await Task.yield() }
    count += 1
    guard count > 1 + number % 7 else {
      return RandomList.Photo(row: row, generation: UInt64(count))
    }
    switch number % 11 {
    case 0: throw RandomList.Broken()
    case 1, 2: return nil
    default:
      await untilCancelled()
      return nil
    }
  }
}
