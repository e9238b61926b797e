import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Lists that renders change", .timeLimit(.minutes(10)))
@MainActor
struct ChangingRenderTests {
  enum Change: CaseIterable, Sendable {
    case reconfigureRow, reloadRow, reload, updateToTheSameRows, insert, deleteAnother, move, resize

    @MainActor
    func make(_ list: ListSimulator<Int>, _ row: Int) {
      switch self {
      case .reconfigureRow: list.reconfigureRow(row)
      case .reloadRow: list.reloadRow(row)
      case .reload: list.reload(list.rows)
      case .updateToTheSameRows: list.update(to: list.rows)
      case .insert: list.insert([list.rows.count], at: row)
      case .deleteAnother: list.delete([row + 1])
      case .move: list.move(row, to: 0)
      case .resize: list.resize(to: list.viewport == 440 ? 400 : 440)
      }
    }
  }

  nonisolated static let behaviors: [ListBehavior] = {
    var reused = ListBehavior.tableView
    reused.reloadEndsFirst = false
    return [.init(), .tableView, .collectionView, .gtkListView, reused]
  }()

  @Test("A list that changes in the render of a value comes to rest", arguments: Change.allCases)
  func renders(change: Change) async {
    for behavior in Self.behaviors {
      let tracker = DisplayTracker<Int, Int> { $0.row }
      weak var known: ListSimulator<Int>?
      var (renders, changes) = (0, 0)
      let list = ListSimulator(rows: Array(0..<60), viewport: 440, behavior: behavior) { event in
        switch event {
        case .cellFor(let cell, let row):
          tracker.bind(cell, to: row) { _, phase, moment in
            renders += 1
            guard phase.value != nil, moment == .update, changes < 500, let known else { return }
            changes += 1
            change.make(known, row)
          }
        case .willDisplay(let cell): tracker.willDisplay(cell)
        case .didEndDisplaying(let cell, _): tracker.didEndDisplaying(cell)
        case .unbind(let cell): tracker.unbind(cell)
        default: break
        }
      }
      known = list
      list.layOut()
      await tracker.waitUntilIdle()
      for _ in 0..<20 { await tracker.pendingTurns() }
      #expect(changes < 100 && renders < 8_000, "\(changes) changes, \(renders) renders")
      #expect(!tracker.core.engine.turns.isRequested)
      #expect(tracker.displayedRows == Set(list.visibleRows))
      #expect(tracker.audit() == [])
    }
  }
}
