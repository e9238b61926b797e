import RowOperations

/// The state of a tracker at a moment.
public struct InspectorReport: Hashable, Sendable {
  /// A row on screen.
  public struct Row: Hashable, Sendable {
    /// Its phase, without the value.
    public enum State: String, Hashable, Sendable {
      case idle
      case waiting
      case loading
      case loaded
      case failed
    }

    /// Its identity, in words.
    public let name: String
    /// Its phase.
    public let state: State
    /// Why it has no value, in words.
    public let reason: String?
  }

  /// The body of a running load.
  public struct Body: Hashable, Sendable, CustomStringConvertible {
    /// Its row, or the first rows of its batch.
    public let row: String
    let rowCount: Int
    /// Its stage.
    public let stage: String?
    /// How long it has run.
    public let age: Duration
    /// Whether it runs on after a cancel.
    public let isCancelled: Bool

    /// The body in one line: `row 5 · fetch · 1.2 s`.
    public var description: String {
      let load = rowCount > 1 ? "batch of \(rowCount) rows: \(row)" : "row \(row)"
      let parts = [load, stage, age.words, isCancelled ? "cancelled" : nil]
      return parts.compactMap(\.self).joined(separator: " · ")
    }
  }

  /// A figure with its name.
  public struct Figure: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its value in words.
    public let value: String
  }

  /// The rows on screen, in the list's order if known.
  public var rows: [Row] = []
  /// The running loads, the oldest first.
  public var bodies: [Body] = []
  /// How many loads may run at once.
  public var slots = 0
  /// The work of the tracker so far.
  public var figures: [Figure] = []
  /// The findings of a ``ListDoctor``.
  public var findings: [ListFinding] = []

  /// Makes an empty report.
  public init() {}

  /// The number of running loads, without cancelled ones.
  public var slotsInUse: Int { bodies.filter { !$0.isCancelled }.count }

  /// How many rows on screen have no value yet.
  public var blankRows: Int { count(.waiting) + count(.loading) }

  private func count(_ state: Row.State) -> Int { rows.filter { $0.state == state }.count }

  /// The report in one line: `4 of 6 slots · 3 rows blank · 2 findings`.
  public var summary: String {
    var parts = ["\(slotsInUse) of \(slots) slots"]
    let failed = count(.failed)
    if blankRows > 0 { parts.append("\(blankRows) blank") }
    if failed > 0 { parts.append("\(failed) failed") }
    if !findings.isEmpty {
      parts.append(findings.count == 1 ? "1 finding" : "\(findings.count) findings")
    }
    return parts.joined(separator: " · ")
  }
}

extension InspectorReport.Figure {
  package static func figures(of metrics: TrackerMetrics) -> [Self] {
    let first = metrics.timeToFirstValue.median.map { median in
      let most = metrics.timeToFirstValue.percentile(95) ?? median
      return "\(median.words), 95 % within \(most.words)"
    }
    let values: KeyValuePairs = [
      "started": "\(metrics.started)",
      "batches": metrics.batches > 0 ? "\(metrics.batches)" : nil,
      "finished": "\(metrics.finished)",
      "failed": "\(metrics.failed)",
      "cancelled": "\(metrics.cancelledRunning), before start \(metrics.cancelledWaiting)",
      "finished off screen": "\(metrics.finishedOffScreen)",
      "prefetched":
        "\(metrics.prefetchedThenDisplayed) seen, \(metrics.prefetchedInVain) in vain",
      "blank row time": metrics.blankTime.words,
      "time to first value": first ?? "none",
    ]
    return values.compactMap { name, value in value.map { Self(name: name, value: $0) } }
  }
}
