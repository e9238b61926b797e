/// Reads the words of an ``EventScript``.
struct EventScriptReader {
  private(set) var steps: [EventScript.Step] = []
  /// The cell that each row was given last, and the first number that no cell has.
  private var cells: [Int: Int] = [:]
  private var nextCell = 0

  mutating func read(_ word: Substring) throws {
    if let step = Self.plain[String(word)] {
      steps.append(step)
    } else if word.hasPrefix("+") {
      steps.append(.time(try time(word)))
    } else if let open = word.firstIndex(of: "["), word.hasSuffix("]") {
      let rows = try list(word[word.index(after: open)...].dropLast(), in: word)
      try read(word[..<open], rows, in: word)
    } else if let open = word.firstIndex(of: "("), word.hasSuffix(")") {
      let cells = try parts(of: word[word.index(after: open)...].dropLast())
        .map { try cell($0, in: word) }
      nextCell = max(nextCell, (cells.max() ?? -1) + 1)
      try read(word[..<open], cells: cells, in: word)
    } else if let letter = word.first, let row = Int(word.dropFirst()) {
      try read(letter, row: row, cell: nil, in: word)
    } else {
      throw complaint(word, "It is no step of an event script.")
    }
  }

  private static let plain: [String: EventScript.Step] = [
    "B": .scrollWillBegin, "M": .scrollDidMove, "S": .scrollDidSettle, "Z": .suspend,
    "z": .resume, "|": .passEnd, "!*": .invalidateAll, "-*": .removeAll,
    "~*": .removeCachedValues,
  ]

  private static let lettersWithRow = "cWEFfvy"

  /// `P[1…3]`, or letters that apply to each row in turn.
  private mutating func read(_ letters: Substring, _ rows: [Int], in word: Substring) throws {
    switch letters {
    case "P": steps.append(.prefetch(rows))
    case "X": steps.append(.cancelPrefetch(rows))
    case "L": steps.append(.scrollWillEnd(landingOn: rows))
    case "!": steps.append(.invalidate(rows))
    case "-": steps.append(.remove(rows))
    default:
      guard !letters.isEmpty, letters.allSatisfy({ Self.lettersWithRow.contains($0) }) else {
        throw complaint(word, "'\(letters)' is nothing that a list of rows can follow.")
      }
      for row in rows {
        for letter in letters { try read(letter, row: row, cell: nil, in: word) }
      }
    }
  }

  /// `W5(a)`, or `D(a)` and `R(a,b)`, which have no row.
  private mutating func read(_ head: Substring, cells: [Int], in word: Substring) throws {
    if head == "R" {
      steps.append(.reconcile(cells: cells))
      return
    }
    guard let letter = head.first, let cell = cells.first, cells.count == 1 else {
      throw complaint(word, "It needs exactly one cell in parentheses.")
    }
    switch letter {
    case "U" where head.count == 1: steps.append(.unbind(cell: cell))
    case "D" where head.count == 1: steps.append(.deallocate(cell: cell))
    default:
      guard let row = Int(head.dropFirst()) else {
        throw complaint(word, "There is no row between the letter and the cell.")
      }
      try read(letter, row: row, cell: cell, in: word)
    }
  }

  private mutating func read(
    _ letter: Character, row: Int, cell: Int?, in word: Substring
  ) throws {
    switch (letter, cell) {
    case ("F", nil): steps.append(.finish(row: row))
    case ("f", nil): steps.append(.fail(row: row))
    case ("v", nil): steps.append(.setValue(row: row))
    case ("y", nil): steps.append(.retry(row: row))
    case ("c", _):
      let cell = cell ?? newCell()
      cells[row] = cell
      steps.append(.cellFor(row: row, cell: cell))
    case ("W", _), ("E", _):
      guard let cell = cell ?? cells[row] else {
        throw complaint(word, "No cell was asked for row \(row) before. Name the cell.")
      }
      steps.append(
        letter == "W"
          ? .willDisplay(row: row, cell: cell) : .didEndDisplaying(row: row, cell: cell))
    default:
      let parts = cell == nil ? "a row" : "a row and a cell"
      throw complaint(word, "There is no step '\(letter)' with \(parts).")
    }
  }

  private mutating func newCell() -> Int {
    defer { nextCell += 1 }
    return nextCell
  }

  // MARK: Parts of words

  private func time(_ word: Substring) throws -> Duration {
    guard word.hasSuffix("ms"), let time = Duration(scriptText: word.dropFirst().dropLast(2))
    else { throw complaint(word, "A time is written in milliseconds, as in +150ms.") }
    return time
  }

  private func cell(_ name: Substring, in word: Substring) throws -> Int {
    // A number of any length would not fit; and each cell has one name only.
    guard name.utf8.count <= 10, let cell = SimulatedCell.number(named: String(name)),
      SimulatedCell.name(of: cell) == name
    else {
      throw complaint(word, "'\(name)' is no cell: those are called a to z, a1 to z1, and so on.")
    }
    return cell
  }

  /// `5`, `5,6,7`, `5…7` or `7…5`, and any of these with commas in between.
  private func list(_ text: Substring, in word: Substring) throws -> [Int] {
    try parts(of: text).flatMap { part -> [Int] in
      let ends =
        part.contains("…")
        ? part.split(separator: "…", omittingEmptySubsequences: false)
        : part.split(separator: "...", omittingEmptySubsequences: false)
      let numbers = ends.compactMap { Int($0) }
      guard numbers.count == ends.count, (1...2).contains(numbers.count) else {
        throw complaint(word, "'\(part)' is neither a row nor a range of rows.")
      }
      let (first, last) = (numbers[0], numbers[numbers.count - 1])
      let (length, isTooLong) = last.subtractingReportingOverflow(first)
      guard !isTooLong, length.magnitude < 1_000_000 else {
        throw complaint(word, "'\(part)' is more rows than a script can name.")
      }
      return first <= last ? Array(first...last) : (last...first).reversed()
    }
  }

  /// What stands between commas; nothing at all is no part.
  private func parts(of text: Substring) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
  }

  private func complaint(_ word: Substring, _ reason: String) -> EventScriptError {
    EventScriptError(step: String(word), description: "'\(word)' cannot be read. \(reason)")
  }
}
