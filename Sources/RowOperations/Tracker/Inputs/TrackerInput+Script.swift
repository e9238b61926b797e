/// The text form of inputs in an event script: a letter, then its subject.
extension TrackerInput: CustomStringConvertible where Row == Int, Cell == Int {
  /// The input in the form of an event script.
  public var description: String {
    switch self {
    case .cellFor(let row, let cell): "c\(row)(\(name(cell)))"
    case .viewFor(let row, let view, let host):
      "h\(row.map(String.init) ?? "")(\(name(view)),\(name(host)))"
    case .willDisplay(let row, let cell): "W\(row ?? -1)(\(name(cell)))"
    case .didEndDisplaying(let row, let cell): "E\(row ?? -1)(\(name(cell)))"
    case .cover(let cell): "C(\(name(cell)))"
    case .unbind(let cell): "U(\(name(cell)))"
    case .deallocate(let cell): "D(\(name(cell)))"
    case .reconcile(let cells): "R(\(cells.map(name).joined(separator: ",")))"
    case .prefetch(let rows): "P\(list(rows))"
    case .cancelPrefetch(let rows): "X\(list(rows))"
    case .setOrder(let rows): "O\(list(rows))"
    case .listRows(let rows, let position, let number): "Q\(number)@\(position)\(list(rows))"
    case .itemRows(let rows, let position, let number): "I\(number)@\(position)\(list(rows))"
    case .showPositions(let shown, let all, let section, let number):
      "V\(number)\(section.map { ".\($0)" } ?? "")@\(range(all))\(list(Array(shown)))"
    case .scrollWillBegin: "B"
    case .scrollDidMove: "M"
    case .scrollWillEnd(let rows): "L\(list(rows))"
    case .scrollDidSettle: "S"
    case .listScrollWillBegin(let number): "B\(number)"
    case .listScrollDidMove(let number): "M\(number)"
    case .listScrollWillEnd(let rows, let number): "L\(number)@\(list(rows))"
    case .listScrollDidSettle(let number): "S\(number)"
    case .suspend: "Z"
    case .resume: "z"
    case .networkDidReturn: "N"
    case .show(let row): "s\(row)"
    case .report(let row): "p\(row)"
    case .finish(let row): "F\(row)"
    case .fail(let row): "f\(row)"
    case .element(let row): "e\(row)"
    case .endStream(let row): "q\(row)"
    case .failStream(let row): "x\(row)"
    case .miss(let row): "m\(row)"
    case .setValue(let row): "v\(row)"
    case .retry(let row): "y\(row)"
    case .invalidate(let rows): "!\(list(rows))"
    case .remove(let rows): "-\(list(rows))"
    case .invalidateAll: "!*"
    case .removeAll: "-*"
    case .removeCachedValues: "~*"
    case .passEnd: "|"
    case .time(let time): "+\(time.scriptText)ms"
    }
  }

  /// The subject of a word in a script.
  package enum Subject {
    case nothing
    /// A row, or a list that moves.
    case number(Int)
    case rows([Int])
    /// A list, perhaps a section of it, some of its positions, and rows or positions.
    case list(Int, section: Int?, Range<Int>, [Int])
    /// A letter with a row, if there is one, and cells.
    case cells(row: Int?, [Int])
  }

  /// Makes the input of a word; `nil` if no input has that letter and subject.
  package init?(letter: Substring, _ subject: Subject) {
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

  /// The name of a cell: `a` to `z`, then `a1` to `z1`, and so on.
  package static func name(ofCell cell: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(cell % 26)))
    return cell < 26 ? letter : letter + String(cell / 26)
  }

  private func name(_ cell: Int) -> String { Self.name(ofCell: cell) }

  private func range(_ range: Range<Int>) -> String {
    switch range.count {
    case 0: ""
    case 1: "\(range.lowerBound)"
    default: "\(range.lowerBound)…\(range.upperBound - 1)"
    }
  }

  /// The text of rows; three or more consecutive rows become a range.
  private func list(_ rows: [Int]) -> String {
    var parts: [String] = []
    var index = rows.startIndex
    while index < rows.endIndex {
      let step = index + 1 < rows.endIndex ? rows[index + 1] - rows[index] : 0
      var end = index
      while abs(step) == 1, end + 1 < rows.endIndex, rows[end + 1] - rows[end] == step { end += 1 }
      if end - index < 2 { end = index }
      parts.append(end == index ? "\(rows[index])" : "\(rows[index])…\(rows[end])")
      index = end + 1
    }
    return "[\(parts.joined(separator: ","))]"
  }
}
