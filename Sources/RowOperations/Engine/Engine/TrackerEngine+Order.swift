/// The windows of lists, by which the tracker prefetches.
///
/// A row may be in the windows of several lists, and more than once in each. It has one claim for
/// all of them, which ends when no window holds the row any longer.
extension TrackerEngine {
  // MARK: Lists

  /// Moves the windows of a list to the positions on screen.
  ///
  /// The shell then reads the unread positions, and ends that with ``endReading(_:at:)``.
  ///
  /// - Parameter spans: One for the list, and one for each section that scrolls by itself; none if
  ///   the list is covered or removed.
  /// - Returns: Whether anything has changed.
  mutating func listShows(
    _ list: ListNumber, _ spans: [ShownPositions], isOtherData: Bool, at now: Int64
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
        kept.unseenRoom = nil
        isOther = true
      }
    }
    guard isOther else { return false }
    for index in windows.indices where windows[index].key.list == list { stretch(index, at: now) }
    return true
  }

  /// Records the rows at positions.
  mutating func positionsRead(
    _ key: OrderWindow.Key, _ positions: Range<Int>, _ places: [OrderWindow.Place]
  ) {
    guard let index = windows.firstIndex(where: { $0.key == key }),
      !windows[index].restore(places, at: positions)
    else { return }
    for place in places { place.forEachRow { rows[$0].places += 1 } }
    for place in windows[index].read(places, at: positions) {
      place.forEachRow { rows[$0].places -= 1 }
    }
  }

  /// Ends the reading of a list's positions.
  mutating func endReading(_ list: ListNumber, at now: Int64) {
    for index in windows.indices where windows[index].key.list == list {
      let (change, dropped) = windows[index].settle()
      if change == .turned { turn(index, at: now) }
      release(dropped)
    }
  }

  /// Lets a window hold the rows in its reach, and those that it holds within a screen beyond.
  ///
  /// To read a position, the shell may call a slow closure of the app. So it reads a screen more
  /// than it needs, about once for each screen that scrolls by.
  private mutating func stretch(_ index: Int, at now: Int64) {
    stretch(index, within: reach(of: index, at: now))
  }

  private mutating func stretch(_ index: Int, within reach: OrderWindow.Reach) {
    let needed = windows[index].neededPositions(within: reach)
    let most = windows[index].mostPositions(within: reach)
    let range: Range<Int>
    if let again = windows[index].again(needed, atMost: most) {
      range = again
    } else if windows[index].hasRead(needed) {
      range = windows[index].range.clamped(to: most)
    } else {
      range = most
    }
    release(windows[index].hold(range))
  }

  /// Stretches a window when the reading of its list is over.
  private mutating func stretchUnread(_ index: Int, within reach: OrderWindow.Reach) {
    let before = windows[index].range
    stretch(index, within: reach)
    let range = windows[index].range
    if range.lowerBound < before.lowerBound || range.upperBound > before.upperBound {
      lacksRows = true
    }
  }

  private mutating func reach(of index: Int, at now: Int64) -> OrderWindow.Reach {
    windows[index].reach(motion(of: windows[index].key.list, at: now), limit: windowRoom)
  }

  private mutating func motion(of list: ListNumber, at now: Int64) -> OrderWindow.Motion {
    OrderWindow.Motion(
      rate: gate.rate(of: list, at: now), loadTime: gate.slowLoadTime.map { Double($0) / 1e9 },
      isMoving: gate.isMoving(list))
  }

  /// Lets the rows of a window be claimed anew, by their new ranks.
  ///
  /// The window first drops the rows that were ahead in the old direction.
  private mutating func turn(_ index: Int, at now: Int64) {
    stretchUnread(index, within: reach(of: index, at: now))
    for place in windows[index].all {
      place.forEachRow { row in
        rows[row].isAsked = false
        guard rows[row].isPrefetched else { return }
        setPrefetchRank(of: row, orderRank(of: row))
        setNeedsEvaluation(row)
      }
    }
  }

  /// Forgets places of windows.
  private mutating func release(_ places: [OrderWindow.Place]) {
    for place in places {
      place.forEachRow { row in
        rows[row].places -= 1
        guard rows[row].places == 0 else { return }
        rows[row].isAsked = false
        expectationEnded(row)
        if !rows[row].needsEvaluation { forgetIfUnused(row) }
      }
    }
  }

  // MARK: Expected rows

  /// Claims the rows that come on screen next.
  ///
  /// Each row is claimed once until it is displayed, leaves all windows, or the list turns around.
  ///
  /// O(positions in the windows).
  ///
  /// - Returns: The rows with new claims, nearest first.
  package mutating func expectRows(at now: Int64) -> [RowID] {
    settleQuietLists(at: now)
    guard !isSuspended else { return [] }
    var expected: [RowID] = []
    for index in windows.indices where windows[index].isSettled {
      let reach = reach(of: index, at: now)
      stretchUnread(index, within: reach)
      let wanted = rowsToExpect(index, within: reach)
      if wanted.isEmpty { continue }
      for row in wanted { report(.prefetched(row.id), at: now) }
      for row in wanted.reversed() { expect(row.id, rank: windows[index].rank(of: row.position)) }
      expected += wanted.map(\.id)
    }
    if !expected.isEmpty { endExcess() }
    return expected
  }

  /// The rows in the reach of a window that are not displayed and have no claim, nearest first.
  private mutating func rowsToExpect(
    _ index: Int, within reach: OrderWindow.Reach
  ) -> [(id: RowID, position: Int)] {
    guard windows[index].prefetches else { return [] }
    let (shown, range) = (windows[index].shown, windows[index].positions(within: reach))
    let after = shown.upperBound..<range.upperBound
    let before = (range.lowerBound..<shown.lowerBound).reversed()
    if windows[index].isForward { return ask(for: after, in: index) + ask(for: before, in: index) }
    return ask(for: before, in: index) + ask(for: after, in: index)
  }

  /// Marks the rows at positions of a window as asked for, as far as there is room.
  private mutating func ask(
    for positions: some Sequence<Int>, in index: Int
  ) -> [(id: RowID, position: Int)] {
    var left = gate.isMoving(windows[index].key.list) ? windowRoom : windowRoom / 2
    var wanted: [(id: RowID, position: Int)] = []
    wanted.reserveCapacity(min(left, 16))
    for position in positions {
      guard left > 0 else { break }
      let place = windows[index][position]
      if place.isUnread { left -= 1 }
      place.forEachRow { row in
        guard left > 0, rows[row].displays == 0 else { return }
        left -= 1
        guard !rows[row].isAsked else { return }
        rows[row].isAsked = true
        wanted.append((row, position))
      }
    }
    return wanted
  }

  private mutating func expect(_ row: RowID, rank: UInt64) {
    if !rows[row].isExpected {
      rows[row].isExpected = true
      claims.expected += 1
    }
    setPrefetchRank(of: row, rows[row].places == 1 ? rank : orderRank(of: row))
    // A value that exists is needed soon, so it is dropped last.
    if let list = kept.listOfValue(of: row) { kept.append(row, to: list) }
    setNeedsEvaluation(row)
  }

  /// Ends the claims beyond the limit: the oldest announced ones, then those farthest away.
  private mutating func endExcess() {
    while claims.count > settings.prefetchLimit, let oldest = claims.oldestPrefetch {
      prefetchCancelled(oldest)
    }
    guard claims.count > settings.prefetchLimit else { return }
    var claimed: [(row: RowID, distance: Int)] = []
    for window in windows {
      for position in window.range {
        window[position].forEachRow { row in
          guard rows[row].isExpected else { return }
          let distance = max(
            window.shown.lowerBound - position, position - window.shown.upperBound + 1)
          claimed.append((row, distance))
        }
      }
    }
    for (row, _) in claimed.sorted(byNumber: { -Double($0.distance) })
    where claims.count > settings.prefetchLimit {
      expectationEnded(row)
    }
  }

  /// Ends the claim that windows have made for a row.
  mutating func expectationEnded(_ row: RowID) {
    guard rows[row].isExpected else { return }
    rows[row].isExpected = false
    claims.expected -= 1
    setNeedsEvaluation(row)
  }

  /// Ends the claims of all windows, which may claim their rows again.
  mutating func endExpectations() {
    for window in windows {
      for place in window.all {
        place.forEachRow { row in
          rows[row].isAsked = false
          expectationEnded(row)
        }
      }
    }
  }

  /// The number of rows that each window may prefetch without losing their values before they are
  /// displayed.
  private var windowRoom: Int {
    let prefetching = windows.reduce(0) { $0 + ($1.prefetches ? 1 : 0) }
    guard prefetching > 0 else { return 0 }
    var room = min(settings.prefetchLimit, kept.unseenRoom ?? .max)
    if let limit = settings.valueLimit, limit > 0 {
      room = min(room, max(limit - windows.reduce(0) { $0 + $1.shown.count }, 0))
    }
    return room / prefetching
  }

  /// Whether a window has been stretched to unread positions since the last call.
  package mutating func takeLackOfRows() -> Bool {
    defer { lacksRows = false }
    return lacksRows
  }

  // MARK: Questions

  /// Whether any list has a window.
  var hasWindows: Bool { mutating get { !windows.isEmpty } }

  /// The positions of a window to read, and the rows that they had before the data changed.
  @frozen
  @usableFromInline
  package struct Reading: Sendable {
    package let key: OrderWindow.Key
    @usableFromInline package let positions: Range<Int>
    @usableFromInline let guesses: [OrderWindow.Place]
  }

  /// The unread positions that the windows of a list hold.
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

  /// Whether a window of a list needs unread rows.
  mutating func hasUnread(_ list: ListNumber) -> Bool {
    windows.contains { $0.key.list == list && !$0.hasRead($0.range) }
  }

  /// The rows of displayed cells, and those for which cells wait, one for each cell, but for those
  /// that other lists show.
  ///
  /// O(cells).
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

  /// The displayed ones among some rows.
  mutating func displayed(_ rows: [RowID]) -> [RowID] {
    rows.filter { self.rows[$0].displays > 0 || self.rows[$0].removals > 0 }
  }

  /// Compares the row of a cell with the rows at the cell's position in a list.
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

  /// The position of a row in a list, if it is near the screen.
  package mutating func position(of row: RowID, in list: ListNumber) -> Int? {
    guard rows[row].places > 0 else { return nil }
    for window in windows where window.key.list == list {
      if let position = window.position(of: row) { return position }
    }
    return nil
  }

  /// The rows at a position of a list, if it is near the screen.
  package mutating func rows(at position: Int, in list: ListNumber) -> [RowID] {
    windows.first { $0.key.list == list && $0.range.contains(position) }?[position].rows ?? []
  }

  /// The window of a list that does not scroll inside another one.
  package mutating func window(of list: ListNumber) -> OrderWindow? {
    windows.first { $0.key == OrderWindow.Key(list: list) }
  }

  /// The positions of a list on screen, but for sections that scroll by themselves.
  mutating func shownPositions(of list: ListNumber) -> Range<Int>? {
    let index = windows.firstIndex { $0.key == OrderWindow.Key(list: list) }
    return index.map { windows[$0].shown }
  }

  /// Whether a list has the same positions on screen, and the same rows there, as before.
  mutating func isAsBefore(_ list: ListNumber) -> Bool {
    windows.contains { $0.key == OrderWindow.Key(list: list) && $0.isAsBefore }
  }

  /// The part of a list that is on screen; see ``OrderWindow/visible(displays:_:)``.
  mutating func visiblePositions(
    of list: ListNumber, displays: Int, _ isOnScreen: (RowID) -> Bool
  ) -> Range<Int>? {
    let index = windows.firstIndex { $0.key == OrderWindow.Key(list: list) }
    return index.flatMap { windows[$0].visible(displays: displays, isOnScreen) }
  }

  /// The rank of a row by how soon it comes on screen; `nil` if no window holds it.
  func orderRank(of row: RowID) -> UInt64? {
    guard rows[row].places > 0 else { return nil }
    return windows.compactMap { window in
      window.position(of: row).map { window.rank(of: $0) }
    }.min()
  }
}

/// Where the row of a cell is in a list.
enum BoundPlace: Hashable, Sendable {
  /// The list has no window at the cell's position.
  case unknown
  /// At the cell's position.
  case right
  /// At another position near the screen.
  case elsewhere
  /// Not near the screen.
  case outside
}
