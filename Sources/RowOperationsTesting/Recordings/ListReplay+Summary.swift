import RowInspector
import RowOperations

extension ListReplay {
  /// The findings with advice, beside those of the device, and the tracker's figures, as lines.
  public var summary: String {
    ([headline] + doubts + [""] + findingLines + [""] + figures).joined(separator: "\n")
  }

  private var headline: String {
    "\(turnCount) turns in \(time.words), \(endCount) loads ended."
  }

  /// Why the replay may differ from the device.
  private var doubts: [String] {
    var doubts: [String] = []
    if let setup = recording.setup {
      if case .cost = setup.kept {
        doubts.append("What values cost is not recorded: the replay keeps all of them.")
      }
    } else {
      doubts.append("The recording does not name the configuration: the default is assumed.")
    }
    if lostEndCount > 0 {
      doubts.append(
        "\(lostEndCount) of these loads did not begin in the replay: figures differ from the "
          + "device's.")
    }
    return doubts
  }

  private var findingLines: [String] {
    let found = findings
    let here =
      found.isEmpty
      ? ["The doctor finds nothing wrong."]
      : found.flatMap { ["* \($0.sentence)", "  \($0.advice)"] }
    guard !deviceFindings.isEmpty else { return here }
    return here + ["", "On the device:"] + deviceFindings.map { "* \($0)" }
  }

  private var figures: [String] {
    let figures = InspectorReport.Figure.figures(of: tracker.metrics)
    let width = figures.map(\.name.count).max() ?? 0
    return figures.map { figure in
      figure.name + String(repeating: " ", count: width - figure.name.count + 2) + figure.value
    }
  }
}
