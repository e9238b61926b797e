import RowOperations

extension DisplayTracker {
  /// Checks the cells and the rows on screen after a turn.
  ///
  /// It checks ``Violation/Invariant/rightRow``, ``Violation/Invariant/nothingForgotten`` and
  /// ``Violation/Invariant/newestShown``.
  ///
  /// **Cost**: O(rows and cells of the tracker).
  ///
  /// - Returns: The violated invariants; empty if all hold.
  public func violations() -> [Violation] {
    core.engine.violationsOnScreen { id in row(number: Int(id.index)).map { "\($0)" } ?? "none" }
  }
}

extension TrackerEngine {
  package func violationsOnScreen(name: (RowID) -> String) -> [Violation] {
    var violations: [Violation] = []
    for id in cells.ids {
      guard let row = cells[id].row else { continue }
      let isDisplayed = cells[id].isDisplayed
      guard rows.contains(row), !isDisplayed || rows[row].displays > 0 else {
        violations.append(Violation(.rightRow, "a cell is bound to a row that lacks it"))
        continue
      }
      if isDisplayed, !rows[row].isChanged, !cells[id].shows(rows[row].change) {
        violations.append(Violation(.newestShown, "a cell shows old content of row \(name(row))"))
      }
    }
    for id in rows.ids {
      let row = rows[id]
      guard row.displays > 0, row.work == .none, row.listening != .owed else { continue }
      if row.knowledge == .staleValue {
        let explanation = "row \(name(id)) shows an old value and no newer one is on its way"
        violations.append(Violation(.newestShown, explanation))
      } else if row.knowledge != .value, row.knowledge != .nothing {
        violations.append(
          Violation(.nothingForgotten, "row \(name(id)) is displayed and forgotten"))
      }
    }
    return violations
  }
}
