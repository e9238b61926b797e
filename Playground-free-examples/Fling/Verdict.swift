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
    let checked = figures.reduce(0) { $0 + $1.rowsChecked }
    let shown = figures.reduce(0) { $0 + $1.rowsShown }
    let rowsSeen = checked > 0 ? "\(checked) checked" : "\(shown) shown"
    // The system's client may have paired replies with other requests, which nothing here can see.
    let isDoubtful = figures.contains { $0.repliesNamingAnotherRow > 0 }
    let result =
      isDoubtful
      ? "Whether any of the \(shown) rows is wrong cannot be told: replies name other rows"
      : "No wrong row in \(rowsSeen)"
    let rows =
      "Rows came on screen \(count(first.rowsPassed)) times in a list of \(count(first.rows)). "
      + "\(result). \(text(first.blankRowSeconds)) s of blank rows in all"
    guard let recipe = figures.dropFirst().first else { return rows + "." }
    return rows + "; the plain recipe \(compared(recipe.blankRowSeconds, first.blankRowSeconds))."
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

  private mutating func check(
    _ figures: Figures, _ prefix: String, isComplete: Bool, expectsFailures: Bool,
    _ origin: (Int) -> String?
  ) {
    if let wrongRows = figures.wrongRows, wrongRows > 0 {
      remarks.append("\(prefix)WRONG ROWS: \(wrongRows).")
      exitStatus = 1
    }
    let reasons = figures.frequentFailures().map { "\($0.count) × \($0.reason)" }
    let failures = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    if figures.finished == 0 {
      guard isComplete else { return }
      let example = origin(0).map { " \($0)" } ?? ""
      remarks.append("\(prefix)NOTHING LOADED\(failures).\(example)")
      exitStatus = 1
    } else if isComplete, !expectsFailures {
      // Rows whose files changed or vanished are not to blame.
      let count = figures.neverLoaded - (figures.neverLoadedChanged ?? 0)
      if count > 0 {
        let rows = count == 1 ? "1 ROW" : "\(count) ROWS"
        let example = figures.firstNeverLoaded.flatMap(origin).map { " \($0)" } ?? ""
        remarks.append("\(prefix)\(rows) ON SCREEN NEVER LOADED\(failures).\(example)")
        exitStatus = 1
      }
    }
    if figures.repliesNamingAnotherRow > 0 {
      let requests =
        figures.repliesNamingAnotherRow == 1
        ? "1 request was" : "\(figures.repliesNamingAnotherRow) requests were"
      remarks.append(
        "\(prefix)\(requests) answered with another row's document, by the server or by the "
          + "system's HTTP client, if the number \"row\" in it means the row.")
    }
    if figures.rowsShown > 0, figures.rowsChecked == 0 {
      remarks.append(
        "\(prefix)NO ROW WAS CHECKED against its document: none names its row in a number \"row\". "
          + "Each row showed what its own request returned.")
    }
    if let files = figures.changedMeanwhile, files > 0 {
      remarks.append(
        "\(prefix)Files changed or deleted meanwhile: \(files). Their rows show what was sent before."
      )
    }
  }
}
