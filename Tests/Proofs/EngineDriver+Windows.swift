import RowOperations
import RowOperationsTesting

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
        rowsRead: rowsRead[window.key] ?? rows, rowsSettled: rowsSettled[window.key] ?? rows,
        origin: window.shown.lowerBound)
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

  /// Starts to follow which rows leave all windows.
  func followHeldRows() { rowsHeld = rowsInWindows }

  /// Moves windows, or records what they hold.
  private func take(_ input: TrackerEngine.Input) {
    engine.take(input, at: now)
    noteHeldRows()
  }

  /// Expects the rows that come on screen next.
  func expectRows() {
    for row in engine.expectRows(at: now) { decide(onExpected: row) }
    noteHeldRows()
  }

  private func decide(onExpected id: RowID) {
    if let row = rowNumbers[id] { decisions.append(.expect(row: row)) }
  }

  private func noteHeldRows() {
    if audits { rowsHeld.formIntersection(rowsInWindows) }
  }

  private var rowsInWindows: Set<Int> {
    var rows: Set<Int> = []
    for window in engine.windows {
      for place in window.all + window.placesBefore {
        rows.formUnion(place.rows.compactMap { rowNumbers[$0] })
      }
    }
    return rows
  }

  /// Ends the report of a list, and reads the rows ahead if the list has turned around.
  func endReading(_ list: Int, _ read: (Int) -> [Int]) {
    record(list, in: \.rowsRead)
    take(.endReading(list))
    record(list, in: \.rowsSettled)
    readUnread(of: list, read)
  }

  /// Records the rows that the windows of a list hold.
  private func record(
    _ list: Int, in table: ReferenceWritableKeyPath<EngineDriver, [OrderWindow.Key: [Int: [Int]]]>
  ) {
    guard audits else { return }
    self[keyPath: table] = self[keyPath: table].filter { $0.key.list != list }
    for window in engine.windows where window.key.list == list {
      self[keyPath: table][window.key] = rows(of: window)
    }
  }

  /// Moves the windows of a list and reads their positions.
  func show(
    _ spans: [ShownPositions], of list: Int, isOtherData: Bool, _ rows: (Int) -> [Int]
  ) {
    take(.listShows(list, spans, isOtherData: isOtherData))
    readUnread(of: list, rows)
  }

  private func readUnread(of list: Int, _ rows: (Int) -> [Int]) {
    for reading in engine.unreadPositions(of: list) {
      let places = reading.positions.map { position in
        var place = OrderWindow.Place.rows([])
        for row in rows(position) { place.append(intern(row)) }
        return place
      }
      take(.positionsRead(reading.key, reading.positions, places))
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
    take(.listShows(0, [], isOtherData: false))
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
