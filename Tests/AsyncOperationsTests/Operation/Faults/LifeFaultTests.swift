import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Faults in the life of an operation (1, 4, 6, 7, 9 and 18)", .timeLimit(.minutes(10)))
struct LifeFaultTests {
  #if !canImport(ObjectiveC)
    @Test("Fault 1: emissions and the body hold no lock, so they may use and end the operation")
    func outsideLocks() async {
      let operation = Emitting { operation, _ in
        _ = (operation.state, operation.isCancelled, operation.isExecuting, operation.isFinished)
        operation.cancel()
        operation.finish()
        operation.addObserver(OperationObserver())
      }
      await onThread { operation.start() }
      #expect(operation.isFinished)
    }

    @Test(
      "Fault 4: a run emits isExecuting twice, then isFinished; a cancelled one only isFinished")
    func order() async {
      let keys = Log<String>([])
      let operation = Emitting { _, key in keys.append(key) }
      let cancelled = Emitting { _, key in keys.append(key) }
      await onThread { operation.start() }
      operation.finish()
      #expect(keys.value == ["isExecuting", "body", "isExecuting", "isFinished"])
      cancelled.cancel()
      keys.set([])
      await onThread { cancelled.start() }
      #expect(keys.value == ["isFinished"])
    }
  #endif

  @Test(
    "Fault 6: a cancelled operation is ready, and leaves its queue despite its dependency",
    arguments: Kind.allCases)
  func readiness(kind: Kind) async {
    let (queue, ran) = (OperationQueue(width: 1), Box())
    let (operation, dependency) = (kind.make { _ in ran.add() }, kind.make())
    #expect(operation.isReady)
    operation.addDependency(dependency)
    #expect(!operation.isReady)
    queue.addOperation(operation)
    operation.cancel()
    #expect(operation.isReady)
    await queue.emptied()
    #expect(operation.isFinished && !dependency.isFinished && ran.value == 0)
  }

  @Test(
    "Fault 7: a finish before the start takes effect at the start, and is no misuse",
    arguments: Kind.ours)
  func rememberedFinish(kind: Kind) async throws {
    let (ran, completed, isGone) = (Box(), Box(), Gate())
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let operation = try #require(kind.make { _ in ran.add() } as? AsyncOperation)
    let misuses = Misuses(of: operation)
    operation.completionBlock = { [token = Token(isGone)] in
      withExtendedLifetime(token) { _ = completed.add() }
    }
    queue.addOperation(operation)
    #expect(operation.finish())
    #expect(!operation.isFinished)
    queue.isSuspended = false
    await queue.emptied()
    #expect(operation.isFinished && ran.value == 0 && misuses.codesOnAnyMachine == [])
    await isGone.opened()
    #expect(completed.value == 1)
  }

  @Test(
    "Fault 9: a cancelled operation finishes at its start; a finished one stays uncancelled",
    arguments: Kind.allCases)
  func cancelAndStart(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 1)
    let operation = kind.make { _ in ran.add() }
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    #expect(operation.isCancelled && !operation.isFinished)
    queue.isSuspended = false
    await queue.emptied()
    #expect(operation.isFinished && ran.value == 0)
    let other = kind.make()
    queue.addOperation(other)
    await queue.emptied()
    other.cancel()
    #expect(other.isFinished && !other.isCancelled)
  }

  @Test("Fault 18: a replaced or removed completion block is not called", arguments: Kind.ours)
  func replacedCompletion(kind: Kind) async {
    let (calls, isGone) = (Log<Int>([]), Gate())
    let operation = kind.make()
    operation.completionBlock = { calls.append(1) }
    #expect(operation.completionBlock != nil)
    operation.completionBlock = { [token = Token(isGone)] in
      withExtendedLifetime(token) { calls.append(2) }
    }
    let other = kind.make()
    other.completionBlock = { calls.append(3) }
    other.completionBlock = nil
    for operation in [other, operation] {
      await onThread { operation.start() }
      await operation.finished()
    }
    await isGone.opened()
    #expect(calls.value == [2])
  }
}

#if !canImport(ObjectiveC)
  /// Calls a closure in its emissions and in its body, until other code finishes it.
  private final class Emitting: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes.
    private let call: @Sendable (AsyncOperation, String) -> Void

    init(_ call: @escaping @Sendable (AsyncOperation, String) -> Void) {
      self.call = call
      super.init()
    }

    override func main() { call(self, "body") }

    override func emit(_ key: String) {
      call(self, key)
      super.emit(key)
    }
  }
#endif
