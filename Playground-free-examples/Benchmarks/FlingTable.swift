import Foundation
import RowOperations

extension Comparison {
  /// Flings of all speeds and loads under each scroll policy and after the plain recipe.
  static func flings(_ effort: Effort) -> String {
    var lines = [
      [
        "points/ms, load", "by", "started", "in vain", "blank row-ms", "missing at rest",
        "ms to full",
      ]
    ]
    for velocity in effort.isQuick ? [5.0] : [1, 2, 5, 10, 40] {
      for load in [2, 20, 300] {
        let trial = FlingTrial.Case(velocity: velocity, load: load, prefetches: true)
        for (name, loader) in loaders(load: load) {
          lines.append(line(trial, name, FlingTrial.run(trial, loader)))
        }
      }
    }
    return alignedTable(of: lines, namesIn: 2)
  }

  private static func loaders(load: Int) -> [(String, any VirtualLoader)] {
    [
      ("immediate", VirtualTracker(policy: .immediate, load: load)),
      ("when settled", VirtualTracker(policy: .whenSettled, load: load)),
      ("adaptive", VirtualTracker(policy: .adaptive, load: load)),
      ("plain recipe", VirtualRecipe(load: load)),
    ]
  }

  private static func line(
    _ trial: FlingTrial.Case, _ name: String, _ outcome: FlingTrial.Outcome
  ) -> [String] {
    [
      "\(Int(trial.velocity)), \(trial.load) ms", name, String(outcome.started),
      String(outcome.finishedOffScreen), String(Int(outcome.blank)),
      String(outcome.missingAtRest), String(Int(outcome.timeToFull)),
    ]
  }
}
