struct EventScriptReader {
  private(set) var steps: [EventScript.Step] = []
  private var cells: [Int: Int] = [:]
  private var nextCell = 0

  mutating func read(_ word: Substring) throws {
    if let step = EventScript.Step(letter: word, .nothing) {
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
    } else if let row = Int(word.dropFirst()) {
      try read(word.prefix(1), row: row, in: word)
    } else {
      throw complaint(word, "It is not a step of an event script.")
    }
  }

  private static let lettersWithRow = "cWEspFfeqxvy"

  /// Reads `P[1…3]`, or letters that apply to each row in turn.
  private mutating func read(_ letters: Substring, _ rows: [Int], in word: Substring) throws {
    if let step = EventScript.Step(letter: letters, .rows(rows)) { return steps.append(step) }
    if let at = letters.firstIndex(of: "@") {
      let (list, section) = try numbers(letters[..<at].dropFirst(), in: word)
      let positions = try range(letters[letters.index(after: at)...], in: word)
      let step = EventScript.Step(
        letter: letters.prefix(1), .list(list, section: section, positions, rows))
      guard let step else { throw complaint(word, "It names no positions of a list.") }
      return steps.append(step)
    }
    guard !letters.isEmpty, letters.allSatisfy({ Self.lettersWithRow.contains($0) }) else {
      throw complaint(word, "A list of rows cannot follow '\(letters)'.")
    }
    for row in rows {
      for letter in letters { try read(Substring(String(letter)), row: row, in: word) }
    }
  }

  /// Reads `W5(a)` and `h5(b,a)`, or `D(a)` and `R(a,b)`, which have no row.
  private mutating func read(_ head: Substring, cells: [Int], in word: Substring) throws {
    let row = head.count > 1 ? Int(head.dropFirst()) : nil
    guard let step = EventScript.Step(letter: head.prefix(1), .cells(row: row, cells)),
      row != nil || head.count == 1
    else { throw complaint(word, reason(head, row, cells)) }
    if case .cellFor(let row, let cell) = step { self.cells[row] = cell }
    steps.append(step)
  }

  private func reason(_ head: Substring, _ row: Int?, _ cells: [Int]) -> String {
    if cells.count != 1, head.first != "h" { return "It needs exactly one cell in parentheses." }
    if row == nil, !["C", "U", "D", "h"].contains(head) {
      return "There is no row between the letter and the cell."
    }
    let count = cells.count == 1 ? "a cell" : "\(cells.count) cells"
    return "There is no step '\(head.prefix(1))' with \(row == nil ? "" : "a row and ")\(count)."
  }

  private mutating func read(_ letter: Substring, row: Int, in word: Substring) throws {
    if let step = EventScript.Step(letter: letter, .number(row)) { return steps.append(step) }
    guard ["c", "W", "E"].contains(letter) else {
      throw complaint(word, "There is no step '\(letter)' with a row.")
    }
    let cell = letter == "c" ? newCell() : cells[row]
    guard let cell, let step = EventScript.Step(letter: letter, .cells(row: row, [cell])) else {
      throw complaint(word, "Row \(row) has no cell yet. Name the cell.")
    }
    if letter == "c" { cells[row] = cell }
    steps.append(step)
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
    // Long numbers would overflow, and each cell has only one name.
    guard name.utf8.count <= 10, let cell = SimulatedCell.number(named: String(name)),
      EventScript.Step.name(ofCell: cell) == name
    else {
      throw complaint(word, "'\(name)' is not a cell: cells are named a to z, a1 to z1, and so on.")
    }
    return cell
  }

  /// `1`, a list, or `1.3`, a section of it.
  private func numbers(_ text: Substring, in word: Substring) throws -> (Int, section: Int?) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard (1...2).contains(numbers.count), numbers.count == parts.count, numbers[0] >= 0 else {
      throw complaint(word, "A list is a number, and so is a section behind its point.")
    }
    return (numbers[0], section: numbers.count == 2 ? numbers[1] : nil)
  }

  /// `5`, `5…7`, or nothing.
  private func range(_ text: Substring, in word: Substring) throws -> Range<Int> {
    guard !text.isEmpty else { return 0..<0 }
    let ends = text.split(separator: "…", omittingEmptySubsequences: false)
    let numbers = ends.compactMap { Int($0) }
    guard (1...2).contains(numbers.count), numbers.count == ends.count, numbers[0] >= 0,
      numbers[0] <= numbers[numbers.count - 1], numbers[numbers.count - 1] < .max
    else { throw complaint(word, "'\(text)' is no position and no range of positions.") }
    return numbers[0]..<numbers[numbers.count - 1] + 1
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

  private func parts(of text: Substring) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
  }

  private func complaint(_ word: Substring, _ reason: String) -> EventScriptError {
    EventScriptError(step: String(word), description: "'\(word)' cannot be read. \(reason)")
  }
}
