import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Load times")
struct LoadTimesTests {
  @Test("The load time is the median of the last fifteen loads")
  func median() {
    var times = LoadTimes()
    #expect(times.median == nil)
    var all: [Int64] = []
    var random = SeededGenerator(seed: 15)
    for _ in 0..<1_000 {
      all.append(.random(in: 0..<20, using: &random))
      times.add(all[all.count - 1])
      let last = all.suffix(15)
      #expect(times.median == last.sorted()[(last.count - 1) / 2])
    }
  }
}
