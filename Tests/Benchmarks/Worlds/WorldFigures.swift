extension Family {
  /// B7: whether the rows at the end of a fling are loaded by then.
  static let landings = Family(id: "B7", title: "rows where a fling ends") { effort in
    let velocities: [Double] = effort.isQuick ? [5] : [1, 2, 5]
    let worlds = velocities.flatMap { velocity in
      [20, 300].flatMap { load in
        [true, false].map {
          World(use: .fling(velocity), loads: .even(load), hostPrefetches: $0)
        }
      }
    }
    let missing = worlds.flatMap { world in
      [Loader.adaptive, .withoutOrder].map { Double(WorldTrial.run(world, $0).missingAtRest) }
    }
    return [
      Entry(
        id: "B7", title: "rows not loaded when a fling ends, of 14 on screen",
        sample: Sample(worstOf: missing), limit: 0)
    ]
  }

  /// B8: blank time and loads in all worlds, next to the plain recipe, to `.immediate` and to a
  /// bound for all loaders.
  ///
  /// Virtual time has no chance in it, so each world runs once.
  static let worlds = Family(id: "B8", title: "loads and blank time in all worlds") {
    effort in
    let outcomes = World.all(effort).map { world in
      let trials = WorldTrial.trials(world, .adaptive)
      var unannounced = world
      unannounced.hostPrefetches = false
      return (
        isFling: world.isFling, tracker: trials.outcome, clairvoyant: trials.clairvoyant(),
        leastWithoutGuess: trials.clairvoyant(guesses: false).least,
        immediate: WorldTrial.run(world, .immediate), recipe: WorldTrial.run(world, .recipe),
        recipeWithoutGuess: WorldTrial.run(unannounced, .recipe)
      )
    }
    let toRecipe = outcomes.map { ($0.tracker.blank, $0.recipe.blank) }
    let toImmediate = outcomes.map { ($0.tracker.blank, $0.immediate.blank) }
    let toLeast = outcomes.map { ($0.tracker.blank, $0.clairvoyant.least) }
    let foundToLeast = outcomes.map { ($0.clairvoyant.found, $0.clairvoyant.least) }
    let toLeastWithoutGuess = outcomes.map { ($0.tracker.blank, $0.leastWithoutGuess) }
    let boundShares = outcomes.flatMap { outcome in
      let blank = min(outcome.tracker.blank, outcome.immediate.blank, outcome.recipe.blank)
      return [
        (outcome.clairvoyant.least, blank),
        (outcome.leastWithoutGuess, outcome.recipeWithoutGuess.blank),
      ].map { $0 > 0 ? $0 / $1 : 0 }
    }
    let starts = outcomes.filter(\.isFling).map {
      (Double($0.tracker.started), Double($0.recipe.started))
    }
    return [
      Entry(
        id: "B8a", title: "blank time / plain recipe, in the worst world",
        sample: Sample(worstOfRatios: toRecipe), limit: 1.05),
      Entry(
        id: "B8b", title: "blank time / plain recipe, all worlds together",
        sample: Sample(ratios: toRecipe), limit: 0.64),
      Entry(
        id: "B8c", title: "blank time / .immediate, in the worst world",
        sample: Sample(worstOfRatios: toImmediate), limit: 1.01),
      Entry(
        id: "B8d", title: "loads started in flings / plain recipe",
        sample: Sample(ratios: starts), limit: 0.6),
      Entry(
        id: "B8e", title: "blank time / clairvoyant, all worlds together",
        sample: Sample(ratios: toLeast), limit: 1.48),
      Entry(
        id: "B8f", title: "blank time / clairvoyant, in the median world",
        sample: Sample(ratiosOf: toLeast), limit: 1.3),
      // A bound above the blank time of a loader would be wrong. In a list that announces no rows,
      // the recipe guesses nothing.
      Entry(
        id: "B8g", title: "each bound / blank time of the best loader, in the worst world",
        sample: Sample(worstOf: boundShares), limit: 1),
      Entry(
        id: "B8h", title: "best schedule found / clairvoyant, all worlds together",
        sample: Sample(ratios: foundToLeast), limit: 1.02),
      Entry(
        id: "B8i", title: "blank time / bound of loaders that guess no gesture, all worlds",
        sample: Sample(ratios: toLeastWithoutGuess), limit: 1),
    ]
  }

  /// B17: the requests that batches save, and what the rows of a batch wait for each other.
  static let batches = Family(id: "B17", title: "requests and blank time with batches of 50") {
    effort in
    let outcomes = World.all(effort).map { world in
      (with: WorldTrial.run(world, .batches), without: WorldTrial.run(world, .adaptive))
    }
    let requests = outcomes.map { (Double($0.with.requests), Double($0.without.requests)) }
    return [
      Entry(
        id: "B17a", title: "requests with batches of 50 / without",
        sample: Sample(ratios: requests), limit: 0.3),
      Entry(
        id: "B17b", title: "blank time with batches of 50 / without",
        sample: Sample(ratios: outcomes.map { ($0.with.blank, $0.without.blank) }), limit: 1.1),
    ]
  }

  /// B16: the benefit of an order for a list that does not prefetch.
  ///
  /// The worlds have no jumps, since no tracker can prefetch for these.
  static let orders = Family(id: "B16", title: "blank time with an order and without") { effort in
    let worlds = World.browsing(sessions: effort.isQuick ? 1 : 12, jumps: false)
      .filter { $0.loads.shape == .even && (!effort.isQuick || $0.loads.milliseconds == 20) }
    let outcomes = worlds.map { world in
      var world = world
      world.hostPrefetches = false
      return (
        load: world.loads.milliseconds, with: WorldTrial.run(world, .adaptive).blank,
        without: WorldTrial.run(world, .withoutOrder).blank
      )
    }
    func sample(_ isIncluded: (Int) -> Bool) -> Sample {
      Sample(ratios: outcomes.filter { isIncluded($0.load) }.map { ($0.with, $0.without) })
    }
    return [
      Entry(
        id: "B16a", title: "blank time with an order / without, loads of 20 and 100 ms",
        sample: sample { $0 < 300 }, limit: 0.1),
      Entry(
        id: "B16b", title: "the same, loads of 300 ms", sample: sample { $0 == 300 }, limit: 0.3),
    ]
  }
}
