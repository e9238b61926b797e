/// A clock of any kind, counted in nanoseconds from when the tracker was made.
struct TrackerClock {
  let now: @Sendable () -> Int64
  /// Sleeps until a time on the clock.
  let sleep: @Sendable (Int64) async throws -> Void

  init(_ clock: any Clock<Duration>) {
    self.init(opening: clock)
  }

  private init<C: Clock>(opening clock: C) where C.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now).nanoseconds }
    sleep = { try await clock.sleep(until: origin.advanced(by: .nanoseconds($0)), tolerance: nil) }
  }
}
