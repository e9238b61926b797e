import RowOperations
import RowOperationsTesting

extension Family {
  /// The flings that are judged: how fast, how slow the loads, with and without prefetching.
  ///
  /// Nothing is left to chance in virtual time, so each is run once; the worst one counts.
  private static func cases(_ effort: Effort) -> [FlingTrial.Case] {
    (effort.isQuick ? [5] : [1, 2, 5]).flatMap { velocity in
      [20, 300].flatMap { load in
        [true, false].map {
          FlingTrial.Case(velocity: velocity, load: load, prefetches: $0)
        }
      }
    }
  }

  /// B7: whether the rows on which a fling ends are loaded by then.
  static let landings = Family(id: "B7", title: "rows where a fling ends") { effort in
    let missing = cases(effort).map { trial in
      let tracker = VirtualTracker(policy: .adaptive, load: trial.load)
      return Double(FlingTrial.run(trial, tracker).missingAtRest)
    }
    return [
      Entry(
        id: "B7", title: "rows not loaded when a fling ends, of 14 on screen",
        sample: Sample(worstOf: missing), limit: 0)
    ]
  }

  /// B8: what flings load in vain, and what they leave blank, next to the plain recipe.
  ///
  /// All flings together; the spread is from the best one to the worst.
  static let flings = Family(id: "B8", title: "what flings load and leave blank") { effort in
    let outcomes = cases(effort).map { trial in
      (
        tracker: FlingTrial.run(trial, VirtualTracker(policy: .adaptive, load: trial.load)),
        recipe: FlingTrial.run(trial, VirtualRecipe(load: trial.load))
      )
    }
    return [
      Entry(
        id: "B8a", title: "loads that flings finish off screen / started",
        sample: Sample(
          ratios: outcomes.map {
            (Double($0.tracker.finishedOffScreen), Double($0.tracker.started))
          }), limit: 0.1),
      Entry(
        id: "B8b", title: "blank row-milliseconds of flings / plain recipe",
        sample: Sample(ratios: outcomes.map { ($0.tracker.blank, $0.recipe.blank) }), limit: 1),
    ]
  }
}
