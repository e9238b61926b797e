import RowOperationsTesting

/// A turn that nothing requests: it comes before the deadline, and no input has come since the last
/// one.
///
/// It decides and renders nothing. So a tracker that takes turns at its deadlines alone misses
/// nothing.
struct Probe {
  private let isNeeded: Bool
  private let decisions: Int
  private let renders: Int

  init(_ driver: EngineDriver) {
    let isDue = driver.deadline.map { $0 <= driver.now } ?? false
    // While a list moves, time alone changes which rows may load. Reports of motion take turns.
    isNeeded = driver.hasInputs || isDue || driver.isTurnRequested || driver.engine.gate.isMoving
    (decisions, renders) = (driver.decisions.count, driver.renders)
  }

  func check(_ driver: EngineDriver) {
    guard !isNeeded, driver.decisions.count > decisions || driver.renders > renders else { return }
    let new = driver.decisions.dropFirst(decisions)
    driver.violations.append(
      Violation(.turnsEnd, "a turn that nothing requested decided \(Array(new)), or rendered"))
  }
}

extension EngineDriver {
  /// Lets time pass without an input, from deadline to deadline.
  ///
  /// It takes a turn at each deadline, and a turn right before it, which must decide nothing.
  /// Without a deadline, no later turn may decide anything either.
  ///
  /// - Parameter deadlines: How many deadlines may pass. Failing rows load again and again.
  package func rest(deadlines: Int = 40) {
    for _ in 0..<deadlines {
      for _ in 0..<200 where isTurnRequested { apply(.passEnd) }
      guard let next = deadline else { return pass(until: now + 1_000_000_000_000) }
      if next - 1 > now { pass(until: next - 1) }
      pass(until: next)
    }
  }

  private func pass(until time: Int64) {
    apply(.time(.nanoseconds(max(time - now, 0))))
    apply(.passEnd)
  }
}
