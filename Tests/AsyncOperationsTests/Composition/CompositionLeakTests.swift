import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Asserts by waiting: an object is released, or the wait ends at its limit and fails the test.
@Suite("Composed operations do not leak", .timeLimit(.minutes(10)))
struct CompositionLeakTests {
  enum Ending: CaseIterable {
    case finished, failed, cancelledBefore, cancelledRunning, timedOut, dropped
  }

  @Test(
    "Retry, timeout, exclusion and conditions release their captured objects",
    arguments: Ending.allCases)
  func everything(ending: Ending) async {
    let gates = [Gate(), Gate(), Gate(), Gate()]
    await live(ending, gates)
    for gate in gates { await gate.opened() }
  }

  private func live(_ ending: Ending, _ gates: [Gate]) async {
    let queue = OperationQueue(width: 2)
    let clock = ManualClock()
    let began = Gate()
    let tokens = gates.map { Token($0) }
    let child = TaskOperation<Int> { [token = tokens[0]] in
      withExtendedLifetime(token) {}
      began.open()
      if ending == .failed { throw Failure() }
      if ending == .cancelledRunning || ending == .timedOut {
        try await Gate().openedOrCancelled()
      }
      return 1
    }
    let group = GroupOperation<Int>([child])
    group.exclusive(in: ExclusionCategory("\(UUID())")).timeout(after: .seconds(1), clock: clock)
    group.addCondition(
      OperationCondition("holds") { [token = tokens[1]] in withExtendedLifetime(token) {} })
    let retry = RetryOperation(.immediate(limit: 0)) { [token = tokens[2]] _ in
      withExtendedLifetime(token) {}
      return try await queue.value(of: group)
    }
    let last = TaskOperation(requiring: retry) { [token = tokens[3]] in
      withExtendedLifetime(token) {}
      return $0
    }
    switch ending {
    case .dropped: return
    case .cancelledBefore: retry.cancel()
    case .finished, .failed, .cancelledRunning, .timedOut: break
    }
    queue.enqueue(last)
    queue.enqueue(retry)
    if ending == .cancelledRunning {
      await began.opened()
      retry.cancel()
    } else if ending == .timedOut {
      await began.opened()
      await until { clock.sleepers == 1 }
      clock.advance(by: .seconds(1))
    }
    await last.ended()
  }

  @Test(
    "A group and its children are released after the group has finished", arguments: [false, true])
  func group(hasTimedOut: Bool) async {
    weak var group: GroupOperation<Int>?
    weak var child: ResultOperation<Int>?
    do {
      let one = hasTimedOut ? Sleeper() : TaskOperation { 1 }
      let whole = GroupOperation<Int>([one])
      (group, child) = (whole, one)
      let queue = OperationQueue()
      queue.enqueue(whole)
      if hasTimedOut {
        await until { one.isExecuting }
        whole.finish(with: .failure(Failure()))
      }
      await whole.ended()
      await queue.emptied()
    }
    await until { group == nil && child == nil }
  }
}
