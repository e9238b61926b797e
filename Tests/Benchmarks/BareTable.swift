import Foundation

/// The smallest bookkeeping of a list: no claims, no slots, no order, no loads, nothing generic.
///
/// A cell has its identity, and a weak reference because addresses are used again. A row has its
/// name. The table keeps the closure that renders a row, and calls it at the binding and after the
/// frame. The work of a tracker comes on top of this.
@MainActor
final class BareTable: RowHost {
  private final class Entry {
    weak var cell: Cell?
    var row = ""
    var render: (Cell, Bool) -> Void = { _, _ in }

    init(_ cell: Cell) { self.cell = cell }
  }

  private var cells: [ObjectIdentifier: Entry] = [:]
  private var rows: [String: Entry] = [:]
  private var changed: [Entry] = []
  private var isTurnRequested = false

  func show(_ row: String, in cell: Cell) {
    let entry = known(cell) ?? insert(cell)
    entry.row = row
    rows[row] = entry
    entry.render = { cell, isWaiting in cell.text = isWaiting ? "…" : "" }
    entry.render(cell, false)
  }

  func willDisplay(_ cell: Cell) {
    guard let entry = known(cell) else { return }
    changed.append(entry)
    requestTurn()
  }

  func didEndDisplaying(_ cell: Cell) {
    guard let entry = known(cell) else { return }
    rows[entry.row] = nil
    requestTurn()
  }

  private func known(_ cell: Cell) -> Entry? {
    guard let entry = cells[ObjectIdentifier(cell)], entry.cell === cell else { return nil }
    return entry
  }

  private func insert(_ cell: Cell) -> Entry {
    let entry = Entry(cell)
    cells[ObjectIdentifier(cell)] = entry
    return entry
  }

  private func requestTurn() {
    guard !isTurnRequested else { return }
    isTurnRequested = true
    DispatchQueue.main.async { [self] in
      isTurnRequested = false
      for entry in changed {
        if let cell = entry.cell { entry.render(cell, true) }
      }
      changed.removeAll(keepingCapacity: true)
    }
  }
}
