/// The text of inputs in an event script: a letter, then its subject.
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
    case .background(let cell): "b(\(name(cell)))"
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
    case .rename(let old, let new): "=\(old)>\(new)"
    case .passEnd: "|"
    case .time(let time): "+\(time.scriptText)ms"
    }
  }

  /// `a` to `z`, then `a1` to `z1`, and so on.
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

  /// Three or more consecutive rows become a range.
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
