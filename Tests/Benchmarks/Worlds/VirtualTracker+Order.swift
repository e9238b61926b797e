import RowOperations
import RowOperationsTesting

/// The window of the list, whose positions on screen are found by the displayed rows.
extension VirtualTracker {
  /// Finds the rows of the list on screen, as `DisplayTracker` does with each turn.
  func followOrder() {
    guard !order.isEmpty else { return }
    let displayed = engine.displayedRows(besidesListsOtherThan: 0)
    if moveWindow(to: displayed) { return }
    var search = OrderSearch(from: lastPosition, count: order.count)
    while let position = search.next() {
      guard let row = rows[position], displayed.contains(row) else { continue }
      show(position..<position + 1)
      _ = moveWindow(to: displayed)
      return
    }
    engine.take(.listShows(0, [], isOtherData: false), at: now)
  }

  private func moveWindow(to displayed: [RowID]) -> Bool {
    guard !displayed.isEmpty, let window = engine.window(of: 0) else { return false }
    var shown = window.shown
    for _ in 0..<8 {
      show(shown)
      let found = engine.window(of: 0)?
        .visible(displays: displayed.count) { displayed.contains($0) }
      guard let found else { return false }
      if found == shown { break }
      shown = found
    }
    show(shown)
    engine.take(.endReading(0), at: now)
    read()
    lastPosition = shown.lowerBound
    return true
  }

  private func show(_ shown: Range<Int>) {
    let span = ShownPositions(bounds: order, shown: shown)
    engine.take(.listShows(0, span.map { [$0] } ?? [], isOtherData: false), at: now)
    read()
  }

  private func read() {
    for reading in engine.unreadPositions(of: 0) {
      let places = reading.positions.map { position in
        var place = OrderWindow.Place.rows([])
        place.append(id(ofRow: position))
        return place
      }
      engine.take(.positionsRead(reading.key, reading.positions, places), at: now)
    }
  }
}
