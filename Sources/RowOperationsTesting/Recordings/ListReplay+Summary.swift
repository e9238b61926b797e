import Foundation
import RowInspector
import RowOperations

extension ListReplay {
  /// The findings of both, and the tracker's figures, as lines.
  public var summary: String {
    let headline = "\(turnCount) turns in \(time.words), \(endCount) loads ended."
    return ([headline] + doubts + [""] + findingLines + figures).joined(separator: "\n")
  }

  private var doubts: [String] {
    var doubts: [String] = []
    if case .cost? = recording.setup?.configuration.retention {
      doubts.append("What values cost is not recorded: the replay keeps all of them.")
    }
    if recording.setup == nil {
      let slots = tracker.configuration.slots.count
      let conjunction = slots == RecordedSetup().configuration.slots.count ? "with" : "but with"
      doubts.append(
        "The recording does not name the configuration: the default is assumed, "
          + "\(conjunction) \(slots) \(slots == 1 ? "slot" : "slots").")
    }
    if lostEndCount > 0 {
      doubts.append(
        "\(lostEndCount) of these loads did not begin in the replay: its figures differ from the "
          + "device's.")
      let withheld =
        areLoadsAlike
        ? "Findings about cancelled bodies"
        : "Findings about loads, slots and prefetches, and all figures,"
      doubts.append("\(withheld) are left out: they would describe the replay, not the device.")
    }
    return doubts
  }

  /// Whether nearly all loads of the replay are loads that the device had.
  ///
  /// A load that only the replay started has no end in the recording, so its body seems to ignore
  /// its cancel.
  private var areLoadsAlike: Bool { lostEndCount * 20 <= endCount }

  private var safeFindings: [ListFinding] {
    guard lostEndCount > 0 else { return findings }
    let ofLoads: Set<ListFinding.Kind> = [
      .tooFewSlots, .unseenLoads, .prefetchedInVain, .repeatedLoads, .repeatedFailures,
    ]
    return findings.filter { finding in
      finding.kind != .ignoredCancellation && (areLoadsAlike || !ofLoads.contains(finding.kind))
    }
  }

  private var findingLines: [String] {
    let found = safeFindings
    let here =
      found.isEmpty
      ? [nothingFound] : found.flatMap { ["* \($0.sentence)", "  \($0.advice)"] }
    guard !deviceFindings.isEmpty else { return here }
    return here + ["", "On the device:"] + deviceFindings.map { "* \($0)" }
  }

  private var nothingFound: String {
    if lostEndCount > 0 { return "In the rest, the doctor finds nothing wrong." }
    let (failed, started) = (tracker.metrics.failed, tracker.metrics.started)
    let loads = started == 1 ? "load" : "loads"
    let addition = failed == 0 ? "" : ", but \(failed) of \(started) \(loads) failed"
    return "The doctor finds nothing wrong\(addition)."
  }

  private var figures: [String] {
    guard areLoadsAlike else { return [] }
    let figures = InspectorReport.Figure.figures(of: tracker.metrics)
    let width = figures.map(\.name.count).max() ?? 0
    return [""]
      + figures.map { figure in
        figure.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + figure.value
      }
  }
}
