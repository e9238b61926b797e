import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The stress harness can fail", .timeLimit(.minutes(60)))
struct HarnessTests {
  private func violations(
    wasCancelledEarly: Bool = false, _ happen: (Witness, QuickOperation) -> Void
  ) -> [String] {
    let witness = Witness(wasCancelledEarly: wasCancelledEarly)
    let operation = QuickOperation()
    witness.count(\.completions)
    witness.count(\.willFinish)
    happen(witness, operation)
    return witness.violations(of: operation)
  }

  @Test("The harness reports nothing for a correct operation")
  func good() {
    #expect(violations { $1.start() } == [])
  }

  @Test("The harness detects an operation that has not finished")
  func unfinished() {
    #expect(violations { _, _ in }.contains("it has not finished"))
  }

  @Test("The harness detects a body that runs twice, or ends without having run")
  func bodies() {
    let twice = violations { witness, operation in
      operation.start()
      witness.count(\.bodies)
      witness.count(\.bodies)
    }
    #expect(twice == ["the body ran twice"])
    let never = violations { witness, operation in
      operation.start()
      witness.count(\.ends)
    }
    #expect(never == ["the body ended without having run"])
  }

  @Test("The harness detects a completion block that runs twice")
  func completions() {
    let twice = violations { witness, operation in
      operation.start()
      witness.count(\.completions)
    }
    #expect(twice == ["the completion block ran 2 times"])
    let witness = Witness()
    witness.count(\.completions)
    #expect(witness.lateViolations == [])
    witness.count(\.completions)
    #expect(witness.lateViolations == ["the completion block ran 2 times"])
  }

  @Test("The harness detects callbacks that come too often or not at all")
  func observers() {
    let wrong = violations { witness, operation in
      operation.cancel()
      operation.start()
      witness.count(\.willFinish)
      witness.count(\.started)
      witness.count(\.started)
    }
    #expect(
      wrong == [
        "willFinish was told 2 times", "started was told twice", "cancelled was told 0 times",
      ])
  }

  @Test("The harness detects two calls of finish that both decide")
  func decisions() {
    let twice = violations { witness, operation in
      operation.start()
      witness.count(\.decisions)
      witness.count(\.decisions)
    }
    #expect(twice == ["two calls of finish have decided"])
  }

  @Test("The harness detects a body that runs after an early cancel, and a lost cancel")
  func earlyCancel() {
    let ran = violations(wasCancelledEarly: true) { witness, operation in
      operation.start()
      witness.count(\.bodies)
    }
    #expect(ran == ["the body ran after an early cancel", "an early cancel was lost"])
  }

  @Test("The harness detects a state that goes back, and two states at once")
  func misreadings() {
    let finished = Reading(isFinished: true)
    let executing = Reading(isExecuting: true)
    let both = Reading(isExecuting: true, isFinished: true)
    let cancelled = Reading(isCancelled: true)
    #expect(Chronicle.violation(reading: executing, after: finished) == "the state went back")
    #expect(
      Chronicle.violation(reading: both, after: executing)
        == "it was executing and finished at once")
    #expect(
      Chronicle.violation(reading: Reading(), after: cancelled) == "the cancel was taken back")
    #expect(Chronicle.violation(reading: finished, after: executing) == nil)
  }

  @Test("Scenario 31: an operation without emissions hangs the queue, and the watchdog ends it")
  func silentOperation() async {
    await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
      Watchdog.start(Watchdog.brief)
      let queue = OperationQueue(width: 1)
      queue.addOperation(Silent())
      await queue.emptied()
    }
  }

  @Test("The same seed gives the same plans, and another seed gives other plans")
  func seeds() {
    func plans(_ seed: UInt64) -> [String] {
      var generator = SeededGenerator(seed: seed)
      return (0..<20).map { _ in
        "\(StressPlan(using: &generator, finishesFromOutside: true))"
      }
    }
    #expect(plans(1) == plans(1))
    #expect(plans(1) != plans(2))
  }
}

/// Finishes after its start has returned, without emissions.
private final class Silent: AsyncOperation, @unchecked Sendable {
  override func main() {
    // The start has returned long before the watchdog ends the process.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { self.finish() }
  }

  override func emit(_ key: String) {}
}
