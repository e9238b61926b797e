import RowOperationsTesting

@testable import RowOperations

/// The numbers of cells and rows, and the values of rows.
extension EngineDriver {
  // MARK: Cells

  func knownCell(_ cell: Int) -> CellID {
    if let id = cellIDs[cell] { return id }
    let id = engine.addCell()
    cellIDs[cell] = id
    cellNumbers[id] = cell
    return id
  }

  package func bind(_ cell: Int, to row: Int?, in host: Int? = nil) {
    let rowID = row.map { intern($0) }
    if let row { lookUp(row) }
    let id = knownCell(cell)
    engine.take(
      .bind(id, to: rowID, in: host.map { knownCell($0) }, rendersLeaving: cell % 2 == 1), at: now)
    fill(cell, id, with: row.map { content(of: $0) })
  }

  func vanish(_ cell: Int) {
    guard let id = cellIDs.removeValue(forKey: cell) else { return }
    cellNumbers[id] = nil
    engine.take(.deallocate(cell: id), at: now)
    shown[cell] = nil
  }

  func forget(_ id: CellID) {
    guard let cell = cellNumbers.removeValue(forKey: id) else { return }
    cellIDs[cell] = nil
    shown[cell] = nil
    hosts.forget(cell)
  }

  // MARK: Rows

  func intern(_ row: Int) -> RowID {
    if let id = rowIDs[row] { return id }
    let id = engine.addRow()
    rowIDs[row] = id
    rowNumbers[id] = row
    return id
  }

  /// Looks up a row without a value in the app's cache.
  func lookUp(_ row: Int) {
    guard origin(row) == .cache, let id = rowIDs[row], engine.wantsLookUp(id) else { return }
    setValue(of: row)
  }

  func setValue(of row: Int) {
    let id = intern(row)
    engine.take(.setValue(id, cost: 1), at: now)
    keepLocalEdit(of: id, row)
  }

  func keepLocalEdit(of id: RowID, _ row: Int) {
    localEdits += 1
    keep(UInt64.max - localEdits, for: id, row: row)
  }

  func keep(_ value: UInt64, for id: RowID, row: Int) {
    values[id] = value
    rowsOfValues[value] = row
  }

  func forget(_ id: RowID) {
    guard let row = rowNumbers.removeValue(forKey: id) else { return }
    if rowIDs[row] == id { rowIDs[row] = nil }
  }
}
