import Foundation

/// The figures of a film in words.
enum FilmSummary {
  /// - Parameter runs: The recording and the figures of each run.
  static func text(_ runs: [(recording: Recording, figures: Figures)]) -> String {
    var lines = runs.map { run in
      let blankTime = String(format: "%.1f", run.recording.blankRowSeconds.last ?? 0)
      let rows = run.recording.showsRows ? "\(blankTime) s of blank rows in all" : "no row loaded"
      return "\(run.recording.name): \(rows)"
    }
    let checked = runs.reduce(0) { $0 + $1.figures.rowsChecked }
    let shown = runs.reduce(0) { $0 + $1.figures.rowsShown }
    lines.append("Rows checked in both lists: \(checked) of \(shown)")
    let wrong = runs.reduce(0) { $0 + ($1.figures.wrongRows ?? 0) }
    let isUnknown = wrong == 0 && runs.contains { $0.figures.wrongRows == nil }
    lines.append("Wrong rows in both lists: \(isUnknown ? "unknown" : String(wrong))")
    let paces = runs.map { FramePace($0.recording.frames.map(\.time)) }
    lines += [FramePace.remark(paces)].compactMap(\.self)
    return lines.joined(separator: "\n")
  }
}
