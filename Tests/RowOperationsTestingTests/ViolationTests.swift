import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The check of the rows on screen")
@MainActor
struct ViolationTests {
  private let cell = SimulatedCell(number: 0)
  private let tracker = DisplayTracker<Int, Int> { $0.row }

  /// The violations after a fault in the records of row 3, which is on screen and waits.
  private func violations(_ fault: (inout TrackerEngine, RowID) -> Void) throws -> [Violation] {
    tracker.bind(cell, to: 3) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    #expect(tracker.violations() == [])
    var engine = tracker.core.engine
    fault(&engine, try #require(tracker.knownID(of: 3)))
    return engine.violationsOnScreen { _ in "3" }
  }

  @Test("A row on screen that neither loads nor waits is forgotten")
  func forgotten() throws {
    let found = try violations { $0.rows[$1].work = .none }
    #expect(found == [Violation(.nothingForgotten, "row 3 is displayed and forgotten")])
  }

  @Test("A row on screen with an old value needs a newer one")
  func oldValue() throws {
    let found = try violations {
      $0.rows[$1].work = .none
      $0.rows[$1].knowledge = .staleValue
    }
    #expect(found.map(\.invariant) == [.newestShown])
  }

  @Test("A cell on screen shows the newest content of its row")
  func oldContent() throws {
    let found = try violations { $0.rows[$1].change += 1 }
    #expect(found == [Violation(.newestShown, "a cell shows old content of row 3")])
  }

  @Test("A cell belongs to the row that knows it")
  func wrongRow() throws {
    let found = try violations { $0.rows[$1].displays = 0 }
    #expect(found == [Violation(.rightRow, "a cell is bound to a row that lacks it")])
  }
}
