import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The forty scripts of real lists")
@MainActor
struct ListScriptTests {
  @Test("What a list tells is understood", arguments: ListScript.all)
  func script(_ script: ListScript) throws {
    for text in script.texts {
      let rig = TrackerRig(configure: script.configure)
      try rig.play(text)
      script.check(rig)
      #expect(rig.violations == [], "\(text)")
      #expect(rig.player.app.wrongRows == 0, "\(text)")
    }
  }

  /// What lists may do besides, and what must not matter.
  enum Variation: CaseIterable {
    /// Each cell that ends is told to have ended once more.
    case endsTwice
    /// Each cell is asked for one step earlier, as cells prepared ahead are.
    case preparedAhead
    /// Each row is asked for twice.
    case configuredTwice
    /// Each cell is told to be displayed twice.
    case displayedTwice
    /// Each prefetch is sent twice, and each that is taken back is taken back twice.
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
          // Not before the cell's own end, or a turn that the script asks for.
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
    "Events that come twice, and cells that are prepared ahead, change nothing",
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
  /// The cell that the step is about.
  var cell: Int? {
    var named: [Int] = []
    _ = map(row: { $0 }, cell: { named.append($0) })
    if case .reconcile = self { return nil }
    return named.first
  }

  fileprivate func mentionsCell(of other: EventScript.Step) -> Bool { cell == other.cell }
}
