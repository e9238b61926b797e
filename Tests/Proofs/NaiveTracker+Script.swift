import RowOperationsTesting

@testable import RowOperations

/// A script that is played to a driver and to the model beside it.
extension NaiveTracker {
  /// Plays a script, and compares the phases, the blank time and the first values after each pass.
  ///
  /// - Returns: The violations of the driver and the model's complaints about its decisions, up to
  ///   the end of the first step with any.
  package mutating func complaints(
    about driver: EngineDriver, playing script: EventScript
  ) -> [String] {
    for step in script.steps {
      driver.decisions = []
      driver.apply(step)
      apply(step, driver.decisions, driver.windows, claiming: driver.claimingWindows)
      if step == .passEnd { compare(driver) }
      let found = driver.violations.map(\.description) + complaints
      if !found.isEmpty { return found }
    }
    return []
  }

  private mutating func compare(_ driver: EngineDriver) {
    let rows = knownRows.union(driver.rowIDs.keys).sorted()
    for row in rows where !driver.phase(of: row).isLike(phase(of: row)) {
      complain("the phase of row \(row) is \(driver.phase(of: row)), not \(phase(of: row))")
    }
    let counts = driver.engine.counts(at: driver.now)
    if counts.blankTime != blankTime {
      complain("blank for \(counts.blankTime), not for \(blankTime) ns")
    }
    if counts.timeToFirstValue.count != firstValueTimes.count {
      complain("\(counts.timeToFirstValue.count) first values, not \(firstValueTimes)")
    }
  }
}

extension LoadPhase {
  /// Whether the phases are equal apart from the error of a waiting row.
  fileprivate func isLike(_ other: LoadPhase) -> Bool {
    if case .waiting = self, case .waiting = other { return true }
    return self == other
  }
}
