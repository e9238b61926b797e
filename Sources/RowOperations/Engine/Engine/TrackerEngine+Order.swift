/// The windows of lists, by which the tracker prefetches.
///
/// A row may be in several windows, and repeatedly in each. Each turn claims anew.
extension TrackerEngine {
  // MARK: Lists

  /// Moves the windows of a list to the positions on screen.
  ///
  /// The shell then reads the unread positions, up to ``endReading(_:at:)``.
  ///
  /// - Parameter spans: One for the list and one for each section that scrolls by itself; none if
  ///   covered or removed.
  /// - Returns: Whether anything has changed.
  mutating func listShows(
    _ list: ListNumber, _ spans: [ShownPositions], isOtherData: Bool
  ) -> Bool {
    var isOther = isOtherData
    for index in windows.indices.reversed() where windows[index].key.list == list {
      guard !spans.contains(where: { $0.section == windows[index].key.section }) else { continue }
      let window = windows.remove(at: index)
      release(window.all)
      release(window.placesBefore)
      isOther = true
    }
    for span in spans {
      let key = OrderWindow.Key(list: list, section: span.section)
      if let index = windows.firstIndex(where: { $0.key == key }) {
        guard isOtherData || !windows[index].agrees(with: span) else { continue }
        isOther = true
        windows[index].move(to: span, isOtherData: isOtherData)
      } else {
        windows.append(OrderWindow(key, span))
        isOther = true
      }
    }
    guard isOther else { return false }
    for index in windows.indices where windows[index].key.list == list { stretch(index) }
    return true
  }

  mutating func positionsRead(
    _ key: OrderWindow.Key, _ positions: Range<Int>, _ places: [OrderWindow.Place]
  ) {
    guard let index = windows.firstIndex(where: { $0.key == key }) else { return }
    for place in places { place.forEachRow { rows[$0].places += 1 } }
    for place in windows[index].read(places, at: positions) {
      place.forEachRow { rows[$0].places -= 1 }
    }
  }

  /// A window that turns around lacks rows ahead, which the shell reads at once.
  ///
  /// - Returns: Whether a window has turned around.
  mutating func endReading(_ list: ListNumber) -> Bool {
    var hasTurned = false
    for index in windows.indices where windows[index].key.list == list {
      let wasForward = windows[index].isForward
      release(windows[index].settle())
      guard windows[index].isForward != wasForward else { continue }
      hasTurned = true
      stretch(index)
    }
    return hasTurned
  }

  /// Holds the rows in a window's reach, and those that it has within a screen beyond.
  ///
  /// Reading may call a slow closure of the app. So the shell reads a screen more than it needs,
  /// about once a screen.
  private mutating func stretch(_ index: Int) {
    let reach = reach(of: index)
    let needed = windows[index].neededPositions(within: reach)
    let most = windows[index].mostPositions(within: reach)
    let held = windows[index].range.clamped(to: most)
    let range: Range<Int>
    if windows[index].hasRead(needed) {
      range = held
    } else if windows[index].placesBefore.isEmpty {
      range = most
    } else {
      // After a change of the data, the window holds the positions that it held and needs.
      range = min(needed.lowerBound, held.lowerBound)..<max(needed.upperBound, held.upperBound)
    }
    release(windows[index].hold(range))
  }

  private func reach(of index: Int) -> OrderWindow.Reach {
    windows[index].reach(settings.prefetchWindow)
  }

  private mutating func release(_ places: [OrderWindow.Place]) {
    for place in places {
      place.forEachRow { row in
        rows[row].places -= 1
        guard rows[row].places == 0 else { return }
        leftOut.remove(row)
        if !rows[row].needsEvaluation { forgetIfUnused(row) }
      }
    }
  }

  // MARK: Expected rows

  /// Claims the rows around the screens, the nearest of each window first.
  ///
  /// - Returns: The rows with new claims, nearest first.
  @discardableResult
  package mutating func expectRows(at now: Int64) -> [RowID] {
    settleQuietLists(at: now)
    var rowsOfWindows: [[RowID]] = []
    if !isSuspended {
      readmitRows()
      for index in windows.indices where windows[index].isSettled && windows[index].prefetches {
        rowsOfWindows.append(rowsToExpect(index))
      }
    }
    let new = expect(Self.interleaved(rowsOfWindows))
    for row in new where rows[row].wantsLoad { report(.prefetched(row), at: now) }
    endExcess()
    return new
  }

  /// The rows not displayed, nearest first: those on screen without a cell yet, those ahead, those
  /// behind.
  private mutating func rowsToExpect(_ index: Int) -> [RowID] {
    let window = windows[index]
    let (shown, range) = (window.shown, window.positions(within: reach(of: index)))
    let after = shown.upperBound..<range.upperBound
    let before = (range.lowerBound..<shown.lowerBound).reversed()
    var wanted: [RowID] = []
    wanted.reserveCapacity(range.count)
    addRows(at: shown, of: window, to: &wanted)
    if window.isForward {
      addRows(at: after, of: window, to: &wanted)
      addRows(at: before, of: window, to: &wanted)
    } else {
      addRows(at: before, of: window, to: &wanted)
      addRows(at: after, of: window, to: &wanted)
    }
    return wanted
  }

  /// Lets windows that have moved claim all their rows again.
  private mutating func readmitRows() {
    for index in windows.indices where windows[index].isSettled && windows[index].takeMove() {
      guard !leftOut.isEmpty else { continue }
      for place in windows[index].all { place.forEachRow { leftOut.remove($0) } }
    }
  }

  private func addRows(
    at positions: some Sequence<Int>, of window: OrderWindow, to wanted: inout [RowID]
  ) {
    for position in positions {
      switch window[position] {
      case .unread: break
      case .row(let row): if mayExpect(row) { wanted.append(row) }
      case .rows(let rows): for row in rows where mayExpect(row) { wanted.append(row) }
      }
    }
  }

  @inline(__always)
  private func mayExpect(_ row: RowID) -> Bool {
    rows[row].displays == 0 && !leftOut.contains(row)
  }

  /// The nearest rows of all windows come first.
  private static func interleaved(_ windows: [[RowID]]) -> [RowID] {
    guard windows.count > 1 else { return windows.first ?? [] }
    var all: [RowID] = []
    for rank in 0..<(windows.map(\.count).max() ?? 0) {
      for rows in windows where rank < rows.count { all.append(rows[rank]) }
    }
    return all
  }

  /// Replaces the claims of windows, up to the limit.
  ///
  /// - Parameter wanted: The nearest rows of each window first.
  @discardableResult
  mutating func expect(_ wanted: [RowID]) -> [RowID] {
    let before = claims.expected
    for row in before { rows[row].windowRank = RowState.formerRank }
    claims.expected = []
    claims.expected.reserveCapacity(before.count)
    var new: [RowID] = []
    new.reserveCapacity(8)
    for row in wanted where claims.expected.count < settings.prefetchWindow.limit {
      // A repeated row is claimed where it is nearest.
      let known = rows[row].windowRank
      guard known < 0 else { continue }
      rows[row].windowRank = Int32(claims.expected.count)
      claims.expected.append(row)
      guard known != RowState.formerRank else { continue }
      setNeedsEvaluation(row)
      new.append(row)
    }
    for row in before where rows[row].windowRank == RowState.formerRank {
      rows[row].windowRank = RowState.noRank
      setNeedsEvaluation(row)
    }
    return new
  }

  /// Its window claims the row again once its list has moved.
  mutating func endPrefetch(of row: RowID) {
    prefetchCancelled(row)
    if rows[row].places > 0 { leftOut.insert(row) }
    guard rows[row].isExpected else { return }
    rows[row].windowRank = RowState.noRank
    claims.expected.removeAll { $0 == row }
    setNeedsEvaluation(row)
  }

  // MARK: Questions

  /// Whether any list has a window, or had one in the last turn.
  var hasWindows: Bool { mutating get { !windows.isEmpty || !claims.expected.isEmpty } }

  /// Positions to read, and the rows that they had before the data changed.
  @usableFromInline
  package struct Reading: Sendable {
    package let key: OrderWindow.Key
    @usableFromInline package let positions: Range<Int>
    @usableFromInline let guesses: [OrderWindow.Place]
  }

  package mutating func unreadPositions(of list: ListNumber) -> [Reading] {
    var readings: [Reading] = []
    for index in windows.indices where windows[index].key.list == list {
      for positions in windows[index].unread {
        let guesses = windows[index].guesses(at: positions)
        readings.append(Reading(key: windows[index].key, positions: positions, guesses: guesses))
      }
    }
    return readings
  }

  mutating func hasUnread(_ list: ListNumber) -> Bool {
    windows.contains { $0.key.list == list && !$0.hasRead($0.range) }
  }

  /// The rows that displayed cells show or wait for, once for each cell, without those in other
  /// lists.
  package mutating func displayedRows(besidesListsOtherThan list: ListNumber) -> [RowID] {
    var others: Set<RowID> = []
    for index in windows.indices where windows[index].key.list != list {
      for position in windows[index].shown {
        windows[index][position].forEachRow { others.insert($0) }
      }
    }
    var displayed: [RowID] = []
    for cell in cells.ids where cells[cell].isDisplayed {
      guard let row = cells[cell].row, !others.contains(row) else { continue }
      displayed.append(row)
    }
    for cell in cellsToBindAnew {
      if let row = cells[cell].removedRow, !others.contains(row) { displayed.append(row) }
    }
    return displayed
  }

  mutating func displayed(_ rows: [RowID]) -> [RowID] {
    rows.filter { self.rows[$0].displays > 0 || self.rows[$0].removals > 0 }
  }

  mutating func check(
    _ row: RowID, at position: Int, in list: ListNumber
  ) -> BoundPlace {
    let index = windows.firstIndex { $0.key.list == list && $0.shown.contains(position) }
    guard let index else { return .unknown }
    switch windows[index][position] {
    case .unread: return .unknown
    case let place where place.contains(row): return .right
    case .row, .rows: break
    }
    let isNear = windows.contains { $0.key.list == list && $0.position(of: row) != nil }
    return isNear ? .elsewhere : .outside
  }

  /// The position of a row in a list; `nil` if it is not near the screen.
  mutating func position(of row: RowID, in list: ListNumber) -> Int? {
    guard rows[row].places > 0 else { return nil }
    for window in windows where window.key.list == list {
      if let position = window.position(of: row) { return position }
    }
    return nil
  }

  package mutating func rows(at position: Int, in list: ListNumber) -> [RowID] {
    windows.first { $0.key.list == list && $0.range.contains(position) }?[position].rows ?? []
  }

  /// The window of the list itself, not of a section.
  package mutating func window(of list: ListNumber) -> OrderWindow? {
    windows.first { $0.key == OrderWindow.Key(list: list) }
  }

  /// The positions of a list on screen, but for sections that scroll by themselves.
  mutating func shownPositions(of list: ListNumber) -> Range<Int>? {
    let index = windows.firstIndex { $0.key == OrderWindow.Key(list: list) }
    return index.map { windows[$0].shown }
  }

  /// See ``OrderWindow/visible(displays:_:)``.
  mutating func visiblePositions(
    of list: ListNumber, displays: Int, _ isOnScreen: (RowID) -> Bool
  ) -> Range<Int>? {
    let index = windows.firstIndex { $0.key == OrderWindow.Key(list: list) }
    return index.flatMap { windows[$0].visible(displays: displays, isOnScreen) }
  }
}

/// Where the row of a cell is in a list.
enum BoundPlace: Hashable, Sendable {
  /// No window holds the cell's position.
  case unknown
  case right
  /// At another position near the screen.
  case elsewhere
  /// Not near the screen.
  case outside
}
