/// Any clock, counted in nanoseconds since the tracker was made.
struct TrackerClock {
  let now: @Sendable () -> Int64
  /// Sleeps until a time, but a day at most.
  ///
  /// Callers check the clock afterwards, since not every clock accepts far deadlines.
  let sleep: @Sendable (Int64) async throws -> Void

  private static let longestSleep: Int64 = 86_400_000_000_000

  init(_ clock: any Clock<Duration>) {
    self.init(opening: clock)
  }

  private init<C: Clock>(opening clock: C) where C.Duration == Duration {
    let origin = clock.now
    now = { origin.duration(to: clock.now).nanoseconds }
    sleep = { deadline in
      let latest = origin.duration(to: clock.now).nanoseconds + Self.longestSleep
      let end = origin.advanced(by: .nanoseconds(min(deadline, latest)))
      try await clock.sleep(until: end, tolerance: nil)
    }
  }
}
