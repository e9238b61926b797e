/// The orders of lists, by which the tracker prefetches.
extension TrackerEngine {
  /// Replaces the order of a list.
  ///
  /// The shell then sets the order index of each known row.
  mutating func orderChanged(_ list: ListNumber, count: Int) {
    while orders.count <= list { orders.append(OrderWindow(count: 0)) }
    orders[Int(list)] = OrderWindow(count: count)
    kept.unseenRoom = nil
  }

  /// Requests all rows around the screen again, since their claims may have ended.
  mutating func resetWindow(_ list: ListNumber) {
    guard orders.indices.contains(Int(list)) else { return }
    orders[Int(list)] = OrderWindow(count: orders[Int(list)].count)
  }

  /// Ends the prefetch claims of the rows of a list's order.
  ///
  /// O(prefetched rows).
  mutating func endPrefetches(ofList list: ListNumber) {
    var row = claims.oldestPrefetch
    while let known = row {
      row = claims.prefetch(after: known)
      if rows[known].list == list, rows[known].orderIndex >= 0 { prefetchCancelled(known) }
    }
  }

  /// Sets the order index of a known row; `nil` if it left the order.
  ///
  /// A row that left its order loses its prefetch and landing claims, and its value is the first to
  /// be dropped.
  mutating func setOrderIndex(of row: RowID, to index: Int?, in list: ListNumber) {
    if let index {
      rows[row].list = list
      rows[row].orderIndex = Int32(clamping: index)
      return
    }
    guard rows[row].list == list, rows[row].orderIndex >= 0 else { return }
    rows[row].orderIndex = -1
    prefetchCancelled(row)
    dropLanding(of: row)
    if kept.listOfValue(of: row) != nil { kept.dropSoon(row) }
  }

  /// Whether any list has an order, so that the shell prefetches by it before each turn ends.
  package var hasOrders: Bool { mutating get { !orders.isEmpty } }

  /// The order indices to prefetch now, by list.
  ///
  /// O(bound cells).
  package mutating func indicesToPrefetch(at now: Int64) -> [(list: ListNumber, indices: [Int])] {
    if let quiet = gate.quietDeadline, quiet <= now { scrollSettled() }
    guard !isSuspended, settings.prefetchLimit > 0 else { return [] }
    var shown: [ClosedRange<Int>?] = Array(repeating: nil, count: orders.count)
    for cell in cells.ids where cells[cell].isDisplayed {
      guard let row = cells[cell].row, rows[row].orderIndex >= 0 else { continue }
      shown[Int(rows[row].list)].include(Int(rows[row].orderIndex))
    }
    let motion = OrderWindow.Motion(
      rate: gate.rate(at: now), loadTime: gate.slowLoadTime.map { Double($0) / 1e9 },
      isMoving: gate.isMoving)
    var wanted: [(list: ListNumber, indices: [Int])] = []
    let room = prefetchRoom(beside: shown.reduce(0) { $0 + ($1?.count ?? 0) })
    for index in orders.indices {
      guard let displayed = shown[index] else { continue }
      let turns = orders[index].turns
      let indices = orders[index].move(to: displayed, motion, limit: room)
      if orders[index].turns != turns { rankPrefetches(in: ListNumber(index)) }
      if !indices.isEmpty { wanted.append((ListNumber(index), indices)) }
    }
    return wanted
  }

  /// The rank of a row by how soon it comes on screen; `nil` without an order index.
  func orderRank(of row: RowID) -> UInt64? {
    guard rows[row].orderIndex >= 0 else { return nil }
    return orders[Int(rows[row].list)].rank(of: Int(rows[row].orderIndex))
  }

  /// The number of rows to prefetch without losing their values before they are displayed.
  private func prefetchRoom(beside shown: Int) -> Int {
    let room = min(settings.prefetchLimit, kept.unseenRoom ?? .max)
    guard let limit = settings.valueLimit, limit > 0 else { return room }
    return min(room, max(limit - shown, 0))
  }
}

extension ClosedRange<Int>? {
  mutating func include(_ index: Int) {
    self =
      self.map { Swift.min($0.lowerBound, index)...Swift.max($0.upperBound, index) }
      ?? index...index
  }
}
