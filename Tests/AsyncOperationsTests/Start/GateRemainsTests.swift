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

  private func isWatched(_ operation: AsyncOperation) -> Bool {
    operation.guarded.withLock { $0.extras?.endWatchers.isEmpty == false }
  }

  @Test("A dependency that is removed from a waiting operation forgets it")
  func removedDependency() async {
    let (operation, removed, other) = (exclusive(), QuickOperation(), QuickOperation())
    for dependency in [removed, other] { operation.addDependency(dependency) }
    queue.enqueue(operation)
    #expect(isWatched(removed) && isWatched(other))
    operation.removeDependency(removed)
    #expect(!isWatched(removed) && isWatched(other))
    other.start()
    await operation.ended()
    #expect(operation.error == nil)
  }

  /// Runs a closure in one read of its `isFinished`.
  private final class EndProbe: Operation, @unchecked Sendable {
    // Sendable: they never change.
    let readsToGo = Box<Int>(0)
    let act = Box<(@Sendable () -> Void)?>(nil)

    override var isFinished: Bool {
      if readsToGo.add(-1) == 0 { act.exchanged(nil)?() }
      return super.isFinished
    }
  }

  @Test(
    "A cancel while the gate looks at the dependencies leaves nothing on them", arguments: 1...4)
  func cancelledMeanwhile(read: Int) async {
    let (operation, probe, other) = (exclusive(), EndProbe(), QuickOperation())
    for dependency in [probe, other] { operation.addDependency(dependency) }
    probe.act.set { @Sendable in operation.cancel() }
    probe.readsToGo.set(read)
    queue.enqueue(operation)
    probe.act.exchanged(nil)?()
    #expect(!isWatched(other))
    await operation.ended()
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
