#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn.FaultTests {
    /// What an app does to a cell and its list in the render of a value.
    enum ChangeInRender: CaseIterable {
      case configure, reloadRow, reloadData, deleteAndInsert

      @MainActor
      func make(_ list: RandomList, _ cell: UIView, _ row: Int) {
        guard let path = list.path(of: row) else { return }
        let (table, grid) = (list.view as? UITableView, list.view as? UICollectionView)
        switch self {
        case .configure: list.fill(cell, at: path)
        case .reloadRow: table?.reloadRows(at: [path], with: .none)
        case .reloadData: list.view.reloadData()
        case .deleteAndInsert:
          table?.performBatchUpdates {
            table?.deleteRows(at: [path], with: .none)
            table?.insertRows(at: [path], with: .none)
          }
          grid?.deleteItems(at: [path])
          grid?.insertItems(at: [path])
        }
        list.view.layoutIfNeeded()
      }
    }

    @Test(
      "A list that is changed and laid out in the render of a value comes to rest",
      arguments: Variant.each)
    func changesInRenders(variant: Variant) async {
      for kind in [ListKind.table, .growingTable, .grid] {
        for change in ChangeInRender.allCases {
          // A grid deletes and inserts in two steps, beside a model that has not changed.
          if kind == .grid, change == .deleteAndInsert { continue }
          let phone = Phone(variant)
          let tracker = phone.tracker()
          let list = phone.list(kind, tracker, rows: 0..<40)
          var changes = 0
          list.whileUpdating = { [weak list] cell, row in
            guard let list, tracker.phase(of: row).value != nil, changes < 500 else { return }
            changes += 1
            change.make(list, cell, row)
          }
          await phone.turns()
          await tracker.waitUntilIdle()
          await phone.turns(20)
          #expect(changes > 0 && changes < 200, "\(kind), \(change): \(changes)")
          #expect(!tracker.core.state.engine.turns.isRequested)
          #expect(tracker.displayedRows == Set(list.rowsOnScreen.keys), "\(kind), \(change)")
          #expect(list.rowsOnScreen.allSatisfy { $1.tag == $0 }, "\(kind), \(change)")
          list.stop()
        }
      }
    }

    @Test(
      "Rows that were removed while their cells were prepared or kept load when they come on screen",
      arguments: Variant.each)
    func removedRows(variant: Variant) async {
      for kind in [ListKind.table, .grid, .sections] {
        let phone = Phone(variant)
        let account = Box(0)
        let tracker = phone.tracker { $0.cached = { [account] in $0 + account.value } }
        let list = phone.list(kind, tracker, rows: 0..<200)
        await phone.turns()
        for offset in [300, 200, 330] {
          list.view.contentOffset.y = CGFloat(offset)
          await phone.turns()
        }
        account.set(1_000)
        tracker.removeAll()
        // The app configures the visible cells anew, as after a change of the account.
        for (path, cell) in list.view.cellsOnScreen { list.fill(cell, at: path) }
        for offset in [360, 500, 200, 0, 90] {
          list.view.contentOffset.y = CGFloat(offset)
          await phone.turns()
          await tracker.waitUntilIdle()
          await phone.turns()
          let rows = list.rowsOnScreen.filter { $0.key >= 0 }
          #expect(rows.allSatisfy { $1.tag == $0 + 1_000 }, "\(kind) at \(offset)")
          #expect(tracker.displayedRows.isSuperset(of: rows.keys), "\(kind) at \(offset)")
        }
        list.stop()
      }
    }
  }
#endif
