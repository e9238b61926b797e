import Foundation

/// The least that a list's books can be kept with, and nothing more: no claims, no slots, no order,
/// no loads, and none of it generic.
///
/// A cell is known by its identity, and by a weak reference because addresses are used again; a row by
/// its name; what renders it is kept, called when it is bound and once more when the frame is over.
/// What a tracker does is on top of this.
@MainActor
final class BareBooks: RowHost {
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

/// Rows that wait in a plain list, found by their names.
@MainActor
struct BareLine {
  private struct Place {
    var previous: Int
    var next: Int
    /// As large as what a tracker keeps for a waiting row in all.
    var rest: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  private var indices: [String: Int] = [:]
  private var places: [Place] = []
  private var last: Int

  init(_ rows: [String]) {
    last = rows.count - 1
    for (index, row) in rows.enumerated() {
      indices[row] = index
      places.append(Place(previous: index - 1, next: index + 1 < rows.count ? index + 1 : -1))
    }
  }

  /// Takes a row out of its place and puts it at the other end.
  mutating func move(_ row: String) {
    guard let index = indices[row], index != last else { return }
    let place = places[index]
    if place.previous >= 0 { places[place.previous].next = place.next }
    places[place.next].previous = place.previous
    places[index].previous = last
    places[index].next = -1
    places[index].rest.0 += 1
    places[last].next = index
    last = index
  }
}
