import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("What an operation leaves at its gate", .timeLimit(.minutes(10)))
struct GateRemainsTests {
  private let queue = OperationQueue()

  /// An exclusive operation, which waits for nothing else.
  private func exclusive() -> TaskOperation<Int> {
    TaskOperation { 1 }.exclusive(in: ExclusionCategory("\(UUID())"))
  }

  @Test("A cancelled operation releases its conditions at once, though its queue is suspended")
  func conditions() async {
    let (operation, isReleased) = (exclusive(), Gate())
    operation.addCondition(
      OperationCondition("holds") { [token = Token(isReleased)] in
        withExtendedLifetime(token) {}
      })
    queue.isSuspended = true
    queue.enqueue(operation)
    #expect(!isReleased.isOpen)
    operation.cancel()
    #expect(isReleased.isOpen)
    queue.isSuspended = false
    await operation.ended()
  }

  @Test("An operation that has ended with its work works on no longer")
  func worksOn() {
    let operation = QuickOperation()
    operation.start()
    #expect(operation.isFinished && !operation.worksOn)
  }
}
