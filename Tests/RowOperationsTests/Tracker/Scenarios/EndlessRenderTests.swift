import Proofs
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

@Suite("Renders that go on binding their cells", .timeLimit(.minutes(10)))
@MainActor
struct EndlessRenderTests {
  @Test("A cell in a circle of renders shows its own row", arguments: [2, 3, 7, 1_000_000])
  func ownRow(rows: Int) {
    let tracker = DisplayTracker<Int, Int> { $0.row }
    let cell = SimulatedCell(number: 0)
    let screen = playCircle(of: rows, cell, tracker)
    #expect(screen != nil && screen == tracker.row(of: cell))
    #expect(tracker.audit() == [])
  }

  @Test("A circle of renders is reported")
  func reported() {
    Misuses.inside { misuses in
      _ = playCircle(of: 2, SimulatedCell(number: 0), DisplayTracker { $0.row })
      #expect(!misuses.codes.isEmpty && misuses.codes.allSatisfy { $0 == .endlessBinding })
    }
  }
}

/// Binds a cell to the next of some rows in each render, before the render fills the cell.
///
/// - Returns: The row that is on screen.
@MainActor
private func playCircle(
  of rows: Int, _ cell: SimulatedCell, _ tracker: DisplayTracker<Int, Int>
) -> Int? {
  var (screen, calls, isOver): (Int?, Int, Bool) = (nil, 0, false)
  func bind(to row: Int) {
    tracker.bind(cell, to: row) { _, _ in
      calls += 1
      if calls < 2_000, !isOver { bind(to: (row + 1) % rows) }
      screen = row
    }
  }
  bind(to: 0)
  tracker.willDisplay(cell)
  for _ in 0..<5 { tracker.endPass() }
  // The audit follows a turn without calls.
  isOver = true
  for _ in 0..<2 { tracker.endPass() }
  return screen
}
