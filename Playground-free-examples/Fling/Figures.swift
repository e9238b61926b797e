import Foundation

/// What a run came to.
struct Figures: Encodable, Sendable {
  var rowsPassed: Int
  var displayed: Int
  var started: Int
  var finished: Int
  var cancelledWaiting: Int
  var cancelledRunning: Int
  var cancelledPerStage: [String: Int]
  var refusedStale: Int
  var shared: Int
  var failed: Int
  var finishedOffScreen: Int
  var bytes: Int
  /// The longest of all flings.
  var secondsToSettle: Double
  /// Of all flings together.
  var notLoadedAtStandstill: Int
  /// For how long how many rows on screen showed no value.
  var blankRowSeconds: Double
  var wrongRows: Int

  private enum CodingKeys: CodingKey {
    case rowsPassed, displayed, started, finished, cancelledWaiting, cancelledRunning
    case refusedStale, shared, failed, finishedOffScreen, bytes, secondsToSettle
    case notLoadedAtStandstill, blankRowSeconds, wrongRows
  }

  /// The runs, as a table with a column each, or as one JSON object: the first run's figures, and
  /// the other's under `plainRecipe`.
  static func report(_ runs: [(name: String, figures: Figures)], asJSON: Bool) throws -> String {
    guard asJSON else { return table(runs) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let report = Report(first: runs.first?.figures, plainRecipe: runs.dropFirst().first?.figures)
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  private struct Report: Encodable {
    let first: Figures?
    let plainRecipe: Figures?

    enum CodingKeys: CodingKey { case plainRecipe }

    func encode(to encoder: any Encoder) throws {
      try first?.encode(to: encoder)
      guard let plainRecipe else { return }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(plainRecipe, forKey: .plainRecipe)
    }
  }

  private static func table(_ runs: [(name: String, figures: Figures)]) -> String {
    let stages = Set(runs.flatMap { $0.figures.cancelledPerStage.keys }).sorted()
    var rows = runs.first?.figures.lines(stages: stages).map(\.name).map { [$0] } ?? []
    for run in runs {
      for (index, line) in run.figures.lines(stages: stages).enumerated() {
        rows[index].append(line.value)
      }
    }
    if runs.count > 1 { rows.insert([""] + runs.map(\.name), at: 0) }
    return rows.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: max((column == 0 ? 36 : 18) - text.count, 0))
        return column == 0 ? text + padding : padding + text
      }.joined()
    }.joined(separator: "\n")
  }

  private func lines(stages: [String]) -> [(name: String, value: String)] {
    var lines = [
      ("rows passed", rowsPassed), ("displayed at rest", displayed), ("loads started", started),
      ("  finished", finished), ("  failed", failed),
      ("  cancelled while running", cancelledRunning),
    ]
    lines += stages.map { ("    in stage \($0)", cancelledPerStage[$0, default: 0]) }
    lines += [
      ("  refused as stale", refusedStale), ("cancelled while waiting", cancelledWaiting),
      ("shared", shared), ("finished off screen", finishedOffScreen), ("bytes received", bytes),
    ]
    return lines.map { ($0.0, String($0.1)) } + [
      ("blank row-seconds", String(format: "%.1f", blankRowSeconds)),
      ("seconds from standstill to loaded", String(format: "%.3f", secondsToSettle)),
      ("not yet loaded at standstill", String(notLoadedAtStandstill)),
      ("wrong rows", String(wrongRows)),
    ]
  }
}
