import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Permits that are decided while their task does not run", .timeLimit(.minutes(10)))
struct EarlyTurnTests {
  private let category = ExclusionCategory("\(UUID())")

  /// A member of the line that runs a closure when a task behind it passes its priority on.
  private final class Raised: TurnMember {
    let act = Box<(@Sendable () -> Void)?>(nil)

    var waitNode: (any WaitNode)? { nil }
    var holderName: String? { nil }
    var operation: AsyncOperation? {
      act.exchanged(nil)?()
      return nil
    }

    func turnCame() {}
    func giveTurn(hasBegun: Bool) {}
  }

  @Test("A turn that comes before the task waits for it is taken")
  func turn() async throws {
    let ahead = Raised()
    let ticket = TurnRegistry.join(ahead, [category]) { _ in }.ticket
    ahead.act.set { @Sendable in TurnRegistry.leave(ticket) }
    #expect(try await category.withPermit { 7 } == 7)
    #expect(ahead.act.value == nil && !TurnRegistry.hasLine(in: category))
  }

  @Test("A cancelled task leaves the line at once, though other code blocks all threads for tasks")
  func blockedThreads() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (category, blocked) = (ExclusionCategory("a"), Box())
      let ahead = TurnRegistry.join(Raised(), [category]) { _ in }
      let waiting = Task { try await category.withPermit {} }
      await until { TurnRegistry.count(in: category) == 2 }
      let count = ProcessInfo.processInfo.activeProcessorCount
      Thread.detachNewThread {
        while blocked.value < count { usleep(1_000) }
        waiting.cancel()
        while TurnRegistry.count(in: category) == 2 { usleep(1_000) }
        exit(ahead.hasTurn ? 0 : 1)
      }
      for _ in 0..<count {
        Task.detached {
          blocked.add()
          Gate().wait()
        }
      }
      await Gate().opened()
    }
  }

  @Test("A cancel that comes before the task waits for its turn ends the wait")
  func cancel() async throws {
    let ahead = Raised()
    let ticket = TurnRegistry.join(ahead, [category]) { _ in }.ticket
    let isSet = Gate()
    let task = Task {
      await isSet.opened()
      return try await category.withPermit { 7 }
    }
    ahead.act.set { @Sendable in task.cancel() }
    isSet.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(TurnRegistry.count(in: category) == 1)
    TurnRegistry.leave(ticket)
    #expect(!TurnRegistry.hasLine(in: category))
  }
}
