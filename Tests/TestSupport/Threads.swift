import Foundation

/// Runs `body` on a plain thread, where it may block.
///
/// Only a few threads run tasks. If one of them blocks for another, all tests stop.
@discardableResult
func onThread<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
  let output = Box<Output?>(nil)
  let done = Gate()
  Thread.detachNewThread {
    output.set(body())
    done.open()
  }
  await done.opened()
  guard let output = output.value else { fatalError("The thread has not run.") }
  return output
}

/// Runs all bodies at once, each on a plain thread, after all threads have arrived.
func race(_ bodies: [@Sendable () -> Void]) async {
  let arrived = Box()
  let start = Gate()
  await withTaskGroup(of: Void.self) { group in
    for body in bodies {
      group.addTask {
        await onThread {
          if arrived.add() == bodies.count { start.open() }
          start.wait()
          body()
        }
      }
    }
  }
}

func race(_ bodies: (@Sendable () -> Void)...) async { await race(bodies) }

/// Brings two threads to the same moment, round after round.
final class Meeting: Sendable {
  let arrivals = Box()

  /// Returns when both threads have reached this round, counted from 0.
  func meet(in round: Int) {
    arrivals.add()
    var looks = 0
    while arrivals.value < 2 * (round + 1) {
      looks += 1
      // The other thread may be waiting for this processor.
      if looks > 1000 { sched_yield() }
    }
  }
}

extension Operation {
  /// Waits until the operation has finished, without blocking a thread that runs tasks.
  func finished() async { await onThread { self.waitUntilFinished() } }
}

extension OperationQueue {
  convenience init(width: Int) {
    self.init()
    maxConcurrentOperationCount = width
  }

  /// Waits until the queue is empty, without blocking a thread that runs tasks.
  func emptied() async { await onThread { self.waitUntilAllOperationsAreFinished() } }
}
