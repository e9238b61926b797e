import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Landing of a list without cells")
  struct FlingTargetTests {
    private let lines = RowLines(
      (0..<10).map { index in
        let start = Double(50 * index)
        return RowLines.Row(index: index, start: start, end: start + 50)
      })

    @Test("A fling lands at the distance of its target from the start of the scroll")
    func fling() {
      var target = FlingTarget()
      target.rested(lines)
      // The target's coordinate space is unknown; here it begins at -88.
      #expect(target.indices(from: -88, to: 912, length: 500, count: 100) == 20..<30)
    }

    @Test("A second fling before the list rests is measured from the same rows")
    func caught() {
      var target = FlingTarget()
      target.rested(lines)
      #expect(target.indices(from: 0, to: 1_000, length: 500, count: 100) == 20..<30)
      #expect(target.indices(from: 600, to: 2_000, length: 500, count: 100) == 40..<50)
      target.rested(lines)
      #expect(target.indices(from: 2_000, to: 1_000, length: 500, count: 100) == 0..<0)
    }

    @Test("A fling has no landing without rows, or without a target from the host")
    func unknown() {
      var target = FlingTarget()
      #expect(target.indices(from: 0, to: 500, length: 500, count: 100) == nil)
      target.rested(lines)
      #expect(target.indices(from: 0, to: .nan, length: 500, count: 100) == nil)
      #expect(target.indices(from: 0, to: 500, length: 0, count: 100) == nil)
      #expect(target.indices(from: 0, to: 500, length: 500, count: 100) == 10..<20)
    }
  }
}
