/// The one loop that runs an engine, in apps and in proofs.
///
/// The app's code runs only between two effects, when no engine is being changed. Its calls change
/// the engine at once; the effects of these calls queue behind those that are pending.
package struct TrackerLoop {
  /// How many effects the app's code may add to a run of the loop.
  ///
  /// The next turn performs the others, so that each run ends, whatever the code does.
  static let addedEffects = 1_000

  package enum Step {
    case perform(TrackerEngine.Effect)
    /// No effect is left: slots that became free are given away, and objects of the app are
    /// released.
    case refill
    /// The next turn goes on.
    case pause
  }

  private var budget: Int

  /// Begins a run.
  ///
  /// - Parameter pending: How many effects are pending.
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
    /// Commits what has arrived, then judges what has happened.
    case evaluate
    /// Gives slots away.
    case admit
    /// Runs the loop.
    case perform
    /// Decides on renders.
    case finish
  }

  /// What a turn consists of.
  ///
  /// Renders come after starts, so that a row that begins to load is rendered once.
  package static let turn: [TurnStep] = [.evaluate, .admit, .perform, .finish, .perform]
}
