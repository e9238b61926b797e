import RowOperations

extension LoadGate {
  /// Ends the loads of a tracker that have run for a time, and waits until the tracker has
  /// committed them.
  ///
  /// Call it after each step of the tracker's ``ManualClock``. Loads then take that time, to the
  /// precision of a step, on every machine.
  ///
  /// **Cancellation**: a cancelled task goes on waiting; give the test a time limit.
  ///
  /// - Parameters:
  ///   - tracker: A tracker with this gate as its update closure.
  ///   - time: The time of a load, on the tracker's clock.
  ///   - value: Makes the value of a row.
  @MainActor
  public func openLoads(
    of tracker: DisplayTracker<Row, Value>, after time: Duration, with value: (Row) -> Value
  ) async {
    for body in tracker.bodies where !body.isCancelled && body.age >= time {
      let token = body.token
      while tracker.isRunning(token), !log.waiting.contains(token) { await Task.yield() }
      open(token.row, with: value(token.row))
      while tracker.isRunning(token) { await Task.yield() }
    }
    // Cancelled loads end by themselves, and may hold a slot until then.
    while stopsWhenCancelled, tracker.core.engine.runs.lingering > 0 { await Task.yield() }
    tracker.endPass()
  }
}

extension DisplayTracker {
  fileprivate func isRunning(_ token: RowToken<Row>) -> Bool {
    bodies.contains { $0.token == token && !$0.isCancelled }
  }
}
