/// The loop that runs an engine, the same in apps and in proofs.
///
/// The app's code runs only between two effects, while no engine is being changed. Its calls change
/// the engine at once, and their effects queue behind the pending ones.
package struct TrackerLoop {
  /// The number of effects that the app's code may add to a run of the loop.
  ///
  /// The next turn performs the rest, so that each run ends.
  static let addedEffects = 1_000

  package enum Step {
    case perform(TrackerEngine.Effect)
    /// No effect is left: fill free slots and release objects of the app.
    case refill
    /// Stop here; the next turn continues.
    case pause
  }

  private var budget: Int

  /// Begins a run.
  ///
  /// - Parameter pending: The number of pending effects.
  package init(pending: Int) { budget = pending + Self.addedEffects }

  /// The next step of the run.
  ///
  /// A refill that finds nothing ends it.
  package mutating func next(_ engine: inout TrackerEngine) -> Step {
    guard budget > 0 else { return .pause }
    budget -= 1
    return engine.nextEffect().map { .perform($0) } ?? .refill
  }

  package enum TurnStep {
    /// Commits arrivals, then evaluates.
    case evaluate
    /// Fills the free slots.
    case admit
    /// Runs the loop.
    case perform
    /// Decides on renders.
    case finish
  }

  /// The steps of a turn.
  ///
  /// Renders come after starts, so that a row that begins to load is rendered once.
  package static let turn: [TurnStep] = [.evaluate, .admit, .perform, .finish, .perform]
}
