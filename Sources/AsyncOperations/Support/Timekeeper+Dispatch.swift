import Dispatch

extension Timekeeper.Clockwork {
  static let system = Timekeeper.Clockwork(now: { .now }, makeAlarm: { DispatchAlarm($0) })
}

/// An alarm of two timers of Dispatch.
///
/// The continuous clock counts the sleep of the machine. The uptime does not, and the wall clock
/// can be set. So one timer has a deadline in uptime and the other one on the wall clock. The alarm
/// fires with the first of them.
private final class DispatchAlarm: Alarm {
  private let uptime: ThreadSafe<any DispatchSourceTimer>
  private let wall: ThreadSafe<any DispatchSourceTimer>

  init(_ fire: @escaping @Sendable () -> Void) {
    // A queue of its own: blocking operations may hold all threads of the global queues.
    let queue = DispatchQueue(label: "AsyncOperations.Timekeeper", qos: .userInitiated)
    uptime = ThreadSafe(DispatchSource.makeTimerSource(queue: queue))
    wall = ThreadSafe(DispatchSource.makeTimerSource(queue: queue))
    for timer in [uptime, wall] {
      timer.object.setEventHandler(handler: fire)
      timer.object.resume()
    }
  }

  func set(after duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let interval = DispatchTimeInterval.nanoseconds(Int(clamping: nanoseconds))
    let leeway = DispatchTimeInterval.nanoseconds(Int(clamping: min(nanoseconds / 10, 50_000_000)))
    uptime.object.schedule(deadline: .now() + interval, leeway: leeway)
    wall.object.schedule(wallDeadline: .now() + interval, leeway: leeway)
  }
}
