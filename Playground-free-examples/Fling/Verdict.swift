import Foundation

/// Why a run ended before its scroll was over.
enum EarlyEnd: Equatable, Sendable {
  /// By Ctrl-C.
  case interrupted
  case outOfMemory
}

/// The faults of a run, as sentences, and the exit status.
struct Verdict: Equatable, Sendable {
  /// The result of complete runs in a few sentences; `nil` if any has a fault.
  private(set) var summary: String?
  private(set) var remarks: [String] = []
  private(set) var exitStatus: Int32 = 0

  /// - Parameters:
  ///   - expectsFailures: Whether loads fail by `--failures`.
  ///   - origin: A sentence that says where a row comes from, if the command does not make it up.
  init(
    _ runs: [(name: String, figures: Figures)], _ end: EarlyEnd?, expectsFailures: Bool = false,
    origin: (Int) -> String? = { _ in nil }
  ) {
    for run in runs {
      check(
        run.figures, runs.count > 1 ? "\(run.name): " : "", isComplete: end == nil,
        expectsFailures: expectsFailures, origin)
    }
    switch end {
    case nil: if exitStatus == 0 { summary = Self.summary(of: runs.map(\.figures)) }
    case .interrupted:
      remarks.append("interrupted")
      exitStatus = 130
    case .outOfMemory:
      remarks.append("The run ended early, as the replies fill the memory.")
      exitStatus = 2
    }
  }

  private static func summary(of figures: [Figures]) -> String? {
    guard let first = figures.first else { return nil }
    let rows =
      "Rows came on screen \(count(first.rowsPassed)) times in a list of \(count(first.rows)). "
      + "\(result(of: figures)). \(text(first.blankRowSeconds)) s of blank rows in all"
    guard let recipe = figures.dropFirst().first else { return rows + "." }
    return rows + "; the plain recipe \(compared(recipe.blankRowSeconds, first.blankRowSeconds))."
  }

  /// Whether rows were wrong, for runs without a fault.
  private static func result(of figures: [Figures]) -> String {
    let checked = figures.reduce(0) { $0 + $1.rowsChecked }
    let shown = figures.reduce(0) { $0 + $1.rowsShown }
    guard figures.contains(where: { $0.wrongRows == nil }) else {
      let lists = figures.count > 1 ? " in both lists" : ""
      return "No wrong row in \(checked) checked"
        + (checked < shown ? ", of \(shown) shown" : "") + lists
    }
    let number = "number \"\(figures[0].numberField)\""
    let reason =
      figures.contains { $0.repliesNamingAnotherRow > 0 }
      ? "the \(number) in a document need not mean its row" : "no document has a \(number)"
    let rows = shown == 1 ? "the row shown" : "any of the \(shown) rows shown"
    return "It is unknown whether \(rows) is wrong, because \(reason)"
  }

  /// The plain recipe's time beside the tracker's, as far as the printed digits differ.
  private static func compared(_ recipe: Double, _ tracker: Double) -> String {
    guard text(recipe) != text(tracker) else { return "as much" }
    return "\(text(recipe)) s" + (recipe < tracker ? ", which is less" : "")
  }

  /// A number with commas between thousands.
  private static func count(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digits[index])
    }
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

  /// Adds a sentence about something that is no fault.
  mutating func remark(_ sentence: String) { remarks.append(sentence) }

  /// Adds a fault.
  mutating func fail(_ sentence: String) {
    remarks.append(sentence)
    exitStatus = 1
  }

  /// An example of a row that did not load, and what may help.
  private static func advice(_ example: String?, _ figures: Figures) -> String {
    [example, figures.remedy].compactMap(\.self).map { " \($0)" }.joined()
  }

  private mutating func check(
    _ figures: Figures, _ prefix: String, isComplete: Bool, expectsFailures: Bool,
    _ origin: (Int) -> String?
  ) {
    if figures.mixedUpRows > 0 { fail("\(prefix)WRONG ROWS: \(figures.mixedUpRows).") }
    let reasons = figures.frequentFailures().map { "\($0.count) × \($0.reason)" }
    let failures = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    if figures.finished == 0 {
      guard isComplete else { return }
      fail("\(prefix)NOTHING LOADED\(failures).\(Self.advice(origin(0), figures))")
    } else if isComplete, !expectsFailures {
      // Rows whose files changed or vanished are not to blame.
      let count = figures.neverLoaded - (figures.neverLoadedChanged ?? 0)
      if count > 0 {
        let rows = count == 1 ? "1 ROW" : "\(count) ROWS"
        let advice = Self.advice(figures.firstNeverLoaded.flatMap(origin), figures)
        fail("\(prefix)\(rows) ON SCREEN NEVER LOADED\(failures).\(advice)")
      }
    }
    checkReplies(of: figures, prefix, origin)
    if let files = figures.changedMeanwhile, files > 0 {
      remark(
        "\(prefix)Files changed or deleted meanwhile: \(files). Their rows show what was sent before."
      )
    }
  }
}
