/// Reads an event script, and fills in omitted cells.
struct EventScriptReader {
  typealias Step = EventScript.Step

  // MARK: Letters

  private static let plain: [Substring: Step] = [
    "B": .scrollWillBegin, "M": .scrollDidMove, "S": .scrollDidSettle, "Z": .suspend,
    "z": .resume, "N": .networkDidReturn, "!*": .invalidateAll, "-*": .removeAll,
    "~*": .removeCachedValues, "|": .passEnd,
  ]
  private static let ofNumber: [Substring: @Sendable (Int) -> Step] = [
    "s": Step.show, "p": Step.report, "F": Step.finish, "f": Step.fail, "m": Step.miss,
    "e": Step.element, "q": Step.endStream, "x": Step.failStream, "v": Step.setValue,
    "y": Step.retry, "B": Step.listScrollWillBegin, "M": Step.listScrollDidMove,
    "S": Step.listScrollDidSettle,
  ]
  private static let ofRows: [Substring: @Sendable ([Int]) -> Step] = [
    "P": Step.prefetch, "X": Step.cancelPrefetch, "O": Step.setOrder,
    "L": Step.scrollWillEnd, "!": Step.invalidate, "-": Step.remove,
  ]

  private(set) var steps: [Step] = []
  /// The last cell of each row.
  private var cells: [Int: Int] = [:]
  private var nextCell = 0

  // MARK: Words

  mutating func read(_ word: Substring) throws {
    if let step = Self.plain[word] {
      steps.append(step)
    } else if word.hasPrefix("+") {
      guard word.hasSuffix("ms"), let time = Duration(scriptText: word.dropFirst().dropLast(2))
      else { throw complaint(word, "A time is written in milliseconds, as in +150ms.") }
      steps.append(.time(time))
    } else if let open = word.firstIndex(of: "["), word.hasSuffix("]") {
      let rows = try list(word[word.index(after: open)...].dropLast(), in: word)
      try read(word[..<open], rows, in: word)
    } else if let open = word.firstIndex(of: "("), word.hasSuffix(")") {
      let cells = try parts(of: word[word.index(after: open)...].dropLast()).map { name in
        if let cell = SimulatedCell.number(named: String(name)) { return cell }
        throw complaint(
          word, "'\(name)' is not a cell: cells are named a to z, a1 to z1, and so on.")
      }
      try read(word[..<open], cells: cells, in: word)
    } else if word.hasPrefix("="), let rows = ends(of: word.dropFirst(), ">"), rows.count == 2 {
      steps.append(.rename(rows[0], to: rows[1]))
    } else if let row = Int(word.dropFirst()) {
      try read(word.prefix(1), row: row, in: word)
    } else {
      throw complaint(word, "It is not a step of an event script.")
    }
  }

  /// Reads `P[1…3]`, or letters that apply to each row in turn.
  private mutating func read(_ letters: Substring, _ rows: [Int], in word: Substring) throws {
    if let step = Self.ofRows[letters] { return steps.append(step(rows)) }
    if letters.contains("@") {
      guard let step = step(letters, rows) else {
        throw complaint(word, "It names no positions of a list.")
      }
      return steps.append(step)
    }
    guard !letters.isEmpty, letters.allSatisfy({ "cWEspFfeqxvy".contains($0) }) else {
      throw complaint(word, "A list of rows cannot follow '\(letters)'.")
    }
    for row in rows {
      for letter in letters { try read(Substring(String(letter)), row: row, in: word) }
    }
  }

  /// `Q1@40` or `V1.3@30…59` with rows: a list, its section if any, and positions.
  private func step(_ head: Substring, _ rows: [Int]) -> Step? {
    let parts = head.dropFirst().split(
      separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let names = ends(of: parts[0], "."), let list = names.first, list >= 0,
      let positions = range(parts[1])
    else { return nil }
    let first = rows.first ?? 0
    switch (head.prefix(1), section: names.dropFirst().first) {
    case ("Q", nil) where positions.count == 1:
      return .listRows(rows, at: positions.lowerBound, list: list)
    case ("I", nil) where positions.count == 1:
      return .itemRows(rows, at: positions.lowerBound, list: list)
    case ("L", nil) where positions.isEmpty: return .listScrollWillEnd(landingOn: rows, list: list)
    case ("V", let section) where first < .max - rows.count:
      let shown = first..<first + rows.count
      guard rows == Array(shown) else { return nil }
      return .showPositions(shown, of: positions, section: section, list: list)
    default: return nil
    }
  }

  /// Reads `F5`, `B1`, and `c5`, `W5` and `E5`, which omit the cell.
  private mutating func read(_ letter: Substring, row: Int, in word: Substring) throws {
    if let step = Self.ofNumber[letter], row >= 0 || !["B", "M", "S"].contains(letter) {
      return steps.append(step(row))
    }
    guard ["c", "W", "E"].contains(letter) else {
      throw complaint(word, "There is no step '\(letter)' with a row.")
    }
    guard let cell = letter == "c" ? nextCell : cells[row] else {
      throw complaint(word, "Row \(row) has no cell yet. Name the cell.")
    }
    try read("\(letter)\(row)", cells: [cell], in: word)
  }

  /// Reads `W5(a)` and `h5(b,a)`, or `D(a)` and `R(a,b)`.
  private mutating func read(_ head: Substring, cells: [Int], in word: Substring) throws {
    let row = Int(head.dropFirst())
    switch (row == nil ? head : head.prefix(1), row, cells.count) {
    case ("c", let row?, 1):
      self.cells[row] = cells[0]
      steps.append(.cellFor(row: row, cell: cells[0]))
    case ("W", let row?, 1): steps.append(.willDisplay(row: row, cell: cells[0]))
    case ("E", let row?, 1): steps.append(.didEndDisplaying(row: row, cell: cells[0]))
    case ("h", let row, 2): steps.append(.viewFor(row: row, view: cells[0], host: cells[1]))
    case ("R", nil, _): steps.append(.reconcile(cells: cells))
    case ("C", nil, 1): steps.append(.cover(cell: cells[0]))
    case ("b", nil, 1): steps.append(.background(cell: cells[0]))
    case ("U", nil, 1): steps.append(.unbind(cell: cells[0]))
    case ("D", nil, 1): steps.append(.deallocate(cell: cells[0]))
    default: throw complaint(word, reason(head, row, cells))
    }
    nextCell = max(nextCell, (cells.max() ?? -1) + 1)
  }

  private func reason(_ head: Substring, _ row: Int?, _ cells: [Int]) -> String {
    if cells.count != 1, head.first != "h" { return "It needs exactly one cell in parentheses." }
    if row == nil, !["C", "b", "U", "D", "h"].contains(head) {
      return "There is no row between the letter and the cell."
    }
    let count = cells.count == 1 ? "a cell" : "\(cells.count) cells"
    return "There is no step '\(head.prefix(1))' with \(row == nil ? "" : "a row and ")\(count)."
  }

  // MARK: Parts of words

  /// `5`, `5…7`, or nothing.
  private func range(_ text: Substring) -> Range<Int>? {
    guard !text.isEmpty else { return 0..<0 }
    guard let ends = ends(of: text, "…"), let last = ends.last, 0 <= ends[0], ends[0] <= last,
      last < .max
    else { return nil }
    return ends[0]..<last + 1
  }

  /// `5`, `5,6,7`, `5…7` or `7…5`, and any of these with commas in between.
  private func list(_ text: Substring, in word: Substring) throws -> [Int] {
    try parts(of: text).flatMap { part -> [Int] in
      guard let ends = ends(of: part, part.contains("…") ? "…" : "..."), let last = ends.last
      else { throw complaint(word, "'\(part)' is neither a row nor a range of rows.") }
      guard abs(Double(last) - Double(ends[0])) < 1_000_000 else {
        throw complaint(word, "'\(part)' is more rows than a script can name.")
      }
      return ends[0] <= last ? Array(ends[0]...last) : (last...ends[0]).reversed()
    }
  }

  /// The numbers of `5`, or of `5…7` with another sign in between.
  private func ends(of text: Substring, _ sign: String) -> [Int]? {
    let parts = text.split(separator: sign, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count && numbers.count <= 2 ? numbers : nil
  }

  private func parts(of text: Substring) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
  }

  private func complaint(_ word: Substring, _ reason: String) -> EventScriptError {
    EventScriptError(step: String(word), description: "'\(word)' cannot be read. \(reason)")
  }
}
