import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Forty scripts of real lists")
@MainActor
struct ListScriptTests {
  @Test("The tracker reaches the expected state after each script", arguments: ListScript.all)
  func script(_ script: ListScript) throws {
    for text in script.texts {
      let rig = TrackerRig(configure: script.configure)
      try rig.play(text)
      script.check(rig)
      #expect(rig.violations == [], "\(text)")
      #expect(rig.player.app.wrongRows == 0, "\(text)")
    }
  }

  /// Variations of real lists that must not matter.
  enum Variation: CaseIterable {
    /// Each end of a display is reported twice.
    case endsTwice
    /// Each call for a cell comes one step earlier, like that for a cell prepared ahead.
    case preparedAhead
    /// Each call for a cell comes twice.
    case configuredTwice
    /// Each display is reported twice.
    case displayedTwice
    /// Each prefetch and each cancel of a prefetch comes twice.
    case prefetchedTwice

    func apply(to script: EventScript) -> EventScript {
      var steps: [EventScript.Step] = []
      for step in script.steps {
        switch (self, step) {
        case (.endsTwice, .didEndDisplaying), (.configuredTwice, .cellFor),
          (.displayedTwice, .willDisplay), (.prefetchedTwice, .prefetch),
          (.prefetchedTwice, .cancelPrefetch):
          steps += [step, step]
        case (.preparedAhead, .cellFor):
          // Not before the end of the same cell or before the end of a pass.
          let isFree = steps.last.map { $0 != .passEnd && !$0.mentionsCell(of: step) } ?? false
          steps.insert(step, at: isFree ? steps.count - 1 : steps.count)
        default:
          steps.append(step)
        }
      }
      return EventScript(steps: steps)
    }
  }

  @Test(
    "Repeated events and cells prepared ahead do not change the state",
    arguments: ListScript.all, Variation.allCases)
  func variation(_ script: ListScript, _ variation: Variation) throws {
    for text in script.texts {
      let rig = TrackerRig(configure: script.configure)
      let varied = variation.apply(to: try EventScript(text))
      rig.player.play(varied)
      script.check(rig)
      #expect(rig.violations == [], "\(varied)")
      #expect(rig.player.app.wrongRows == 0, "\(varied)")
    }
  }
}

extension EventScript.Step {
  /// The cell that the step names.
  var cell: Int? {
    var named: [Int] = []
    _ = map(row: { $0 }, cell: { named.append($0) })
    if case .reconcile = self { return nil }
    return named.first
  }

  fileprivate func mentionsCell(of other: EventScript.Step) -> Bool { cell == other.cell }
}
