import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Time that passes when a test says so, and threads that a test counts.
final class HeldWorld: Sendable {
  struct Look: Sendable {
    let time: ContinuousClock.Instant
    let work: Surroundings.Work
  }

  let now = Box(ContinuousClock.now)
  let looks = Log<Look>([])
  var surroundings: Surroundings {
    Surroundings(
      now: { [now] in now.value },
      schedule: { [now, looks] delay, work in
        looks.append(Look(time: now.value.advanced(by: delay), work: work))
      },
      run: { work in Thread.detachNewThread { work() } })
  }

  /// Lets time pass, and has each look taken when it is due.
  func pass(_ duration: Duration) {
    let end = now.value.advanced(by: duration)
    while let next = looks.value.map(\.time).min(), next <= end {
      now.change { $0 = max($0, next) }
      takeLooks()
    }
    now.set(end)
  }

  private func takeLooks() {
    let all = looks.exchanged([])
    for look in all where look.time > now.value { looks.append(look) }
    for look in all where look.time <= now.value { look.work() }
  }
}
