import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The displayed views of a list")
  @MainActor
  struct DisplayedViewsTests {
    private var views = DisplayedViews()
    private let cells = (0..<3).map { SimulatedCell(number: $0) }

    /// Records a layout, and returns the numbers of the views that came and of those that left.
    private mutating func layOut(_ numbers: [Int], others: [Int] = []) -> [[Int]] {
      let changes = views.laidOut(
        numbers.map { .init(cells[$0], at: nil) }, others.map { cells[$0] })
      return [changes.appeared, changes.left].map { views in
        views.compactMap { ($0 as? SimulatedCell)?.number }.sorted()
      }
    }

    @Test("A view that a layout has twice hides no view that has left")
    mutating func twice() {
      #expect(layOut([0, 1]) == [[0, 1], []])
      #expect(layOut([0], others: [0]) == [[], [1]])
      #expect(layOut([0, 0]) == [[], []])
    }

    @Test("A view with a forwarded display stays until a layout has had it and the next has not")
    mutating func forwarded() {
      views.forwarded(cells[0], isListed: false)
      #expect(layOut([1]) == [[1], []])
      #expect(layOut([2]) == [[2], [1]])
      #expect(layOut([0]) == [[], [2]])
      #expect(layOut([]) == [[], [0]])
    }

    @Test("A deallocated cell is forgotten, and a new cell at its address counts as new")
    mutating func deallocated() {
      var cell: SimulatedCell? = SimulatedCell(number: 0)
      #expect(views.laidOut([.init(cell!, at: nil)]).appeared.count == 1)
      cell = nil
      for number in 1..<50 {
        let heir = SimulatedCell(number: number)
        let changes = views.laidOut([.init(heir, at: nil)])
        #expect(changes.appeared.count == 1)
        #expect(changes.left.isEmpty)
      }
    }
  }
}
