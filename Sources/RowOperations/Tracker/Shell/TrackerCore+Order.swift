extension TrackerCore {
  // MARK: Positions

  func show(
    _ spans: [ShownPositions], ofList list: ListNumber, isOtherData: Bool,
    _ order: () -> NumberedOrder
  ) {
    _ = followedOrder(of: list)
    if isOtherData { listHasOtherData(list) }
    guard begin(spans, ofList: list, isOtherData: isOtherData, order) else { return }
    end(spans, ofList: list, order)
    requestTurn()
    run()
  }

  /// Moves the windows of a list and reads their positions.
  ///
  /// - Returns: Whether anything has changed.
  private func begin(
    _ spans: [ShownPositions], ofList list: ListNumber, isOtherData: Bool,
    _ order: () -> NumberedOrder
  ) -> Bool {
    let input = TrackerEngine.News.listShows(list, spans, isOtherData: isOtherData)
    let isOther = state.engine.take(input, at: time)
    return readUnread(ofList: list, order) || isOther
  }

  private func end(
    _ spans: [ShownPositions], ofList list: ListNumber, _ order: () -> NumberedOrder
  ) {
    // A list that turned around has unread rows ahead.
    if state.engine.take(.endReading(list), at: time) { _ = readUnread(ofList: list, order) }
    state.recorder?.recordPositions(spans, ofList: list, at: time)
  }

  /// - Returns: Whether there were unread positions.
  private func readUnread(ofList list: ListNumber, _ order: () -> NumberedOrder) -> Bool {
    let unread = state.engine.unreadPositions(of: list)
    guard !unread.isEmpty else { return false }
    call {
      let order = order()
      for reading in unread { read(reading, order) }
    }
    return true
  }

  private func read(_ reading: TrackerEngine.Reading, _ order: NumberedOrder) {
    let places = order.read(reading, self)
    let input = TrackerEngine.News.positionsRead(reading.key, reading.positions, places)
    state.engine.take(input, at: 0)
    guard let recorder = state.recorder else { return }
    for (position, place) in zip(reading.positions, places) {
      recorder.recordRows(place.rows, at: position, ofList: reading.key.list, at: time)
    }
  }

  // MARK: Finding positions

  func follow(
    _ order: NumberedOrder, ofList list: ListNumber, moved: (@MainActor (Range<Int>) -> Void)?
  ) {
    let followedOrder = followedOrder(of: list)
    let old = (followedOrder.order, followedOrder.moved)
    followedOrder.moved = moved
    (followedOrder.order, followedOrder.isOtherData, followedOrder.search) = (order, true, nil)
    listHasOtherData(list)
    // The old order is released after the new one is set.
    withExtendedLifetime(old) { requestTurn() }
  }

  private func followedOrder(of list: ListNumber) -> FollowedOrder {
    if let known = followed[list] { return known }
    let followedOrder = FollowedOrder()
    followed[list] = followedOrder
    return followedOrder
  }

  func stopFollowing(_ list: ListNumber) {
    let old = followed.removeValue(forKey: list)
    withExtendedLifetime(old) { hide(list) }
    listHasOtherData(list)
    // Cells may wait for rows that the order lacked.
    if !state.engine.cellsToBindAnew.isEmpty { requestTurn() }
  }

  private func hide(_ list: ListNumber) {
    guard state.engine.take(.listShows(list, [], isOtherData: false), at: time) else { return }
    state.recorder?.recordPositions([], ofList: list, at: time)
    requestTurn()
  }

  /// A covered list has no window.
  func follow(_ list: ListNumber, isCovered: Bool) {
    followed[list]?.isCovered = isCovered
    followed[list]?.lastDisplayed = []
    if isCovered { hide(list) }
    requestTurn()
  }

  /// Moves the windows of lists that are found by rows.
  ///
  /// A search reads 4,096 positions.
  func followOrders() {
    for list in followed.keys.sorted() {
      guard let followedOrder = followed[list], let order = followedOrder.order,
        !followedOrder.isCovered
      else { continue }
      let rows = displayedRows(in: order, list)
      // The app's code may have ended the list.
      guard followed[list] === followedOrder else { continue }
      if !follow(rows, followedOrder, in: list, order) { requestTurn() }
    }
  }

  /// - Returns: Whether a search for them has ended.
  func find(
    _ views: [AnyObject], inList list: ListNumber, isOtherData: Bool, _ order: () -> NumberedOrder
  ) -> Bool {
    let displayed = views.compactMap { soughtRow(of: $0) }
    let followedOrder = followedOrder(of: list)
    if isOtherData {
      (followedOrder.isOtherData, followedOrder.search) = (true, nil)
      listHasOtherData(list)
    }
    guard followedOrder.isNew(displayed) || state.engine.hasUnread(list) else { return true }
    let order = order()
    let isDone =
      followed[list] !== followedOrder || follow(displayed, followedOrder, in: list, order)
    requestTurn()
    run()
    return isDone
  }

  private func displayedRows(in order: NumberedOrder, _ list: ListNumber) -> [RowID] {
    guard let displayed = order.displayed else {
      return state.engine.displayedRows(besidesListsOtherThan: list)
    }
    let rows = call { displayed() }
    return state.engine.displayed(rows)
  }

  /// - Returns: Whether a search for the rows has ended.
  private func follow(
    _ rows: [RowID], _ followedOrder: FollowedOrder, in list: ListNumber, _ order: NumberedOrder
  ) -> Bool {
    guard followedOrder.isNew(rows) || state.engine.hasUnread(list) else { return true }
    followedOrder.lastDisplayed = rows
    guard !rows.isEmpty, order.count > 0 else {
      hide(list)
      return true
    }
    let isOtherData = followedOrder.isOtherData
    followedOrder.isOtherData = false
    let shown = ShownRows(list: list, order: order, rows: rows)
    if move(to: shown, followedOrder, isOtherData: isOtherData) { return true }
    return search(for: shown, followedOrder)
  }

  /// Rows on screen at unknown positions.
  private struct ShownRows {
    let list: ListNumber
    let order: NumberedOrder
    /// One for each view; a screen has too few for a set.
    let rows: [RowID]

    func span(_ shown: Range<Int>) -> [ShownPositions] {
      ShownPositions(bounds: 0..<order.count, shown: shown).map { [$0] } ?? []
    }
  }

  /// Moves the window to the rows on screen, if it holds any.
  private func move(
    to rows: ShownRows, _ followedOrder: FollowedOrder, isOtherData: Bool
  ) -> Bool {
    guard var shown = state.engine.shownPositions(of: rows.list) else { return false }
    shown = shown.clamped(to: 0..<rows.order.count)
    if shown.isEmpty { shown = rows.order.count - 1..<rows.order.count }
    var spans = rows.span(shown)
    var isOther = isOtherData
    let sought = rows.rows
    // Each move may read rows of the screen that the window lacked.
    for _ in 0..<8 {
      _ = begin(spans, ofList: rows.list, isOtherData: isOther) { rows.order }
      // The app's code may have ended the list.
      guard followed[rows.list] === followedOrder else { return true }
      isOther = false
      let found = state.engine.visiblePositions(
        of: rows.list, displays: rows.rows.count, sought.contains)
      guard let found else { return false }
      if found == shown { break }
      shown = found
      spans = rows.span(shown)
    }
    end(spans, ofList: rows.list) { rows.order }
    followedOrder.lastPosition = shown.lowerBound
    followedOrder.search = nil
    followedOrder.moved?(shown)
    return true
  }

  /// Looks outwards from the last known position.
  ///
  /// - Returns: Whether the search has ended.
  private func search(for rows: ShownRows, _ followedOrder: FollowedOrder) -> Bool {
    let (list, order) = (rows.list, rows.order)
    let sought = rows.rows
    var search =
      followedOrder.search ?? OrderSearch(from: followedOrder.lastPosition, count: order.count)
    let end = call {
      for _ in 0..<OrderSearch.positionsPerTurn {
        guard let position = search.next() else { return SearchEnd.nowhere }
        if order.contains(position, sought.contains) { return .at(position) }
      }
      return .unfinished
    }
    guard followed[list] === followedOrder else { return true }
    switch end {
    case .at(let position):
      _ = begin(rows.span(position..<position + 1), ofList: list, isOtherData: false) { order }
      _ = move(to: rows, followedOrder, isOtherData: false)
      return true
    case .unfinished:
      followedOrder.search = search
      hide(list)
      return false
    case .nowhere:
      followedOrder.search = nil
      hide(list)
      return true
    }
  }

  private enum SearchEnd {
    case at(Int)
    case unfinished
    case nowhere
  }
}
