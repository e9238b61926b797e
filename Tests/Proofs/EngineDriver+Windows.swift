import RowOperationsTesting

@testable import RowOperations

/// The windows of lists, and the rows that the driver reads for them.
extension EngineDriver {
  /// Sets the rows of the list in order.
  package func setOrder(_ rows: some Collection<Int>) {
    order = Array(rows)
    isOtherOrder = true
  }

  /// The windows of lists, with the rows that were read.
  package var windows: [NaiveWindow] {
    engine.windows.map { window in
      let rows = rows(of: window)
      return NaiveWindow(
        key: window.key, bounds: window.bounds, shown: window.shown, held: window.range, rows: rows,
        rowsRead: rowsRead[window.key] ?? rows)
    }
  }

  /// Whether lists have windows, and none holds a row.
  func lacks(_ row: Int) -> Bool {
    !windows.isEmpty && !windows.contains { $0.position(of: row) != nil }
  }

  private func rows(of window: OrderWindow) -> [Int: [Int]] {
    var rows: [Int: [Int]] = [:]
    for position in window.range where window[position] != .unread {
      rows[position] = window[position].rows.compactMap { rowNumbers[$0] }
    }
    return rows
  }

  /// Claims the rows around the screen.
  func expectRows() {
    for id in engine.expectRows(at: now) {
      if let row = rowNumbers[id] { decisions.append(.expect(row: row)) }
    }
    if audits { claimingWindows = windows }
  }

  /// Ends the report of a list, and reads what its windows then lack.
  func endReading(_ list: Int, _ read: (Int) -> [Int]) {
    if audits {
      for window in engine.windows where window.key.list == list {
        rowsRead[window.key] = rows(of: window)
      }
    }
    engine.take(.endReading(list), at: now)
    readUnread(of: list, read)
  }

  /// Moves the windows of a list and reads their positions.
  func show(
    _ spans: [ShownPositions], of list: Int, isOtherData: Bool, _ rows: (Int) -> [Int]
  ) {
    engine.take(.listShows(list, spans, isOtherData: isOtherData), at: now)
    readUnread(of: list, rows)
  }

  private func readUnread(of list: Int, _ rows: (Int) -> [Int]) {
    for reading in engine.unreadPositions(of: list) {
      let places = reading.positions.map { position in
        var place = OrderWindow.Place.rows([])
        for row in rows(position) { place.append(intern(row)) }
        return place
      }
      engine.take(.positionsRead(reading.key, reading.positions, places), at: now)
    }
  }

  /// Finds the rows of the list on screen, as `DisplayTracker` does with each turn.
  func followOrder() {
    guard !order.isEmpty || engine.window(of: 0) != nil else { return }
    let displayed = engine.displayedRows(besidesListsOtherThan: 0)
    defer { isOtherOrder = false }
    if moveWindow(to: displayed, isOtherData: isOtherOrder) { return }
    var search = OrderSearch(from: lastPosition, count: order.count)
    while let position = search.next() {
      guard let id = rowIDs[order[position]], displayed.contains(id) else { continue }
      showOrder(position..<position + 1, isOtherData: false)
      _ = moveWindow(to: displayed, isOtherData: false)
      return
    }
    engine.take(.listShows(0, [], isOtherData: false), at: now)
  }

  private func showOrder(_ shown: Range<Int>, isOtherData: Bool) {
    let span = ShownPositions(bounds: 0..<order.count, shown: shown)
    show(span.map { [$0] } ?? [], of: 0, isOtherData: isOtherData) { [order[$0]] }
  }

  private func moveWindow(to displayed: [RowID], isOtherData: Bool) -> Bool {
    guard !displayed.isEmpty, !order.isEmpty, let window = engine.window(of: 0) else {
      return false
    }
    var shown = window.shown.clamped(to: order.indices)
    if shown.isEmpty { shown = order.count - 1..<order.count }
    var isOther = isOtherData
    for _ in 0..<8 {
      showOrder(shown, isOtherData: isOther)
      isOther = false
      let found = engine.window(of: 0)?
        .visible(displays: displayed.count) { displayed.contains($0) }
      guard let found else { return false }
      if found == shown { break }
      shown = found
    }
    showOrder(shown, isOtherData: false)
    endReading(0) { [order[$0]] }
    lastPosition = shown.lowerBound
    return true
  }
}
