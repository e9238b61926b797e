import Foundation

/// Why a run ended before its scroll was over.
enum EarlyEnd: Equatable, Sendable {
  /// By Ctrl-C.
  case interrupted
  case outOfMemory
}

/// The faults of a run, as sentences, and the exit status.
struct Verdict: Equatable, Sendable {
  /// The result of complete runs in one sentence or two; `nil` if any has a fault.
  private(set) var summary: String?
  private(set) var remarks: [String] = []
  private(set) var exitStatus: Int32 = 0

  init(_ runs: [(name: String, figures: Figures)], _ end: EarlyEnd?) {
    for run in runs {
      check(run.figures, runs.count > 1 ? "\(run.name): " : "", isComplete: end == nil)
    }
    switch end {
    case nil: if remarks.isEmpty { summary = Self.summary(of: runs.map(\.figures)) }
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
    let rows =
      "No wrong row in \(checked) checked. "
      + "Blank for \(text(first.blankRowSeconds)) row-seconds"
    guard let recipe = figures.dropFirst().first else { return rows + "." }
    let verdict = recipe.blankRowSeconds < first.blankRowSeconds ? ", which is less" : ""
    return rows + "; the plain recipe \(text(recipe.blankRowSeconds))\(verdict)."
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

  private mutating func check(_ figures: Figures, _ prefix: String, isComplete: Bool) {
    if figures.wrongRows > 0 {
      remarks.append("\(prefix)WRONG ROWS: \(figures.wrongRows).")
      exitStatus = 1
    }
    if figures.finished == 0 {
      guard isComplete else { return }
      let reasons = figures.frequentFailures().map { "\($0.count) × \($0.reason)" }
      let list = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
      remarks.append("\(prefix)NOTHING LOADED\(list).")
      exitStatus = 1
    } else if figures.rowsShown > 0, figures.rowsChecked == 0 {
      remarks.append(
        "\(prefix)NO ROW WAS CHECKED. The documents have no number \"row\", so a wrong row would "
          + "not be found.")
    }
    if let files = figures.changedMeanwhile, files > 0 {
      remarks.append(
        "\(prefix)Files changed meanwhile: \(files). Their rows show what was sent before.")
    }
  }
}
