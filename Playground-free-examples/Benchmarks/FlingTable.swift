import Foundation
import RowOperations

extension Comparison {
  /// One fling, by one way of loading rows.
  struct Fling: Sendable {
    let trial: FlingTrial.Case
    let loader: String
    let outcome: FlingTrial.Outcome
  }

  static let loads = [2, 20, 300]

  static func velocities(_ effort: Effort) -> [Double] { effort.isQuick ? [5] : [1, 2, 5, 10, 40] }

  /// Flings of all speeds and loads under each scroll policy and after the plain recipe.
  static func flings(_ effort: Effort) -> [Fling] {
    velocities(effort).flatMap { velocity in
      loads.flatMap { load in
        let trial = FlingTrial.Case(velocity: velocity, load: load, prefetches: true)
        return loaders(load: load).map { name, loader in
          Fling(trial: trial, loader: name, outcome: FlingTrial.run(trial, loader))
        }
      }
    }
  }

  static func table(of flings: [Fling]) -> String {
    let head = [
      "points/ms, load", "by", "started", "in vain", "blank row-ms", "missing at rest",
      "ms to full",
    ]
    return alignedTable(of: [head] + flings.map(line), namesIn: 2)
  }

  private static func loaders(load: Int) -> [(String, any VirtualLoader)] {
    [
      ("immediate", VirtualTracker(policy: .immediate, load: load)),
      ("when settled", VirtualTracker(policy: .whenSettled, load: load)),
      ("adaptive", VirtualTracker(policy: .adaptive, load: load)),
      ("plain recipe", VirtualRecipe(load: load)),
    ]
  }

  private static func line(_ fling: Fling) -> [String] {
    let (trial, outcome) = (fling.trial, fling.outcome)
    return [
      "\(Int(trial.velocity)), \(trial.load) ms", fling.loader, String(outcome.started),
      String(outcome.finishedOffScreen), String(Int(outcome.blank)),
      String(outcome.missingAtRest), String(Int(outcome.timeToFull)),
    ]
  }
}
