import Foundation

/// The blank time of loaders that see the future, in all worlds of B8, next to the default policy.
@MainActor
struct ForesightTable {
  /// How far each loader sees, in milliseconds.
  private static let sights: [Int64] = [0, 250, 500, 1000, 2000, 4000, 60_000]

  /// The sums over all worlds, in milliseconds: one for each sight.
  private var blank = [Double](repeating: 0, count: sights.count)
  private var started = [Int](repeating: 0, count: sights.count)
  private var adaptive = WorldTrial.Outcome()
  private var recipe = WorldTrial.Outcome()
  private var least = 0.0

  init(_ effort: Effort) {
    for world in World.all(effort) {
      let trials = WorldTrial.trials(world, .adaptive)
      adaptive = adaptive + trials.outcome
      recipe = recipe + WorldTrial.run(world, .recipe)
      least += trials.clairvoyant().least
      for (index, sight) in Self.sights.enumerated() {
        let outcome = WorldTrial.run(world, trials, sight: sight * 1_000_000)
        blank[index] += outcome.blank
        started[index] += outcome.started
      }
    }
  }

  var text: String {
    let head = ["loader", "blank / plain recipe's", "/ clairvoyant's", "loads / plain recipe's"]
    let seers = Self.sights.indices.map { index in
      line(
        "sees \(Double(Self.sights[index]) / 1000) s ahead", blank[index],
        started[index])
    }
    let lines = [line(".adaptive", adaptive.blank, adaptive.started)] + seers
    return "Foresight, in all worlds of B8\n" + alignedTable(of: [head] + lines, namesIn: 1)
  }

  private func line(_ name: String, _ blank: Double, _ started: Int) -> [String] {
    [
      name, String(format: "%.3f", blank / recipe.blank), String(format: "%.3f", blank / least),
      String(format: "%.3f", Double(started) / Double(recipe.started)),
    ]
  }
}
