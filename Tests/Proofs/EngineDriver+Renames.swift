import RowOperationsTesting

@testable import RowOperations

/// Renames, as the shell makes them.
extension EngineDriver {
  func rename(_ old: Int, to new: Int) {
    guard old != new else { return }
    names.rename(old, to: new)
    renameData(old, to: new)
    _ = engine.turns.request()
    guard let id = rowIDs[old] else { return }
    let kept = rowIDs[new].map { merge(id, into: $0) } ?? id
    (rowIDs[old], rowIDs[new], rowNumbers[kept]) = (nil, kept, new)
    if kept == id { engine.rowReplaced(kept) }
    if let value = values[kept] { rowsOfValues[value] = new }
    if let stream = streams.removeValue(forKey: old) { streams[new] = stream }
    for (cell, content) in shown where content.row == old { shown[cell] = renamed(content) }
  }

  /// - Returns: The number that goes on.
  private func merge(_ old: RowID, into new: RowID) -> RowID {
    let kept = engine.keptRow(of: old, new)
    let gone = kept == old ? new : old
    // Its stream closes under the name that it had.
    if let name = rowNumbers[gone], streams.removeValue(forKey: name) != nil {
      decisions.append(.close(row: name))
    }
    if engine.take(.merge(gone, into: kept), at: now) {
      values[kept] = values.removeValue(forKey: gone)
    }
    rowNumbers[gone] = rowNumbers[new]
    return kept
  }

  /// The content with the newest name of its row.
  func renamed(_ content: Shown) -> Shown {
    Shown(
      row: names.name(of: content.row), phase: content.phase, value: content.value,
      step: content.step)
  }

  /// The lists still have the former name until their data is read anew.
  private func renameData(_ old: Int, to new: Int) {
    let renamed = { (row: Int) in row == old ? new : row }
    order = order.map(renamed)
    for (list, data) in lists.lists {
      lists.lists[list]?.rows = data.rows.mapValues { $0.map(renamed) }
    }
    rowsRead = rowsRead.mapValues { $0.mapValues { $0.map(renamed) } }
  }
}
