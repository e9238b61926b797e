/// The one loop that runs an engine, in apps and in proofs.
///
/// The app's code runs only inside of it, between two effects, when no engine is being changed. What
/// that code asks for changes the engine at once; the effects queue behind those that are pending.
package enum TrackerLoop {
  /// How many effects the app's code may add to a run of the loop. The next turn performs the others, so
  /// that each run ends, whatever the code does.
  static let addedEffects = 1_000

  /// Performs effects until nothing is left to do.
  ///
  /// - Parameters:
  ///   - pending: How many effects are pending.
  ///   - next: The next effect.
  ///   - refill: Called when no effect is left: gives away slots that became free meanwhile, and
  ///     releases the app's objects. Returns whether it did anything.
  /// - Returns: Whether everything was performed.
  package static func perform(
    pending: Int, next: () -> TrackerEngine.Effect?, perform: (TrackerEngine.Effect) -> Void,
    refill: () -> Bool
  ) -> Bool {
    for _ in 0..<(pending + addedEffects) {
      if let effect = next() {
        perform(effect)
      } else if !refill() {
        return true
      }
    }
    return false
  }

  /// Takes a turn.
  ///
  /// - Parameters:
  ///   - end: Decides what follows from the inputs of the turn.
  ///   - admit: Gives slots away.
  ///   - perform: Runs the loop.
  ///   - finish: Decides on renders. They come after the starts, so that a row that begins to load is
  ///     rendered once.
  package static func takeTurn(
    end: () -> Void, admit: () -> Void, perform: () -> Void, finish: () -> Void
  ) {
    end()
    admit()
    perform()
    finish()
    perform()
  }
}
