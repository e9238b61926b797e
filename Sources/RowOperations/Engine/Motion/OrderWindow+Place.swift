extension OrderWindow.Place {
  @inline(__always)
  var isUnread: Bool {
    if case .unread = self { true } else { false }
  }

  @inlinable
  package mutating func append(_ row: RowID) {
    switch self {
    case .unread: self = .row(row)
    case .row(let first): self = .rows([first, row])
    case .rows(let rows): self = rows.isEmpty ? .row(row) : .rows(rows + [row])
    }
  }

  var firstRow: RowID? {
    switch self {
    case .unread: nil
    case .row(let row): row
    case .rows(let rows): rows.first
    }
  }

  var rows: [RowID] {
    switch self {
    case .unread: []
    case .row(let row): [row]
    case .rows(let rows): rows
    }
  }

  @inline(__always)
  func forEachRow(_ body: (RowID) -> Void) {
    switch self {
    case .unread: break
    case .row(let row): body(row)
    case .rows(let rows): for row in rows { body(row) }
    }
  }

  func replacing(_ gone: RowID, by kept: RowID) -> OrderWindow.Place {
    switch self {
    case .unread: .unread
    case .row(let row): .row(row == gone ? kept : row)
    case .rows(let rows): .rows(rows.map { $0 == gone ? kept : $0 })
    }
  }

  func contains(_ row: RowID) -> Bool {
    switch self {
    case .unread: false
    case .row(let other): other == row
    case .rows(let rows): rows.contains(row)
    }
  }
}
