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
      let names = word[word.index(after: open)...].dropLast().split(separator: ",")
      let cells = try names.map { try cell($0, in: word) }
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

  /// `P[1…3]`, or letters that apply to each row in turn.
  private mutating func read(_ letters: Substring, _ rows: [Int], in word: Substring) throws {
    switch letters {
    case "P": steps.append(.prefetch(rows))
    case "X": steps.append(.cancelPrefetch(rows))
    case "L": steps.append(.scrollWillEnd(landingOn: rows))
    case "!": steps.append(.invalidate(rows))
    case "-": steps.append(.remove(rows))
    default:
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
    nextCell = max(nextCell, cell + 1)
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
    switch letter {
    case "F": steps.append(.finish(row: row))
    case "f": steps.append(.fail(row: row))
    case "v": steps.append(.setValue(row: row))
    case "y": steps.append(.retry(row: row))
    case "c":
      let cell = cell ?? newCell()
      cells[row] = cell
      steps.append(.cellFor(row: row, cell: cell))
    case "W", "E":
      guard let cell = cell ?? cells[row] else {
        throw complaint(word, "No cell was asked for row \(row) before. Name the cell.")
      }
      steps.append(
        letter == "W"
          ? .willDisplay(row: row, cell: cell) : .didEndDisplaying(row: row, cell: cell))
    default:
      throw complaint(word, "No step of an event script begins with '\(letter)'.")
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
    guard let cell = SimulatedCell.number(named: String(name)) else {
      throw complaint(word, "'\(name)' is no cell: those are called a to z, a1 to z1, and so on.")
    }
    return cell
  }

  /// `5`, `5,6,7`, `5…7` or `7…5`, and any of these with commas in between.
  private func list(_ text: Substring, in word: Substring) throws -> [Int] {
    try text.split(separator: ",").flatMap { part -> [Int] in
      let ends =
        part.contains("…")
        ? part.split(separator: "…") : String(part).components(separatedBy: "...")
      let numbers = ends.compactMap { Int($0) }
      guard numbers.count == ends.count, (1...2).contains(numbers.count) else {
        throw complaint(word, "'\(part)' is neither a row nor a range of rows.")
      }
      let (first, last) = (numbers[0], numbers[numbers.count - 1])
      return first <= last ? Array(first...last) : (last...first).reversed()
    }
  }

  private func complaint(_ word: Substring, _ reason: String) -> EventScriptError {
    EventScriptError(step: String(word), description: "'\(word)' cannot be read. \(reason)")
  }
}

extension String {
  /// The parts between the places where a separator stands.
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
