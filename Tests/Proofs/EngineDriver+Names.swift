import RowOperations
import RowOperationsTesting

/// The numbers of cells and rows, and the values of rows.
extension EngineDriver {
  // MARK: Cells

  func knownCell(_ cell: Int) -> CellID {
    if let id = cellIDs[cell] { return id }
    let id = engine.cellAppeared()
    cellIDs[cell] = id
    cellNumbers[id] = cell
    return id
  }

  package func bind(_ cell: Int, to row: Int?, in host: Int? = nil) {
    let rowID = row.map { intern($0) }
    if let row { lookUp(row) }
    let id = knownCell(cell)
    engine.bind(
      id, to: rowID, in: host.map { knownCell($0) }, rendersLeaving: cell % 2 == 1, at: now)
    shown[cell] = row.map { content(of: $0) }
  }

  func vanish(_ cell: Int) {
    guard let id = cellIDs.removeValue(forKey: cell) else { return }
    cellNumbers[id] = nil
    engine.vanished(id, at: now)
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
    let key = resource?(row)
    let id = engine.rowAppeared(sharing: key.flatMap { loadsOfResources[$0] })
    rowIDs[row] = id
    rowNumbers[id] = row
    if let index = order.firstIndex(of: row) { engine.setOrderIndex(of: id, to: index, in: 0) }
    if let key { loadsOfResources[key] = engine.rows[id].load }
    return id
  }

  func knownLoad(_ row: Int) -> LoadID? {
    rowIDs[row].map { engine.rows[$0].load } ?? resource.flatMap { loadsOfResources[$0(row)] }
  }

  func idOfSharing(_ row: Int) -> RowID? {
    rowIDs[row] ?? knownLoad(row).map { engine.leader(of: $0) ?? intern(row) }
  }

  func idOfOwner(_ row: Int) -> RowID? {
    if let id = rowIDs[row] { return id }
    guard let load = knownLoad(row), engine.leader(of: load) == nil else { return nil }
    return intern(row)
  }

  /// Looks up a row without a value in the app's cache.
  func lookUp(_ row: Int) {
    guard origin(row) == .cache, let load = knownLoad(row), engine.wantsLookUp(load) else { return }
    setValue(of: row)
  }

  func setValue(of row: Int) {
    let id = intern(row)
    let load = engine.rows[id].load
    engine.valueFound(for: load, cost: 1, at: now)
    keepLocalEdit(of: load, row)
  }

  func keepLocalEdit(of load: LoadID, _ row: Int) {
    localEdits += 1
    keep(UInt64.max - localEdits, for: load, row: row)
  }

  package func keep(_ value: UInt64, for load: LoadID, row: Int) {
    values[load] = value
    rowsOfValues[value] = row
  }

  func forget(_ id: RowID) {
    guard let row = rowNumbers.removeValue(forKey: id) else { return }
    if rowIDs[row] == id { rowIDs[row] = nil }
  }

  func forget(_ load: LoadID) {
    for (key, other) in loadsOfResources where other == load { loadsOfResources[key] = nil }
  }
}
