import RowOperationsTesting

@testable import RowOperations

/// The checks of the engine's decisions.
extension NaiveTracker {
  mutating func check(_ decision: Decision) {
    switch decision {
    case .start(let row): checkStart(of: [row])
    case .startBatch(let rows): checkStart(of: rows)
    case .cancel(let row, let place):
      if live.dueCancels.remove(row) == nil { checkCancel(of: [row], at: place) }
    case .cancelBatch(let rows, let place): checkCancel(of: rows, at: place)
    case .timeOut(let row): checkTimeout(of: [row])
    case .timeOutBatch(let rows): checkTimeout(of: rows)
    case .evict(let row): checkEviction(of: row)
    case .open(let row): checkOpening(of: row)
    case .close(let row): checkClosing(of: row)
    case .expect, .element: break
    }
  }

  // MARK: Values

  private var droppable: [Int] { values.keys.filter { !isClaimed($0) } }

  private var keepsTooMuch: Bool {
    values.count > settings.valueLimit ?? .max || values.count > settings.costLimit ?? .max
  }

  private mutating func checkEviction(of row: Int) {
    if !keepsTooMuch { complain("evicted \(row) though there was room") }
    if !droppable.contains(row) { complain("evicted \(row), which is in use") }
    let oldest = droppable.map { lastUse[$0] ?? 0 }.min()
    if lastUse[row] ?? 0 != oldest { complain("evicted \(row), which was used more recently") }
    values[row] = nil
    endStream(row)
  }

  mutating func checkNothingIsLeftToDo() {
    checkLoadsAreDone()
    if keepsTooMuch, !droppable.isEmpty { complain("\(values.count) values are kept") }
  }

  // MARK: Windows

  mutating func check(_ window: NaiveWindow) {
    let list = window.list
    if list == 0, !content[0, default: [:]].isEmpty {
      checkOrder(window)
    } else if reported[window.key] != window.shown {
      complain("\(window.key) shows \(window.shown), not \(reported[window.key] ?? 0..<0)")
    }
    for position in window.held where window.distance(of: position) > 0 {
      if window.distance(of: position) > settings.prefetchWindow.limit + window.shown.count {
        complain("list \(list) holds \(position), which is far away")
      }
    }
    for position in window.shown where window.rows[position] == nil {
      complain("list \(list) has not read \(position), which is on screen")
    }
    guard changedLists.isEmpty else { return }
    for (position, rows) in window.rows where content[list]?[position] ?? [] != rows {
      // A position without rows may have got some since it was read.
      if !rows.isEmpty { complain("list \(list) holds \(rows) at \(position)") }
    }
  }

  /// Checks the part of the order that is on screen.
  private mutating func checkOrder(_ window: NaiveWindow) {
    // Cells that wait for their rows are on screen too.
    let displayed = displayedRows.union(cells.lostRows)
    for position in [window.shown.lowerBound, window.shown.upperBound - 1]
    where displayed.isDisjoint(with: content[0]?[position] ?? []) {
      complain("position \(position) of the order counts as on screen and is not")
    }
    let others = Set(
      windows.filter { $0.list != 0 }.flatMap { other in
        other.shown.flatMap { other.rows[$0] ?? [] }
      })
    // After a rename the order may have a row twice, and the engine counts both places.
    let order = content[0, default: [:]].values.joined()
    guard !displayed.contains(where: { row in order.count { $0 == row } > 1 }) else { return }
    for position in [window.shown.lowerBound - 1, window.shown.upperBound]
    where window.rows[position]?.contains(where: {
      displayed.contains($0) && !others.contains($0)
    }) == true {
      complain("position \(position) of the order is on screen and does not count")
    }
  }

  /// Checks that each list with positions on screen has a window.
  mutating func checkEnds(of list: Int?) {
    for (key, shown) in reported where !shown.isEmpty && (list ?? key.list) == key.list {
      let isOrder = key.list == 0 && !content[0, default: [:]].isEmpty
      if !isOrder, !windows.contains(where: { $0.key == key }) {
        complain("\(key) has no window")
      }
    }
  }
}
