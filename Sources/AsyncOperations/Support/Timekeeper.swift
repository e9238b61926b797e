/// Calls library code at moments of the continuous clock.
///
/// One timer serves all time limits and retry delays. It depends on no thread that runs tasks. A
/// call that is cancelled leaves nothing behind.
///
/// **Threading**: calls come on a queue of its own, one after the other. They run no code of the
/// app, and must not block: they pass such work on.
final class Timekeeper: Sendable {
  typealias Call = @Sendable () -> Void
  typealias Instant = ContinuousClock.Instant
  typealias Ticket = DeadlineList<Instant, Call>.Ticket

  /// Time, as far as a test replaces it.
  struct Clockwork: Sendable {
    let now: @Sendable () -> Instant
    /// Makes an alarm that calls a closure some time after it was set, or earlier.
    let makeAlarm: @Sendable (_ fire: @escaping Call) -> any Alarm
  }

  static let shared = Timekeeper(.system)

  private struct Guarded {
    var deadlines = DeadlineList<Instant, Call>()
    /// The moment for which the alarm is set.
    var alarmTime: Instant?
    var alarm: (any Alarm)?
  }

  private let clockwork: Clockwork
  private let guarded = Lock(Guarded())

  init(_ clockwork: Clockwork) { self.clockwork = clockwork }

  /// The number of calls to come.
  var count: Int { guarded.withLock { $0.deadlines.count } }

  /// Calls a closure once when so much time has passed, never earlier.
  ///
  /// No duration is longer than 36 years. O(calls).
  func call(after duration: Duration, _ call: @escaping Call) -> Ticket {
    let now = clockwork.now()
    let deadline = now.advanced(by: min(duration, .longestWait))
    return guarded.withLock { guarded in
      let ticket = guarded.deadlines.add(call, at: deadline)
      setAlarm(&guarded, at: now)
      return ticket
    }
  }

  /// Prevents a call, unless it is under way.
  ///
  /// O(calls).
  ///
  /// - Returns: Whether the call will not come.
  @discardableResult
  func cancel(_ ticket: Ticket) -> Bool {
    // The alarm stays as it is. At worst it finds nothing to do once.
    guarded.withLock { $0.deadlines.remove(ticket) } != nil
  }

  /// The alarm's call, on its queue.
  private func fire() {
    let now = clockwork.now()
    while let call = guarded.withLock({ $0.deadlines.removeFirst(dueAt: now) }) { call() }
    guarded.withLock { guarded in
      guarded.alarmTime = nil
      setAlarm(&guarded, at: clockwork.now())
    }
  }

  /// Sets the alarm if the earliest deadline is before the moment for which it is set.
  ///
  /// Called under the lock, so that an earlier decision cannot overtake a later one.
  private func setAlarm(_ guarded: inout Guarded, at now: Instant) {
    guard let first = guarded.deadlines.first, guarded.alarmTime.map({ first < $0 }) ?? true else {
      return
    }
    guarded.alarmTime = first
    let alarm = guarded.alarm ?? clockwork.makeAlarm { [weak self] in self?.fire() }
    guarded.alarm = alarm
    alarm.set(after: max(now.duration(to: first), .zero))
  }
}

/// Calls its closure once for each `set`; setting it again replaces the pending time.
protocol Alarm: Sendable {
  func set(after duration: Duration)
}
