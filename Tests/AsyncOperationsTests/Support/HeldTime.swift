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
