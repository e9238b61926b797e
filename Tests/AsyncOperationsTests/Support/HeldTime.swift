import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Time that passes when a test says so.
final class HeldTime: Sendable {
  private struct Fire: Sendable {
    var call: (@Sendable () -> Void)?
  }

  let now = Box(ContinuousClock.now)
  /// The times for which the alarm was set.
  let settings = Log<Duration>([])
  private let fires = Box(Fire())
  let timekeeper: Timekeeper

  init() {
    let (now, settings, fires) = (now, settings, fires)
    timekeeper = Timekeeper(
      Timekeeper.Clockwork(
        now: { now.value },
        makeAlarm: {
          fires.set(Fire(call: $0))
          return { settings.append($0) }
        }))
  }

  /// Fires the alarm after a time.
  func advance(by duration: Duration) {
    now.change { $0 = $0.advanced(by: duration) }
    fire()
  }

  func fire() { fires.value.call?() }
}

/// The continuous clock, or a clock of the app, standing still until a test advances it.
enum TestClock: Sendable {
  case continuous(HeldTime)
  case other(ManualClock)

  static var both: [TestClock] { [.continuous(HeldTime()), .other(ManualClock())] }

  var stopwatch: Stopwatch {
    switch self {
    case .continuous(let time): .timekeeper(time.timekeeper)
    case .other(let clock): Stopwatch(clock)
    }
  }

  /// The number of waits that have not ended.
  var waits: Int {
    switch self {
    case .continuous(let time): time.timekeeper.count
    case .other(let clock): clock.sleepers
    }
  }

  func advance(by duration: Duration) {
    switch self {
    case .continuous(let time): time.advance(by: duration)
    case .other(let clock): clock.advance(by: duration)
    }
  }
}
