/// The lanes of rows and of running loads, as numbers; 0 is none.
struct RowLanes: Sendable {
  private enum Lane {
    case unread
    case beingRead
    case known(Int)
  }

  private var rows: [RowID: Lane] = [:]
  private var unread: [RowID] = []
  var loads: [RunID: Int] = [:]

  var unreadCount: Int { unread.count }

  subscript(row: RowID) -> Int? {
    guard case .known(let lane) = rows[row] else { return nil }
    return lane
  }

  var all: [Int] { rows.keys.compactMap { self[$0] } + loads.values }

  mutating func enteredLine(_ row: RowID) {
    if rows[row] == nil { read(row) }
  }

  mutating func replaced(_ row: RowID, mayWait: Bool) {
    if case .unread = rows[row] { return }
    if mayWait { read(row) } else { rows[row] = nil }
  }

  private mutating func read(_ row: RowID) {
    rows[row] = .unread
    unread.append(row)
  }

  mutating func beginReading() -> RowID? {
    while !unread.isEmpty {
      let row = unread.removeFirst()
      guard case .unread = rows[row] else { continue }
      rows[row] = .beingRead
      return row
    }
    return nil
  }

  /// A newer instance is read later.
  mutating func endReading(_ row: RowID, _ lane: Int) {
    if case .beingRead = rows[row] { rows[row] = .known(lane) }
  }

  mutating func forget(_ row: RowID) {
    if !rows.isEmpty { rows[row] = nil }
  }
}
