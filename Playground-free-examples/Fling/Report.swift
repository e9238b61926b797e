import Foundation

/// The figures of one run or two, as they are printed.
struct Report {
  let runs: [(name: String, figures: Figures)]
  /// Why the last run ended before its scroll was over.
  let end: EarlyEnd?

  private var isInterrupted: Bool { end == .interrupted }

  // MARK: JSON

  /// The first run's figures, and the other's under `plainRecipe`.
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
    let width = max(36, (lines.map(\.name.count).max() ?? 0) + 2)
    var rows = lines.map { line in [line.name] + runs.map { line.value($0.figures) } }
    // Which of two runs an interrupt has left is not plain from the figures.
    if runs.count > 1 || isInterrupted { rows.insert([""] + runs.map(\.name), at: 0) }
    return rows.map { row in
      row[0].padding(toLength: width, withPad: " ", startingAt: 0)
        + row.dropFirst().map { String(repeating: " ", count: max(18 - $0.count, 1)) + $0 }.joined()
    }.joined(separator: "\n")
  }

  private var lines: [Line] {
    let numbers: [Line] =
      [
        count("rows passed", \.rowsPassed), count("displayed at rest", \.displayed),
        count("loads started", \.started),
      ] + batches + [count("  finished", \.finished), count("  failed", \.failed)]
    let outcomes: [Line] = [
      count("refused as stale", \.refusedStale),
      count("cancelled while waiting", \.cancelledWaiting),
      count("finished off screen", \.finishedOffScreen),
      count("bytes of complete replies", \.bytes),
    ]
    let times: [Line] = [
      seconds("seconds to load, 50 % within") { $0.secondsToLoad?.p50 },
      seconds("  90 % within") { $0.secondsToLoad?.p90 },
      seconds("  99 % within") { $0.secondsToLoad?.p99 },
      ("seconds of blank rows in all", { String(format: "%.1f", $0.blankRowSeconds) }),
      seconds("seconds from standstill to loaded", \.secondsToSettle),
      count("not yet loaded at standstill", \.notLoadedAtStandstill),
      count("not loaded after settling", \.notLoadedAfterSettling),
      count("never loaded", \.neverLoaded),
    ]
    let checks: [Line] = [
      ("rows checked", { "\($0.rowsChecked) of \($0.rowsShown)" }),
      ("wrong rows", { $0.wrongRows.map(String.init) ?? "unknown" }),
    ]
    return numbers + failures + [count("  cancelled while running", \.cancelledRunning)] + stages
      + outcomes + streams + times + changes + misnamed + checks
  }

  private var streams: [Line] {
    guard runs.contains(where: { $0.figures.streams != nil }) else { return [] }
    return [
      count("streams of live rows", { $0.streams ?? 0 }),
      count("  at once", { $0.streamsAtOnce ?? 0 }),
      count("changes that came", { $0.changes ?? 0 }),
    ]
  }

  private var batches: [Line] {
    guard runs.contains(where: { $0.figures.batches != nil }) else { return [] }
    return [("requests for them", { String($0.batches ?? $0.started) })]
  }

  private var misnamed: [Line] {
    guard runs.contains(where: { $0.figures.repliesNamingAnotherRow > 0 }) else { return [] }
    return [count("replies that name another row", \.repliesNamingAnotherRow)]
  }

  private var failures: [Line] {
    var reasons: [String] = []
    for run in runs {
      for failure in run.figures.frequentFailures() where !reasons.contains(failure.reason) {
        reasons.append(failure.reason)
      }
    }
    return reasons.map { reason in
      ("    " + reason, { String($0.frequentFailures().first { $0.reason == reason }?.count ?? 0) })
    }
  }

  private var stages: [Line] {
    Set(runs.flatMap { $0.figures.cancelledPerStage.keys }).sorted().map { stage in
      count("    in stage \(stage)") { $0.cancelledPerStage[stage] ?? 0 }
    }
  }

  private var changes: [Line] {
    guard runs.contains(where: { $0.figures.changedMeanwhile != nil }) else { return [] }
    return [count("changed or deleted meanwhile") { $0.changedMeanwhile ?? 0 }]
  }

  private func count(_ name: String, _ figure: @escaping (Figures) -> Int) -> Line {
    (name, { String(figure($0)) })
  }

  private func seconds(_ name: String, _ figure: @escaping (Figures) -> Double?) -> Line {
    // What a run that ended early has not seen may still have come.
    let none = end == nil ? "never" : "unknown"
    return (name, { figures in figure(figures).map { String(format: "%.3f", $0) } ?? none })
  }
}
