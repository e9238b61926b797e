import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The stress harness can fail", .timeLimit(.minutes(60)))
struct HarnessTests {
  @Test("The witness accepts a correct operation, and detects callbacks that come too often")
  func witness() {
    let witness = Witness()
    let operation = QuickOperation()
    operation.start()
    for count in [\.completions, \.willFinish] as [WritableKeyPath<Witness.Counts, Int> & Sendable]
    {
      witness.count(count)
    }
    #expect(witness.violations(of: operation) == [])
    for _ in 0..<2 { witness.count(\.bodies) }
    #expect(witness.violations(of: operation) == ["the body ran twice"])
  }

  @Test("The watchdog ends a process that hangs")
  func watchdog() async {
    await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
      Watchdog.start(Watchdog.brief)
      await Gate().opened()
    }
  }
}
