import Foundation

/// The faults of runs, as sentences, and the exit status.
struct Verdict: Equatable, Sendable {
  /// The result of complete runs in a few sentences; `nil` if any has a fault.
  private(set) var summary: String?
  private(set) var remarks: [String] = []
  private(set) var exitStatus: Int32 = 0

  /// - Parameter expectsFailures: Whether loads fail by `--failures`.
  init(_ runs: [Run], _ isInterrupted: Bool, expectsFailures: Bool = false) {
    for run in runs {
      let prefix = runs.count > 1 ? "\(run.name): " : ""
      let faults = Self.faults(
        of: run.figures, isComplete: !isInterrupted, expectsFailures: expectsFailures)
      remarks += faults.map { prefix + $0 }
    }
    exitStatus = remarks.isEmpty ? 0 : 1
    if isInterrupted {
      remarks.append("interrupted")
      exitStatus = 130
    } else if exitStatus == 0 {
      summary = Self.summary(of: runs.map(\.figures))
    }
  }

  private static func faults(
    of figures: Figures, isComplete: Bool, expectsFailures: Bool
  ) -> [String] {
    var faults = figures.wrongRows > 0 ? ["WRONG ROWS: \(figures.wrongRows)."] : []
    let reasons = figures.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) × \($0.key)" }
    let failures = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    guard isComplete else { return faults }
    if figures.finished == 0 {
      faults.append("NOTHING LOADED\(failures).")
    } else if figures.neverLoaded > 0, !expectsFailures {
      let rows = figures.neverLoaded == 1 ? "1 ROW" : "\(figures.neverLoaded) ROWS"
      faults.append("\(rows) ON SCREEN NEVER LOADED\(failures).")
    }
    return faults
  }

  private static func summary(of figures: [Figures]) -> String? {
    guard let first = figures.first else { return nil }
    let checked = figures.reduce(0) { $0 + $1.rowsChecked }
    let rows =
      "Rows came on screen \(count(first.rowsPassed)) times in a list of \(count(first.rows)). "
      + "No wrong row in \(checked) checked\(figures.count > 1 ? " in both lists" : ""). "
      + "\(text(first.blankRowSeconds)) s of blank rows in all"
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
}
