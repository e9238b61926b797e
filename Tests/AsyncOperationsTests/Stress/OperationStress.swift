import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("State transitions under stress", .timeLimit(.minutes(60)), .serialized)
struct OperationStress {
  // Fault 25: the locks of a queue order most accesses and hide races, so this test has no queue.
  @Test(
    "Operations survive plain threads that start, cancel and finish them (fault 25)",
    arguments: Kind.ours)
  func plainThreads(kind: Kind) async {
    await stress("plain threads", finishesFromOutside: true, kind: kind) { round in
      let sampler = Sampler(round.subjects)
      await race(
        { for subject in round.subjects { subject.operation.startWhenReady() } },
        {
          round.cancel(.whileAdding)
          round.cancel(.later)
        }, { round.finishFromOutside() }, { round.finishFromOutside() })
      await onThread { for subject in round.subjects { subject.operation.waitUntilFinished() } }
      await sampler.stop()
      return []
    }
  }

  @Test(
    "Queues of all widths survive suspending, cancels and finishes at any moment",
    arguments: Kind.allCases, [1, 2, 4, OperationQueue.defaultMaxConcurrentOperationCount])
  func queues(kind: Kind, width: Int) async {
    for finishesFromOutside in [false, true] {
      await stress(
        "queue of width \(width)", finishesFromOutside: finishesFromOutside, kind: kind
      ) { round in
        let deallocated = Gate()
        let violations = await attack(round, width: width, deallocated)
        await deallocated.opened()
        // A body goes on after an end from outside.
        return finishesFromOutside ? [] : violations
      }
    }
  }

  /// - Returns: A violation if more bodies ran at once than the width allows.
  private func attack(_ round: StressRound, width: Int, _ deallocated: Gate) async -> [String] {
    let queue = WatchedQueue(deallocated)
    queue.maxConcurrentOperationCount = width
    let sampler = Sampler(round.subjects)
    let isAdded = Gate()
    await race(
      {
        for subject in round.subjects { queue.enqueue(subject.operation) }
        isAdded.open()
      }, { round.cancel(.whileAdding) }, { round.finishFromOutside() },
      {
        while !isAdded.isOpen {
          queue.isSuspended.toggle()
          sched_yield()
        }
        round.cancel(.later)
        for _ in 0..<100 { queue.isSuspended.toggle() }
        queue.isSuspended = false
      })
    await queue.emptied()
    await sampler.stop()
    let most = round.mostRunning.value
    return width > 0 && most > width ? ["\(most) bodies ran in a queue of width \(width)"] : []
  }
}

extension Operation {
  /// Starts the operation on this plain thread when its dependencies have finished.
  fileprivate func startWhenReady() {
    while !isReady { sched_yield() }
    start()
  }
}
