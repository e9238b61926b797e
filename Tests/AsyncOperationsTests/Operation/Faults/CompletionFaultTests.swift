import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Completion blocks (fault 18)", .timeLimit(.minutes(10)))
struct CompletionFaultTests {
  #if !canImport(ObjectiveC)
    @Test("Fault 18: a system operation keeps its completion block, which keeps the operation")
    func systemsLeak() async {
      let completed = Gate()
      weak var leaked: Operation?
      do {
        let operation = BlockOperation {}
        operation.completionBlock = { withExtendedLifetime(operation) { completed.open() } }
        leaked = operation
        await onThread { operation.start() }
      }
      await completed.opened()
      #expect(leaked != nil)
      leaked?.completionBlock = nil
    }
  #endif

  @Test(
    "Fault 18: a completion block that captures its operation is released with it",
    arguments: Kind.ours)
  func noLeak(kind: Kind) async {
    let deallocated = Gate()
    do {
      let operation = kind.make()
      let token = Token(deallocated)
      operation.completionBlock = { withExtendedLifetime((operation, token)) {} }
      let queue = OperationQueue(width: 1)
      queue.addOperation(operation)
      await queue.emptied()
      #expect(operation.completionBlock == nil)
    }
    await deallocated.opened()
  }

  @Test("Fault 18: a replaced or removed completion block is not called", arguments: Kind.ours)
  func replaced(kind: Kind) async {
    let calls = Log<Int>([])
    let isGone = Gate()
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

  #if !canImport(ObjectiveC)
    // The queue's thread returns from start(), finds the operation finished, and emits. The thread
    // that finished it emits as well, and releases the completion block before the other one reads
    // it.
    @Test("Fault 18: the completion block is called once even if two threads emit the end")
    func twoThreadsTell() async {
      let (completed, isReleased) = (Box(), Gate())
      let queue = OperationQueue(width: 1)
      let operation = FinishedByTwo()
      operation.completionBlock = { [token = Token(isReleased)] in
        withExtendedLifetime(token) { _ = completed.add() }
      }
      let dependent = Held { operation.isPublished.isOpen ? nil : operation }
      dependent.addDependency(operation)
      // The queue reads `isReady` of an operation that is added. The dependent comes first, so that
      // its readiness is not read here while the other threads wait.
      queue.addOperation(dependent)
      queue.addOperation(operation)
      await queue.emptied()
      await isReleased.opened()
      #expect(completed.value == 1)
    }
  #endif
}

#if !canImport(ObjectiveC)
  /// Sets its finished flag before its body returns, and emits after the queue has noticed.
  private final class FinishedByTwo: AsyncOperation, @unchecked Sendable {
    // Sendable: they are gates.
    let isFlipped = Gate()
    let isNoticed = Gate()
    let isPublished = Gate()

    override func main() {
      Thread.detachNewThread {
        self.finish()
        self.isPublished.open()
      }
      isFlipped.wait()
    }

    override func emit(_ key: String) {
      if isFinished, !isFlipped.isOpen {
        isFlipped.open()
        isNoticed.wait()
      }
      super.emit(key)
    }
  }

  /// Lets the other thread go first when the emission reads `isReady`.
  private final class Held: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes.
    private let other: @Sendable () -> FinishedByTwo?

    init(_ other: @escaping @Sendable () -> FinishedByTwo?) {
      self.other = other
      super.init()
    }

    override var isReady: Bool {
      if let other = other(), other.isFlipped.isOpen {
        other.isNoticed.open()
        other.isPublished.wait()
      }
      return super.isReady
    }

    override func main() { finish() }
  }
#endif
