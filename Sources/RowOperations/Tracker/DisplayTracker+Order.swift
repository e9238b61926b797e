extension DisplayTracker {
  /// Sets the order of the list's rows, so that the tracker prefetches by itself.
  ///
  /// Call it whenever the list's data changes. While the list moves, the tracker prefetches two
  /// screens ahead, or twice the distance that the list travels during a load; at rest, one screen
  /// on each side. The list need not prefetch, and does no harm if it does.
  ///
  /// The tracker prefetches each row once, until the row is displayed, is a screen beyond reach, or
  /// the direction changes. It prefetches no more rows than the configuration's `prefetchLimit` and
  /// its retention allow. So loading ends when the list rests.
  ///
  /// The tracker looks for the rows on screen beside their last position. After a jump beyond 4,096
  /// rows the search takes several turns of the main queue. Meanwhile the tracker prefetches
  /// nothing. A list that knows its positions calls ``showsPositions(_:of:)`` instead.
  ///
  /// The tracker keeps the collection, and reads it only near the screen. Pass a view of your
  /// model, such as `posts.lazy.map(\.id)`.
  ///
  /// **Ordering**: takes effect in the next turn of the main queue.
  ///
  /// **Cost**: O(1), and O(rows around the screen) in the next turn.
  ///
  /// - Parameter rows: The rows; empty if the order is unknown. A row may be repeated.
  public func setOrder(_ rows: some RandomAccessCollection<Row>) {
    follow(RowSource(rows), ofList: 0)
  }

  /// Sets the order of the list's rows from a sequence.
  ///
  /// **Cost**: O(rows), since the rows are copied.
  ///
  /// - Parameter rows: The rows; empty if the order is unknown. A row may be repeated.
  @_disfavoredOverload
  public func setOrder(_ rows: some Sequence<Row>) { setOrder(Array(rows)) }

  /// Reports which positions of a list are on screen, so that the tracker prefetches by itself.
  ///
  /// Like ``setOrder(_:)-(RandomAccessCollection<Row>)``, for a list that knows its positions. Call
  /// it whenever the list moves or its data changes.
  ///
  /// **Cost**: O(rows around the screen). The rows are not kept.
  ///
  /// - Parameters:
  ///   - positions: The positions on screen; empty if there are none.
  ///   - rows: All rows of the list, in order. A row may be repeated.
  public func showsPositions(
    _ positions: some RangeExpression<Int>, of rows: some RandomAccessCollection<Row>
  ) {
    stopFollowing(0)
    let all = 0..<rows.count
    let span = ShownPositions(bounds: all, shown: positions.relative(to: all).clamped(to: all))
    show([span].compactMap(\.self), ofList: 0, isOtherData: true) { RowSource(rows) }
  }

  // MARK: Positions

  /// Reports the positions of a list that are on screen.
  ///
  /// O(rows around the screen), and O(new rows there) for the same data.
  ///
  /// - Parameters:
  ///   - spans: One for the list, and one for each section that scrolls by itself.
  ///   - source: Is read before the call returns.
  package func show(
    _ spans: [ShownPositions], ofList list: ListNumber, isOtherData: Bool,
    _ source: () -> RowSource<Row>
  ) {
    guard begin(spans, ofList: list, isOtherData: isOtherData, source) else { return }
    end(spans, ofList: list, source)
    core.requestTurn()
    core.run()
  }

  /// Moves the windows of a list and reads their positions.
  ///
  /// - Returns: Whether anything has changed.
  private func begin(
    _ spans: [ShownPositions], ofList list: ListNumber, isOtherData: Bool,
    _ source: () -> RowSource<Row>
  ) -> Bool {
    let input = TrackerEngine.Input.listShows(list, spans, isOtherData: isOtherData)
    let isOther = core.books.engine.take(input, at: core.time)
    return readUnread(ofList: list, source) || isOther
  }

  private func end(
    _ spans: [ShownPositions], ofList list: ListNumber, _ source: () -> RowSource<Row>
  ) {
    core.books.engine.take(.endReading(list), at: core.time)
    // A list that has turned around has rows ahead that nobody has read.
    _ = readUnread(ofList: list, source)
    core.books.recorder?.recordPositions(spans, ofList: list, at: core.time)
  }

  /// - Returns: Whether there were unread positions.
  private func readUnread(ofList list: ListNumber, _ source: () -> RowSource<Row>) -> Bool {
    let unread = core.books.engine.unreadPositions(of: list)
    guard !unread.isEmpty else { return false }
    core.call {
      let source = source()
      for reading in unread { read(reading, source) }
    }
    return true
  }

  private func read(_ reading: TrackerEngine.Reading, _ source: RowSource<Row>) {
    var places: [OrderWindow.Place] = []
    places.reserveCapacity(reading.positions.count)
    for (position, guess) in zip(reading.positions, reading.guesses) {
      var place = OrderWindow.Place.rows([])
      source.read(position) { row in
        // Most rows are the same as before.
        if case .row(let known) = guess, store.rows.has(row, as: known) {
          place.append(known)
        } else {
          place.append(intern(row))
        }
      }
      places.append(place)
    }
    let input = TrackerEngine.Input.positionsRead(reading.key, reading.positions, places)
    core.books.engine.take(input, at: core.time)
    guard let recorder = core.books.recorder else { return }
    for (position, place) in zip(reading.positions, places) {
      recorder.recordRows(place.rows, at: position, ofList: reading.key.list, at: core.time)
    }
  }

  // MARK: Finding positions

  /// Finds the positions of a list on screen by the rows there, from now on.
  ///
  /// - Parameter displayed: Returns the rows on screen in the list; `nil` for all displayed rows.
  package func follow(
    _ source: RowSource<Row>, ofList list: ListNumber,
    displayed: (@MainActor () -> [Row])? = nil, moved: (@MainActor (Range<Int>) -> Void)? = nil
  ) {
    guard source.count > 0 else { return stopFollowing(list) }
    let old = store.followed[list]
    var order = old ?? FollowedOrder()
    (order.source, order.displayed, order.moved) = (source, displayed, moved)
    order.isOtherData = true
    order.search = nil
    store.followed[list] = order
    core.followsOrders = true
    // The old source is released after the new one is set.
    withExtendedLifetime(old) { core.requestTurn() }
  }

  /// Ends the window of a list.
  package func stopFollowing(_ list: ListNumber) {
    let old = store.followed.removeValue(forKey: list)
    core.followsOrders = !store.followed.isEmpty
    withExtendedLifetime(old) { hide(list) }
  }

  private func hide(_ list: ListNumber) {
    guard core.books.engine.take(.listShows(list, [], isOtherData: false), at: core.time) else {
      return
    }
    core.books.recorder?.recordPositions([], ofList: list, at: core.time)
    core.requestTurn()
  }

  /// Records whether a list is covered, so that it has no window.
  package func follow(_ list: ListNumber, isCovered: Bool) {
    store.followed[list]?.isCovered = isCovered
    store.followed[list]?.lastDisplayed = []
    if isCovered { hide(list) }
    core.requestTurn()
  }

  /// The position of a row in the order of a list, near the last rows on screen.
  ///
  /// O(rows around the screen) for a row there, and 4,096 comparisons for one that is not in the
  /// order.
  package func nearPosition(of row: Row, inList list: ListNumber) -> Int? {
    if let position = position(of: row, inList: list) { return position }
    guard let order = store.followed[list], let source = order.source else { return nil }
    var search = OrderSearch(from: order.lastPosition, count: source.count)
    return core.call {
      for _ in 0..<OrderSearch.positionsPerTurn {
        guard let position = search.next() else { return nil }
        var isFound = false
        source.read(position) { isFound = isFound || $0 == row }
        if isFound { return position }
      }
      return nil
    }
  }

  /// Moves the windows of all lists whose positions are found by rows.
  ///
  /// O(displayed rows and rows around the screen of each list); a search reads 4,096 positions.
  @usableFromInline
  func followOrders() {
    for list in store.followed.keys.sorted() {
      guard let order = store.followed[list], let source = order.source, !order.isCovered else {
        continue
      }
      if !follow(displayedRows(in: order, list), in: list, source) { core.requestTurn() }
    }
  }

  /// Moves the window of a list to the positions of rows on screen, once.
  ///
  /// - Parameter views: The views on screen.
  /// - Returns: Whether a search for them has ended.
  package func find(
    _ views: [AnyObject], inList list: ListNumber, isOtherData: Bool,
    _ source: () -> RowSource<Row>
  ) -> Bool {
    let displayed = views.compactMap { core.books.row(of: $0) }
    var order = store.followed[list] ?? FollowedOrder()
    if isOtherData { (order.isOtherData, order.search) = (true, nil) }
    guard order.isNew(displayed) || core.books.engine.hasUnread(list) else { return true }
    store.followed[list] = order
    let isDone = follow(displayed, in: list, source())
    core.requestTurn()
    core.run()
    return isDone
  }

  private func displayedRows(in order: FollowedOrder<Row>, _ list: ListNumber) -> [RowID] {
    guard let displayed = order.displayed else {
      return core.books.engine.displayedRows(besidesListsOtherThan: list)
    }
    return core.call { displayed() }.compactMap { row in
      knownID(of: row).flatMap { core.books.engine.isDisplayed($0) ? $0 : nil }
    }
  }

  /// - Returns: Whether a search for the rows has ended.
  private func follow(_ rows: [RowID], in list: ListNumber, _ source: RowSource<Row>) -> Bool {
    guard let order = store.followed[list] else { return true }
    guard order.isNew(rows) || core.books.engine.hasUnread(list) else { return true }
    store.followed[list]?.lastDisplayed = rows
    guard !rows.isEmpty, source.count > 0 else {
      hide(list)
      return true
    }
    store.followed[list]?.isOtherData = false
    let shown = ShownRows(list: list, source: source, displays: rows.count, rows: Set(rows))
    if move(to: shown, isOtherData: order.isOtherData) { return true }
    return search(for: shown, from: order)
  }

  /// The rows of a list on screen, at unknown positions.
  private struct ShownRows {
    let list: ListNumber
    let source: RowSource<Row>
    /// The number of views on screen.
    let displays: Int
    let rows: Set<RowID>

    func span(_ shown: Range<Int>) -> [ShownPositions] {
      ShownPositions(bounds: 0..<source.count, shown: shown).map { [$0] } ?? []
    }
  }

  /// Moves the window of a list to the rows on screen, if it holds any of them.
  private func move(to rows: ShownRows, isOtherData: Bool) -> Bool {
    guard let window = core.books.engine.window(of: rows.list) else { return false }
    var shown = window.shown.clamped(to: 0..<rows.source.count)
    if shown.isEmpty { shown = rows.source.count - 1..<rows.source.count }
    var isOther = isOtherData
    // Each move may read rows of the screen that the window lacked.
    for _ in 0..<8 {
      _ = begin(rows.span(shown), ofList: rows.list, isOtherData: isOther) { rows.source }
      isOther = false
      let found = core.books.engine.window(of: rows.list)?
        .visible(displays: rows.displays) { rows.rows.contains($0) }
      guard let found else { return false }
      if found == shown { break }
      shown = found
    }
    end(rows.span(shown), ofList: rows.list) { rows.source }
    store.followed[rows.list]?.lastPosition = shown.lowerBound
    store.followed[rows.list]?.search = nil
    store.followed[rows.list]?.moved?(shown)
    return true
  }

  /// Looks for a row on screen from the last known position outwards.
  ///
  /// - Returns: Whether the search has ended.
  private func search(for rows: ShownRows, from order: FollowedOrder<Row>) -> Bool {
    let (list, source) = (rows.list, rows.source)
    var search = order.search ?? OrderSearch(from: order.lastPosition, count: source.count)
    let end = core.call {
      for _ in 0..<OrderSearch.positionsPerTurn {
        guard let position = search.next() else { return SearchEnd.nowhere }
        var isFound = false
        source.read(position) { row in
          if let id = knownID(of: row), rows.rows.contains(id) { isFound = true }
        }
        if isFound { return .at(position) }
      }
      return .unfinished
    }
    switch end {
    case .at(let position):
      let shown = position..<position + 1
      _ = begin(rows.span(shown), ofList: list, isOtherData: false) { source }
      _ = move(to: rows, isOtherData: false)
      return true
    case .unfinished:
      store.followed[list]?.search = search
      hide(list)
      return false
    case .nowhere:
      store.followed[list]?.search = nil
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
