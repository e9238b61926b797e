/// When to make reports; never while nothing happens and nothing runs.
struct RefreshPlan: Sendable {
  static let shortest: Duration = .milliseconds(100)
  /// The longest time while loads run, since reports show their ages.
  static let longest: Duration = .seconds(1)

  private var last: Duration?
  private var due: Duration?

  /// - Returns: When to call ``isDue(at:)``, unless that was planned.
  mutating func changed(at now: Duration) -> Duration? {
    plan(last.map { max($0 + Self.shortest, now) } ?? now, at: now)
  }

  mutating func isDue(at now: Duration) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    last = now
    return true
  }

  /// - Returns: As for ``changed(at:)``.
  mutating func made(withLoads: Bool, at now: Duration) -> Duration? {
    withLoads ? plan(now + Self.longest, at: now) : nil
  }

  private mutating func plan(_ time: Duration, at now: Duration) -> Duration? {
    if let due, due <= time { return nil }
    due = time
    return time - now
  }
}
