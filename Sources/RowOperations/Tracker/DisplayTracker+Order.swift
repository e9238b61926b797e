extension DisplayTracker {
  /// Sets the order of the list's rows, so that the tracker prefetches by itself.
  ///
  /// Call it whenever the list's data changes. The tracker prefetches the rows in the
  /// configuration's `prefetchWindow`, which keep their values. The list need not prefetch, and
  /// does no harm if it does.
  ///
  /// The tracker looks for the rows on screen beside their last position. After a jump beyond 4,096
  /// rows the search takes several turns of the main queue, without prefetching. A list that knows
  /// its positions calls ``showsPositions(_:of:)`` instead.
  ///
  /// The tracker keeps the collection, and reads it only near the screen. Pass a view of your
  /// model, such as `posts.lazy.map(\.id)`.
  ///
  /// **Ordering**: takes effect in the next turn of the main queue.
  ///
  /// **Cost**: O(1), and O(rows around the screen) in the next turn.
  ///
  /// - Parameter rows: The rows; empty if the order is unknown. A row may be repeated.
  @inlinable
  public func setOrder(_ rows: some RandomAccessCollection<Row>) {
    follow(RowSource(rows), ofList: 0, displayed: nil)
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
  /// Like ``setOrder(_:)-(RandomAccessCollection<Row>)``. Call it whenever the list moves or its
  /// data changes.
  ///
  /// **Cost**: O(rows around the screen). The rows are not kept.
  ///
  /// - Parameters:
  ///   - positions: The positions on screen; empty if there are none.
  ///   - rows: All rows of the list, in order. A row may be repeated.
  @inlinable
  public func showsPositions(
    _ positions: some RangeExpression<Int>, of rows: some RandomAccessCollection<Row>
  ) {
    let all = 0..<rows.count
    show(positions.relative(to: all).clamped(to: all), of: RowSource(rows))
  }

  @usableFromInline
  func show(_ positions: Range<Int>, of source: RowSource<Row>) {
    core.stopFollowing(0)
    let span = ShownPositions(bounds: 0..<source.count, shown: positions)
    show([span].compactMap(\.self), ofList: 0, isOtherData: true) { source }
  }

  // MARK: Lists

  /// Reports the positions of a list that are on screen.
  ///
  /// - Parameters:
  ///   - spans: One for the list, and one for each section that scrolls by itself.
  ///   - source: Is read before the call returns.
  package func show(
    _ spans: [ShownPositions], ofList list: ListNumber, isOtherData: Bool,
    _ source: () -> RowSource<Row>
  ) {
    core.show(spans, ofList: list, isOtherData: isOtherData) { makeOrder(source(), list, nil) }
  }

  /// Finds the positions on screen by the rows there, from now on.
  ///
  /// - Parameters:
  ///   - displayed: Returns the list's rows on screen; `nil` for all displayed rows.
  ///   - moved: Called with the positions on screen, when they may have changed.
  @usableFromInline
  package func follow(
    _ source: RowSource<Row>, ofList list: Int, displayed: (@MainActor () -> [Row])?,
    moved: (@MainActor (Range<Int>) -> Void)? = nil
  ) {
    guard source.count > 0 else { return core.stopFollowing(list) }
    core.follow(makeOrder(source, list, displayed), ofList: list, moved: moved)
  }

  func follow(_ list: ListNumber, isCovered: Bool) {
    if isCovered { endMotion(ofList: list) }
    core.follow(list, isCovered: isCovered)
  }

  /// Moves the window to the positions of rows on screen, once.
  ///
  /// - Returns: Whether a search has ended.
  func find(
    _ views: [AnyObject], inList list: ListNumber, isOtherData: Bool,
    _ source: () -> RowSource<Row>
  ) -> Bool {
    core.find(views, inList: list, isOtherData: isOtherData) { makeOrder(source(), list, nil) }
  }

  /// The position of a row, near the last rows on screen.
  ///
  /// - Parameter source: The rows of the list.
  func nearPosition(
    of row: Row, inList list: ListNumber, _ source: RowSource<Row>
  ) -> Int? {
    if let position = position(of: row, inList: list) { return position }
    guard let last = core.followed[list]?.lastPosition else { return nil }
    var search = OrderSearch(from: last, count: source.count)
    return core.call {
      for _ in 0..<OrderSearch.positionsPerTurn {
        guard let position = search.next() else { return nil }
        var isFound = false
        source.read(at: position) { isFound = isFound || $0 == row }
        if isFound { return position }
      }
      return nil
    }
  }
}
