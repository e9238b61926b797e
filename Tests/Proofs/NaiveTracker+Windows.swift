import RowOperations
import RowOperationsTesting

/// The rows around the screen of a list, or of a section of it that scrolls by itself, as the
/// engine's last decision holds them.
package struct NaiveWindow {
  let key: OrderWindow.Key
  /// The positions of the list, or of the section.
  let bounds: Range<Int>
  var shown: Range<Int>
  var held: Range<Int>
  /// The rows of the positions that were read.
  var rows: [Int: [Int]]
  /// The rows of the positions that it held before it noticed a turn.
  var rowsRead: [Int: [Int]]
  /// The rows of the positions that it held right after.
  var rowsSettled: [Int: [Int]]
  var isForward = true
  var origin: Int

  var list: Int { key.list }

  /// The rank of a row by how soon its nearest position comes on screen.
  func rank(of row: Int) -> Int? {
    guard let position = position(of: row) else { return nil }
    let distance = isForward ? position - origin : origin - position
    return distance >= 0 ? distance : 1_000_000 - distance
  }

  /// The position of a row that is nearest to the screen, the first of two.
  func position(of row: Int) -> Int? {
    position(of: row, in: rows)
  }

  func position(of row: Int, in rows: [Int: [Int]]) -> Int? {
    rows.keys.filter { rows[$0]?.contains(row) == true }
      .min { (distance(of: $0), $0) < (distance(of: $1), $1) }
  }

  func distance(of position: Int) -> Int {
    max(shown.lowerBound - position, position - shown.upperBound + 1, 0)
  }
}

/// The windows of lists, and the rows that they claim.
extension NaiveTracker {
  /// Whether lists have windows, and none holds a row.
  func lacks(_ row: Int) -> Bool {
    !windows.isEmpty && !windows.contains { $0.position(of: row) != nil }
  }

  mutating func setContent(_ rows: [Int], at position: Int, of list: Int) {
    if content[list]?[position] != nil { changedLists.insert(list) }
    content[list, default: [:]][position] = rows
  }

  // MARK: Moves

  /// Moves the windows of a list, or all windows, as the engine has decided.
  ///
  /// - Parameter kept: The rows that were in windows all the time. Windows move several times in a
  ///   turn. A row that has left all of them has no claim, even if a window then reads it.
  mutating func moveWindows(_ held: [NaiveWindow], keeping kept: Set<Int>, of list: Int? = nil) {
    expected.formIntersection(kept)
    asked.formIntersection(kept)
    for window in held where list == nil || window.list == list { move(to: window) }
    windows.removeAll { old in !held.contains { $0.key == old.key } }
    for window in windows where list == nil || window.list == list { check(window) }
    if list == nil || list != 0 { checkEnds(of: list) }
    changedLists = changedLists.filter { list == nil ? $0 != 0 : $0 != list }
  }

  private mutating func move(to new: NaiveWindow) {
    guard let index = windows.firstIndex(where: { $0.key == new.key }) else {
      unseenRoom = nil
      return windows.append(new)
    }
    let old = windows[index]
    windows[index] = new
    windows[index].isForward = old.isForward
    let moved = changedLists.contains(new.list) ? distance(from: old, to: new) : 0
    let (first, last) = (old.shown.lowerBound + moved, old.shown.upperBound + moved)
    windows[index].origin = old.origin + moved
    guard new.shown != first..<last else { return }
    if new.shown.lowerBound >= first, new.shown.upperBound >= last {
      windows[index].isForward = true
    } else if new.shown.lowerBound <= first, new.shown.upperBound <= last {
      windows[index].isForward = false
    }
    let held = old.held.lowerBound + moved..<old.held.upperBound + moved
    guard windows[index].isForward != old.isForward || !held.overlaps(new.shown) else { return }
    windows[index].origin =
      windows[index].isForward ? new.shown.lowerBound : new.shown.upperBound - 1
    // Rows that the window reads after the turn may have claims of another list.
    for row in Set(new.rowsSettled.values.flatMap(\.self)) {
      asked.remove(row)
      if isPrefetched(row) { setPrefetchRank(row) }
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

  // MARK: Checks

  /// The number of rows that each window may claim.
  private var windowRoom: Int {
    guard !windows.isEmpty else { return 0 }
    let shown = windows.reduce(0) { $0 + $1.shown.count }
    let kept = settings.valueLimit.flatMap { $0 > 0 ? max($0 - shown, 0) : nil }
    return min(settings.prefetchLimit, kept ?? .max, unseenRoom ?? .max) / windows.count
  }

  private mutating func check(_ window: NaiveWindow) {
    let list = window.list
    if list == 0, !content[0, default: [:]].isEmpty {
      checkOrder(window)
    } else if reported[window.key] != window.shown {
      complain("\(window.key) shows \(window.shown), not \(reported[window.key] ?? 0..<0)")
    }
    for position in window.held where window.distance(of: position) > 0 {
      if window.distance(of: position) > settings.prefetchLimit + window.shown.count {
        complain("list \(list) holds \(position), which is far away")
      }
    }
    for position in window.shown where window.rows[position] == nil {
      complain("list \(list) has not read \(position), which is on screen")
    }
    guard changedLists.isEmpty else { return }
    for (position, rows) in window.rows where content[list]?[position] ?? [] != rows {
      // A position without rows may have got some since it was read.
      if !rows.isEmpty { complain("list \(list) holds \(rows) at \(position)") }
    }
  }

  /// Checks the part of the order that is on screen.
  private mutating func checkOrder(_ window: NaiveWindow) {
    // Cells that wait for their rows are on screen too.
    let displayed = displayedRows.union(cells.lostRows)
    for position in [window.shown.lowerBound, window.shown.upperBound - 1]
    where displayed.isDisjoint(with: content[0]?[position] ?? []) {
      complain("position \(position) of the order counts as on screen and is not")
    }
    let others = Set(
      windows.filter { $0.list != 0 }.flatMap { other in
        other.shown.flatMap { other.rows[$0] ?? [] }
      })
    for position in [window.shown.lowerBound - 1, window.shown.upperBound]
    where window.rows[position]?.contains(where: {
      displayed.contains($0) && !others.contains($0)
    }) == true {
      complain("position \(position) of the order is on screen and does not count")
    }
  }

  /// Checks that each list with positions on screen has a window.
  private mutating func checkEnds(of list: Int?) {
    for (key, shown) in reported where !shown.isEmpty && (list ?? key.list) == key.list {
      let isOrder = key.list == 0 && !content[0, default: [:]].isEmpty
      if !isOrder, !windows.contains(where: { $0.key == key }) {
        complain("\(key) has no window")
      }
    }
  }

  // MARK: Claims

  /// Rows in windows rank by how soon they come on screen; other rows come first, newest first.
  mutating func setPrefetchRank(_ row: Int) {
    if let rank = windows.compactMap({ $0.rank(of: row) }).min() {
      prefetchRank[row] = (true, rank)
    } else {
      prefetchRank[row] = (false, -nextRank())
    }
  }

  /// Checks and records the rows that windows claim.
  mutating func addExpectations(_ rows: [Int]) {
    guard !isSuspended else {
      if !rows.isEmpty { complain("expected \(rows) though the tracker is suspended") }
      return
    }
    let displayed = displayedRows
    let room = windowRoom
    for row in rows {
      if displayed.contains(row) { complain("expected \(row), which is on screen") }
      if !asked.insert(row).inserted { complain("expected \(row) twice") }
      if !windows.contains(where: { isInReach(row, of: $0, room) }) {
        complain("expected \(row), which no window reaches")
      }
    }
    for row in rows {
      expected.insert(row)
      setPrefetchRank(row)
      if values[row] != nil, lastUse[row] != nil { lastUse[row] = pass }
    }
    // Several windows append their rows nearest last; the model keeps only the pass of a use.
    if !rows.isEmpty { endExcess() }
    for window in windows where motions[window.list] == nil {
      for step in [1, -1] {
        // No more rows than fit are expected on a side.
        var left = room / 2
        for distance in 1..<max(min(window.shown.count, room / 2) + 1, 1) {
          let edge = step > 0 ? window.shown.upperBound - 1 : window.shown.lowerBound
          for row in window.rows[edge + step * distance] ?? [] where !displayed.contains(row) {
            left -= 1
            if left >= 0, !asked.contains(row) {
              complain("\(row) is next to the screen and not expected")
            }
          }
        }
      }
    }
  }

  private func isInReach(_ row: Int, of window: NaiveWindow, _ room: Int) -> Bool {
    window.held.contains { position in
      guard window.rows[position]?.contains(row) == true else { return false }
      let distance = window.distance(of: position)
      guard distance > 0 else { return false }
      let isMoving = motions[window.list] != nil
      guard isMoving else { return distance <= min(window.shown.count, room / 2) }
      let isAhead =
        window.isForward
        ? position >= window.shown.upperBound : position < window.shown.lowerBound
      return isAhead && distance <= room
    }
  }

  /// Ends the oldest announced claims while there are too many claims.
  mutating func endExcessOfAnnounced() {
    while prefetched.count + expected.count > settings.prefetchLimit, !prefetched.isEmpty {
      prefetched.removeFirst()
    }
  }

  private mutating func endExcess() {
    endExcessOfAnnounced()
    var claimed: [(row: Int, distance: Int)] = []
    for window in windows {
      for position in window.held {
        for row in window.rows[position] ?? [] where expected.contains(row) {
          claimed.append((row, window.distance(of: position)))
        }
      }
    }
    let farthest = claimed.enumerated().sorted {
      ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset)
    }
    for (_, claim) in farthest where expected.count > settings.prefetchLimit {
      expected.remove(claim.row)
    }
  }
}
