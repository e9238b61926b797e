import Foundation

/// The figures of one run or two, as they are printed.
struct Report {
  let runs: [Run]
  let isInterrupted: Bool

  /// One object: the first run's figures, and the other's under `plainRecipe`.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let object = Object(
        first: runs.first?.figures, plainRecipe: runs.dropFirst().first?.figures,
        interrupted: isInterrupted)
      return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
  }

  private struct Object: Encodable {
    let first: Figures?
    let plainRecipe: Figures?
    let interrupted: Bool

    enum CodingKeys: CodingKey { case plainRecipe, interrupted }

    func encode(to encoder: any Encoder) throws {
      try first?.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(interrupted, forKey: .interrupted)
      try container.encodeIfPresent(plainRecipe, forKey: .plainRecipe)
    }
  }

  // MARK: Table

  private typealias Line = (name: String, value: (Figures) -> String)

  /// A line for each figure, and a column for each run.
  var table: String {
    var rows = lines.map { line in [line.name] + runs.map { line.value($0.figures) } }
    // Which of two runs an interrupt has left is not plain from the figures.
    if runs.count > 1 || isInterrupted { rows.insert([""] + runs.map(\.name), at: 0) }
    let width = max(36, (rows.map(\.[0].count).max() ?? 0) + 2)
    return rows.map { row in
      row[0].padding(toLength: width, withPad: " ", startingAt: 0)
        + row.dropFirst().map { String(repeating: " ", count: max(18 - $0.count, 1)) + $0 }.joined()
    }.joined(separator: "\n")
  }

  private var lines: [Line] {
    [
      count("rows passed", \.rowsPassed), count("displayed at rest", \.displayed),
      count("loads started", \.started),
      count("  finished", \.finished), count("  failed", \.failed),
    ] + failures + [
      count("  cancelled while running", \.cancelledRunning),
      count("refused as stale", \.refusedStale),
      count("cancelled while waiting", \.cancelledWaiting),
      count("finished off screen", \.finishedOffScreen),
      count("bytes of whole replies", \.bytes),
      seconds("seconds to load, 50 % within") { $0.secondsToLoad?["p50"] },
      seconds("  90 % within") { $0.secondsToLoad?["p90"] },
      seconds("  99 % within") { $0.secondsToLoad?["p99"] },
      ("seconds of blank rows in all", { String(format: "%.1f", $0.blankRowSeconds) }),
      seconds("seconds from standstill to loaded", \.secondsToSettle),
      count("not yet loaded at standstill", \.notLoadedAtStandstill),
      count("not loaded after settling", \.notLoadedAfterSettling),
      count("never loaded", \.neverLoaded), count("rows checked", \.rowsChecked),
      count("wrong rows", \.wrongRows),
    ]
  }

  /// A line for each reason of either run.
  private var failures: [Line] {
    Set(runs.flatMap(\.figures.failures.keys)).sorted().map { reason in
      count("    " + reason) { $0.failures[reason] ?? 0 }
    }
  }

  private func count(_ name: String, _ figure: @escaping (Figures) -> Int) -> Line {
    (name, { String(figure($0)) })
  }

  private func seconds(_ name: String, _ figure: @escaping (Figures) -> Double?) -> Line {
    // What a run that ended early has not seen may still have come.
    let none = isInterrupted ? "unknown" : "never"
    return (name, { figures in figure(figures).map { String(format: "%.3f", $0) } ?? none })
  }
}
