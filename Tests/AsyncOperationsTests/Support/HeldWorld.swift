import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Time that passes when a test says so, and threads that a test counts.
final class HeldWorld: Sendable {
  struct Look: Sendable {
    let time: Moment
    let work: Surroundings.Work
  }

  let now = Box(Moment.now)
  let looks = Log<Look>([])
  /// The number of queues that were made.
  let queues = Box()
  /// Runs the work of queues; `nil` gives each piece a plain thread, where it may block.
  private let runner: (@Sendable (@escaping Surroundings.Work) -> Void)?

  init(runner: (@Sendable (@escaping Surroundings.Work) -> Void)? = nil) { self.runner = runner }

  var surroundings: Surroundings {
    Surroundings(
      now: { [now] in now.value },
      schedule: { [now, looks] delay, work in
        looks.append(Look(time: now.value.advanced(by: delay), work: work))
      },
      makeQueue: { [queues, runner] in
        queues.add()
        return runner ?? { work in Thread.detachNewThread { work() } }
      })
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

  /// Lets time pass in which nothing runs, as in a debugger.
  func freeze(_ duration: Duration) {
    now.change { $0 = $0.advanced(by: duration) }
    takeLooks()
  }

  private func takeLooks() {
    let all = looks.exchanged([])
    for look in all where look.time > now.value { looks.append(look) }
    for look in all where look.time <= now.value { look.work() }
  }
}
