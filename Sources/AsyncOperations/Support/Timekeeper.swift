import Dispatch

/// Calls library code at moments of the continuous clock.
///
/// One timer serves all time limits and retry delays, and depends on no thread that runs tasks.
///
/// **Threading**: calls come on a queue of its own, one after the other. They must not block, and
/// run no code of the app.
final class Timekeeper: Sendable {
  typealias Call = @Sendable () -> Void
  typealias Instant = ContinuousClock.Instant

  /// Time, as far as a test replaces it.
  struct Clockwork: Sendable {
    let now: @Sendable () -> Instant
    /// Makes an alarm, which may fire early; setting it again replaces the time.
    let makeAlarm: @Sendable (_ fire: @escaping Call) -> @Sendable (Duration) -> Void
  }

  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let timekeeper: Timekeeper

    /// Prevents the call, unless it is under way.
    ///
    /// - Returns: Whether the call will not come.
    @discardableResult
    func cancel() -> Bool { timekeeper.cancel(number) }
  }

  static let shared = Timekeeper(.system)

  private struct Entry {
    let deadline: Instant
    let number: UInt64
    let call: Call
  }

  private struct Guarded {
    /// The earliest deadline last, and among equal ones the first.
    var calls: [Entry] = []
    var lastNumber: UInt64 = 0
    var alarmTime: Instant?
    var setAlarm: (@Sendable (Duration) -> Void)?

    mutating func removeFirst(dueAt now: Instant) -> Entry? {
      guard let first = calls.last, first.deadline <= now else { return nil }
      return calls.removeLast()
    }
  }

  private let clockwork: Clockwork
  private let guarded = Lock(Guarded())

  init(_ clockwork: Clockwork) { self.clockwork = clockwork }

  var now: Instant { clockwork.now() }

  var count: Int { guarded.withLock { $0.calls.count } }

  /// Calls a closure once, never early, after at most 36 years; O(calls).
  func call(after duration: Duration, _ call: @escaping Call) -> Ticket {
    let now = now
    let deadline = now.advanced(by: min(duration, .longestWait))
    return guarded.withLock { guarded in
      guarded.lastNumber += 1
      let place = guarded.calls.firstIndex { $0.deadline <= deadline } ?? guarded.calls.count
      let entry = Entry(deadline: deadline, number: guarded.lastNumber, call: call)
      guarded.calls.insert(entry, at: place)
      setAlarm(&guarded, at: now)
      return Ticket(number: guarded.lastNumber, timekeeper: self)
    }
  }

  private func cancel(_ number: UInt64) -> Bool {
    // The alarm stays as it is. At worst it finds nothing to do once.
    let cancelled = guarded.withLock { guarded in
      guarded.calls.lastIndex { $0.number == number }.map { guarded.calls.remove(at: $0) }
    }
    return cancelled != nil
  }

  private func fire() {
    let now = now
    while let entry = guarded.withLock({ $0.removeFirst(dueAt: now) }) { entry.call() }
    guarded.withLock { guarded in
      guarded.alarmTime = nil
      setAlarm(&guarded, at: self.now)
    }
  }

  /// Called under the lock, so that an earlier decision cannot overtake a later one.
  private func setAlarm(_ guarded: inout Guarded, at now: Instant) {
    guard let first = guarded.calls.last?.deadline,
      guarded.alarmTime.map({ first < $0 }) ?? true
    else { return }
    guarded.alarmTime = first
    // Stored once: each further store of the closure would wrap it once more.
    if guarded.setAlarm == nil {
      guarded.setAlarm = clockwork.makeAlarm { [weak self] in self?.fire() }
    }
    guarded.setAlarm?(max(now.duration(to: first), .zero))
  }
}

extension Timekeeper.Clockwork {
  /// With an alarm of two timers of Dispatch.
  ///
  /// The continuous clock counts the sleep of the machine. The uptime does not, and the wall clock
  /// can be set. So there is one on each, and the first fires.
  static let system = Timekeeper.Clockwork(
    now: { .now },
    makeAlarm: { fire in
      // Blocking operations may hold all threads of the global queues.
      let queue = DispatchQueue(label: "AsyncOperations.Timekeeper", qos: .userInitiated)
      let timers = (0..<2).map { _ in
        ThreadSafe(DispatchSource.makeTimerSource(queue: queue))
      }
      for timer in timers {
        timer.object.setEventHandler(handler: fire)
        timer.object.resume()
      }
      return { duration in
        let interval = Int(clamping: duration.nanoseconds)
        let leeway = DispatchTimeInterval.nanoseconds(min(interval / 10, 50_000_000))
        let wait = DispatchTimeInterval.nanoseconds(interval)
        timers[0].object.schedule(deadline: .now() + wait, leeway: leeway)
        timers[1].object.schedule(wallDeadline: .now() + wait, leeway: leeway)
      }
    })
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
