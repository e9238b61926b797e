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

  /// - Parameter expectsFailures: Whether loads fail for a known reason: `--failures`, or files
  ///   that vanish.
  init(
    _ runs: [(name: String, figures: Figures)], _ end: EarlyEnd?, expectsFailures: Bool = false
  ) {
    for run in runs {
      check(
        run.figures, runs.count > 1 ? "\(run.name): " : "", isComplete: end == nil,
        expectsFailures: expectsFailures)
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
    let checked = figures.reduce(0) { $0 + $1.rowsChecked }
    let shown = figures.reduce(0) { $0 + $1.rowsShown }
    let rows =
      "\(count(first.rowsPassed)) rows passed in a list of \(count(first.rows)). "
      + "No wrong row in \(checked > 0 ? "\(checked) checked" : "\(shown) shown"). "
      + "\(text(first.blankRowSeconds)) s of blank rows in all"
    guard let recipe = figures.dropFirst().first else { return rows + "." }
    let verdict = recipe.blankRowSeconds < first.blankRowSeconds ? ", which is less" : ""
    return rows + "; the plain recipe \(text(recipe.blankRowSeconds)) s\(verdict)."
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

  private mutating func check(
    _ figures: Figures, _ prefix: String, isComplete: Bool, expectsFailures: Bool
  ) {
    if figures.wrongRows > 0 {
      remarks.append("\(prefix)WRONG ROWS: \(figures.wrongRows).")
      exitStatus = 1
    }
    let reasons = figures.frequentFailures().map { "\($0.count) × \($0.reason)" }
    let failures = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    if figures.finished == 0 {
      guard isComplete else { return }
      remarks.append("\(prefix)NOTHING LOADED\(failures).")
      exitStatus = 1
    } else if isComplete, !expectsFailures, figures.neverLoaded > 0 {
      let rows = figures.neverLoaded == 1 ? "1 ROW" : "\(figures.neverLoaded) ROWS"
      remarks.append("\(prefix)\(rows) ON SCREEN NEVER LOADED\(failures).")
      exitStatus = 1
    }
    if figures.repliesNamingAnotherRow > 0 {
      let requests =
        figures.repliesNamingAnotherRow == 1
        ? "1 request" : "\(figures.repliesNamingAnotherRow) requests"
      remarks.append(
        "\(prefix)The server answered \(requests) with another row's document, if its number "
          + "\"row\" means the row.")
    }
    if figures.rowsShown > 0, figures.rowsChecked == 0 {
      remarks.append(
        "\(prefix)NO ROW WAS CHECKED against its document: none names its row in a number \"row\". "
          + "Each row showed the reply to its own request.")
    }
    if let files = figures.changedMeanwhile, files > 0 {
      remarks.append(
        "\(prefix)Files changed meanwhile: \(files). Their rows show what was sent before.")
    }
  }
}
