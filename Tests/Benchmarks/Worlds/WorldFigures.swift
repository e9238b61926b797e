extension Family {
  /// Whether the rows at the end of a fling are loaded by then.
  static let landings = Family("B7") {
    let worlds = [1, 2, 5].flatMap { velocity in
      [20, 300].flatMap { load in
        [true, false].map {
          World(use: .fling(velocity), loads: .even(load), hostPrefetches: $0)
        }
      }
    }
    let missing = worlds.flatMap { world in
      [Loader.tracker, .trackerWithoutOrder].map { WorldTrial.run(world, $0).missingAtRest }
    }
    return [
      Figure(
        "B7", "displayed rows not loaded when a fling ends, of 14", Double(missing.max() ?? 0),
        limit: 0)
    ]
  }

  /// Blank time with an order / the recipe's.
  static let worlds = Family("B8") {
    let trials = Comparison(of: .tracker)
    let flings = trials.results.filter { $0.world.isFling && $0.world.slots == 4 }
    let started = flings.reduce(0) { $0 + $1.outcome.started }
    let byRecipe = flings.reduce(0) { $0 + $1.recipe.started }
    return trials.figures(
      "B8", "blank time / the recipe's", limits: [0.55, 0.55, 0.55]) + [
        Figure("B8", "the same in the worst world", trials.ratios.max() ?? .nan, limit: 1.15),
        Figure("B8", "share of worlds above 1.05", trials.shareAbove, limit: 0.02),
        Figure(
          "B8", "loads started in flings / the recipe's, 4 slots",
          Double(started) / Double(byRecipe), limit: 0.6),
      ]
  }

  /// The same without an order, as where the app forwards a list's calls.
  static let worldsWithoutOrder = Family("B8n") {
    let trials = Comparison(of: .trackerWithoutOrder)
    return trials.figures(
      "B8n", "blank time without an order / the recipe's", limits: [0.85, 0.88, 0.95]) + [
        Figure("B8n", "share of worlds above 1.05", trials.shareAbove, limit: nil)
      ]
  }

  /// Blank time with an order and few kept values / the recipe's, which keeps all.
  static let fewValues = Family("B22") {
    Comparison(of: .trackerWithFewValues).figures(
      "B22", "blank time with room for 40 values / the recipe's", limits: [0.7, 0.7, 0.7])
  }

  /// The benefit of an order for a list that does not prefetch.
  ///
  /// The worlds have no jumps, since no tracker can prefetch for these.
  static let orders = Family("B16") {
    let worlds = World.browsing(jumps: false).filter { $0.loads.shape == .even }
      .map { world in
        var world = world
        world.hostPrefetches = false
        return world
      }
    @MainActor func ratio(_ isIncluded: (Int) -> Bool) -> Double {
      @MainActor func blank(_ loader: Loader) -> Double {
        worlds.filter { isIncluded($0.loads.milliseconds) }
          .reduce(0) { $0 + WorldTrial.run($1, loader).blank }
      }
      return blank(.tracker) / blank(.trackerWithoutOrder)
    }
    return [
      Figure(
        "B16a", "blank time with an order / without, loads of 20 and 100 ms", ratio { $0 < 300 },
        limit: 0.1),
      Figure("B16b", "the same, loads of 300 ms", ratio { $0 == 300 }, limit: 0.3),
    ]
  }

  /// The requests that batches save, and what the rows of a batch wait for each other.
  static let batches = Family("B17") {
    let (with, without) = (Comparison(of: .trackerWithBatches), Comparison(of: .tracker))
    let requests = [with, without].map { $0.results.reduce(0) { $0 + $1.outcome.requests } }
    let blank = [with, without].map { $0.results.reduce(0) { $0 + $1.outcome.blank } }
    return [
      Figure(
        "B17a", "requests in batches of 50 / single ones",
        Double(requests[0]) / Double(requests[1]), limit: 0.3),
      Figure("B17b", "blank time with them / without", blank[0] / blank[1], limit: 1.1),
    ]
  }
}

/// A loader and the recipe in all worlds.
///
/// Virtual time has no chance in it, so each world runs once.
@MainActor
private struct Comparison {
  struct Result: Sendable {
    let world: World
    let outcome: WorldTrial.Outcome
    let recipe: WorldTrial.Outcome
  }

  private static let recipe = World.all.map { WorldTrial.run($0, .recipe) }
  private static var known: [Loader: [Result]] = [:]

  let results: [Result]

  init(of loader: Loader) {
    results =
      Self.known[loader]
      ?? zip(World.all, Self.recipe).map { world, recipe in
        Result(world: world, outcome: WorldTrial.run(world, loader), recipe: recipe)
      }
    Self.known[loader] = results
  }

  /// The ratio of blank times in each world; two below a frame of one row count as equal.
  var ratios: [Double] { results.map { max($0.outcome.blank, 17) / max($0.recipe.blank, 17) } }

  var shareAbove: Double { Double(ratios.count { $0 > 1.05 }) / Double(ratios.count) }

  /// The ratio of all blank times, for each number of slots.
  func figures(
    _ id: String, _ title: String, limits: [Double]
  ) -> [Figure] {
    zip(World.slots, limits).map { slots, limit in
      let results = results.filter { $0.world.slots == slots }
      let blank = results.reduce(0) { $0 + $1.outcome.blank }
      return Figure(
        id, "\(title), \(slots) slots", blank / results.reduce(0) { $0 + $1.recipe.blank },
        limit: limit)
    }
  }
}
