import RowOperationsTesting

@testable import RowOperations

/// The windows of lists, and the rows that they claim.
extension NaiveTracker {
  /// Whether lists have windows, and none holds a row.
  func lacks(_ row: Int) -> Bool { !windows.isEmpty && !isInWindow(row) }

  func isInWindow(_ row: Int) -> Bool { windows.contains { $0.position(of: row) != nil } }

  mutating func setContent(_ rows: [Int], at position: Int, of list: Int) {
    if content[list]?[position] != nil { changedLists.insert(list) }
    content[list, default: [:]][position] = rows
  }

  // MARK: Moves

  /// Moves the windows of a list, or all windows, as the engine has decided.
  mutating func moveWindows(_ held: [NaiveWindow], of list: Int? = nil) {
    for window in held where list == nil || window.list == list {
      // Other lists than the order report their data themselves.
      move(to: window, hasReported: window.list == list ?? 0)
    }
    windows.removeAll { old in !held.contains { $0.key == old.key } }
    leftOut = leftOut.filter { isInWindow($0) }
    for window in windows where list == nil || window.list == list { check(window) }
    if list == nil || list != 0 { checkEnds(of: list) }
    changedLists = changedLists.filter { list == nil ? $0 != 0 : $0 != list }
  }

  private mutating func move(to new: NaiveWindow, hasReported: Bool) {
    guard let index = windows.firstIndex(where: { $0.key == new.key }) else {
      movedWindows.insert(new.key)
      return windows.append(new)
    }
    let old = windows[index]
    let isOther = hasReported && changedLists.contains(new.list)
    if isOther || old.shown != new.shown || old.bounds != new.bounds {
      movedWindows.insert(new.key)
    }
    windows[index] = new
    windows[index].isForward = old.isForward
    let moved = isOther ? distance(from: old, to: new) : 0
    let (first, last) = (old.shown.lowerBound + moved, old.shown.upperBound + moved)
    guard new.shown != first..<last else { return }
    if new.shown.lowerBound >= first, new.shown.upperBound >= last {
      windows[index].isForward = true
    } else if new.shown.lowerBound <= first, new.shown.upperBound <= last {
      windows[index].isForward = false
    }
  }

  /// The positions by which the first row of the screen that is still there has moved.
  private func distance(from old: NaiveWindow, to new: NaiveWindow) -> Int {
    for position in old.shown {
      if let row = old.rows[position]?.first, let now = new.position(of: row, in: new.rowsRead) {
        return now - position
      }
    }
    return 0
  }

  // MARK: Claims

  /// Claims the rows around the screens, and checks which ones the engine claims anew.
  ///
  /// - Parameter held: The windows at that moment.
  mutating func claimRows(of held: [NaiveWindow], _ decisions: [Decision]) {
    // Rows of windows that have moved may be claimed again.
    if !isSuspended {
      for window in held where movedWindows.contains(window.key) {
        leftOut.subtract(window.rows.values.joined())
      }
      movedWindows = []
    }
    let before = expected
    expected = [:]
    let around = isSuspended ? [] : held.map { Array(rowsAround($0).enumerated()) }
    let nearest = around.enumerated().flatMap { window, rows in
      rows.map { (rank: $0.offset, window: window, row: $0.element) }
    }.sorted { ($0.rank, $0.window) < ($1.rank, $1.window) }
    for place in nearest where expected.count < settings.prefetchWindow.limit {
      expected[place.row] = expected[place.row] ?? place.rank
    }
    let new = Set(expected.keys).subtracting(before.keys)
    let decided = decisions.compactMap { if case .expect(let row) = $0 { row } else { nil } }
    if decided.sorted() != new.sorted() {
      complain("windows claim \(decided.sorted()), not \(new.sorted())")
    }
    endExcess(beside: expected)
  }

  /// The rows that a window claims: those on screen without a cell, those ahead, and those behind,
  /// the nearest first.
  private func rowsAround(_ window: NaiveWindow) -> [Int] {
    let limit = settings.prefetchWindow.limit
    func positions(_ screens: Double) -> Int {
      min(Int((screens * Double(window.shown.count)).rounded(.up)), limit)
    }
    let ahead = positions(settings.prefetchWindow.ahead)
    let behind = positions(settings.prefetchWindow.behind)
    let isForward = windows.first { $0.key == window.key }?.isForward ?? true
    let after = (0..<(isForward ? ahead : behind)).map { window.shown.upperBound + $0 }
    let before = (0..<(isForward ? behind : ahead)).map { window.shown.lowerBound - 1 - $0 }
    let positions = Array(window.shown) + (isForward ? after + before : before + after)
    return positions.filter { window.bounds.contains($0) }.flatMap { window.rows[$0] ?? [] }
      .filter { !displayedRows.contains($0) && !leftOut.contains($0) }
  }

  /// Ends the oldest announced claims while there are too many claims.
  mutating func endExcess(beside expected: [Int: Int]) {
    while Set(prefetched).union(expected.keys).count > settings.prefetchWindow.limit,
      !prefetched.isEmpty
    {
      prefetched.removeFirst()
    }
  }
}
