import RowInspector
import RowOperations

/// The output of `replay`.
@MainActor
struct Summary {
  private let recording: Recording
  private let rerun: Rerun

  init(_ recording: Recording, _ rerun: Rerun) {
    (self.recording, self.rerun) = (recording, rerun)
  }

  var text: String {
    ([headline] + doubts + [""] + findings + [""] + figures).joined(separator: "\n")
  }

  private var headline: String {
    "\(recording.turns) turns in \(rerun.time.words), \(rerun.ends) loads ended."
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
    if rerun.lostEnds > 0 {
      doubts.append(
        "\(rerun.lostEnds) of these loads did not begin in the replay: figures differ from the "
          + "device's.")
    }
    return doubts
  }

  private var findings: [String] {
    let found = rerun.doctor.findings
    let here =
      found.isEmpty
      ? ["The doctor finds nothing wrong."]
      : found.flatMap { ["* \($0.sentence)", "  \($0.advice)"] }
    guard !recording.findings.isEmpty else { return here }
    return here + ["", "On the device:"] + recording.findings.map { "* \($0)" }
  }

  private var figures: [String] {
    let figures = InspectorReport.Figure.figures(of: rerun.tracker.metrics)
    let width = figures.map(\.name.count).max() ?? 0
    return figures.map { figure in
      figure.name + String(repeating: " ", count: width - figure.name.count + 2) + figure.value
    }
  }
}
