import RowOperations

extension TrackerInput where Row == Int, Cell == Int {
  enum Subject {
    case nothing
    /// A row, or a list that moves.
    case number(Int)
    case rows([Int])
    /// A list, perhaps its section and some of its positions, and rows or positions.
    case list(Int, section: Int?, Range<Int>, [Int])
    /// A letter's row, if any, and cells.
    case cells(row: Int?, [Int])
  }

  /// `nil` if no input has that letter and subject.
  init?(letter: Substring, _ subject: Subject) {
    switch (letter, subject) {
    case ("c", .cells(let row?, let cells)) where cells.count == 1:
      self = .cellFor(row: row, cell: cells[0])
    case ("h", .cells(let row, let cells)) where cells.count == 2:
      self = .viewFor(row: row, view: cells[0], host: cells[1])
    case ("W", .cells(let row?, let cells)) where cells.count == 1:
      self = .willDisplay(row: row, cell: cells[0])
    case ("E", .cells(let row?, let cells)) where cells.count == 1:
      self = .didEndDisplaying(row: row, cell: cells[0])
    case ("C", .cells(nil, let cells)) where cells.count == 1: self = .cover(cell: cells[0])
    case ("U", .cells(nil, let cells)) where cells.count == 1: self = .unbind(cell: cells[0])
    case ("D", .cells(nil, let cells)) where cells.count == 1: self = .deallocate(cell: cells[0])
    case ("R", .cells(nil, let cells)): self = .reconcile(cells: cells)
    case ("P", .rows(let rows)): self = .prefetch(rows)
    case ("X", .rows(let rows)): self = .cancelPrefetch(rows)
    case ("O", .rows(let rows)): self = .setOrder(rows)
    case ("Q", .list(let list, nil, let positions, let rows)) where positions.count == 1:
      self = .listRows(rows, at: positions.lowerBound, list: list)
    case ("I", .list(let list, nil, let positions, let rows)) where positions.count == 1:
      self = .itemRows(rows, at: positions.lowerBound, list: list)
    case ("V", .list(let list, let section, let all, let shown)):
      let range = shown.isEmpty ? 0..<0 : shown[0]..<max(shown[0], shown[shown.count - 1]) + 1
      guard range.count == shown.count else { return nil }
      self = .showPositions(range, of: all, section: section, list: list)
    case ("B", .nothing): self = .scrollWillBegin
    case ("M", .nothing): self = .scrollDidMove
    case ("L", .rows(let rows)): self = .scrollWillEnd(landingOn: rows)
    case ("S", .nothing): self = .scrollDidSettle
    case ("B", .number(let list)) where list >= 0: self = .listScrollWillBegin(list: list)
    case ("M", .number(let list)) where list >= 0: self = .listScrollDidMove(list: list)
    case ("L", .list(let list, nil, let positions, let rows)) where positions.isEmpty:
      self = .listScrollWillEnd(landingOn: rows, list: list)
    case ("S", .number(let list)) where list >= 0: self = .listScrollDidSettle(list: list)
    case ("Z", .nothing): self = .suspend
    case ("z", .nothing): self = .resume
    case ("N", .nothing): self = .networkDidReturn
    case ("s", .number(let row)): self = .show(row: row)
    case ("p", .number(let row)): self = .report(row: row)
    case ("F", .number(let row)): self = .finish(row: row)
    case ("f", .number(let row)): self = .fail(row: row)
    case ("e", .number(let row)): self = .element(row: row)
    case ("q", .number(let row)): self = .endStream(row: row)
    case ("x", .number(let row)): self = .failStream(row: row)
    case ("m", .number(let row)): self = .miss(row: row)
    case ("v", .number(let row)): self = .setValue(row: row)
    case ("y", .number(let row)): self = .retry(row: row)
    case ("!", .rows(let rows)): self = .invalidate(rows)
    case ("-", .rows(let rows)): self = .remove(rows)
    case ("!*", .nothing): self = .invalidateAll
    case ("-*", .nothing): self = .removeAll
    case ("~*", .nothing): self = .removeCachedValues
    case ("|", .nothing): self = .passEnd
    default: return nil
    }
  }
}
