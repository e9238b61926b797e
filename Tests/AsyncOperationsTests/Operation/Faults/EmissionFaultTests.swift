import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("How a queue learns about the state (faults 1 to 6)", .timeLimit(.minutes(10)))
  struct EmissionFaultTests {
    @Test("Fault 1: an emission under a lock deadlocks, because it reads the state back")
    func emissionUnderLock() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        EmitsUnderLock().start()
      }
    }

    @Test("Fault 1: an emission holds no lock, so an override may read and change the state")
    func emissionOutsideLock() async {
      let operation = Emitting(emitted: { operation, _ in
        _ = (operation.state, operation.isCancelled, operation.isExecuting, operation.isFinished)
        operation.cancel()
        operation.finish()
        operation.addObserver(OperationObserver())
      })
      await onThread { operation.start() }
      #expect(operation.isFinished)
    }

    @Test("Fault 2: without the emission a dependent does not become ready")
    func funnel() async {
      let isOpen = Box(false)
      let operation = Emitting(passes: { isOpen.value })
      let dependent = QuickOperation()
      dependent.addDependency(operation)
      await onThread {
        operation.start()
        operation.finish()
      }
      #expect(operation.isFinished && !dependent.isReady)
      isOpen.set(true)
      operation.emit("isFinished")
      #expect(dependent.isReady)
    }

    @Test("Fault 3: emissions use the names of the keys, not key paths")
    func keys() {
      #expect(AsyncOperation.Key.isExecuting == "isExecuting")
      #expect(AsyncOperation.Key.isFinished == "isFinished")
      #expect(AsyncOperation.Key.isReady == "isReady")
    }

    @Test(
      "Fault 4: a run emits isExecuting twice, then isFinished; a cancelled one only isFinished")
    func order() async {
      let keys = Log<String>([])
      let operation = Emitting(emitted: { _, key in keys.append(key) })
      let cancelled = Emitting(emitted: { _, key in keys.append(key) })
      await onThread {
        operation.start()
        operation.finish()
      }
      #expect(keys.value == ["isExecuting", "isExecuting", "isFinished"])
      cancelled.cancel()
      keys.set([])
      await onThread { cancelled.start() }
      #expect(keys.value == ["isFinished"])
    }

    @Test("Fault 5: a finish inside start() masks a missing emission")
    func maskedEmission() async {
      let queue = OperationQueue(width: 1)
      let operation = Emitting(passes: { false }, finishesAtOnce: true)
      queue.addOperation(operation)
      await queue.emptied()
      #expect(operation.isFinished)
    }

    @Test("Fault 5: a finish after start() without an emission hangs the queue")
    func missingEmission() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        let queue = OperationQueue(width: 1)
        let serial = DispatchQueue(label: "serial")
        queue.underlyingQueue = serial
        let operation = Emitting(passes: { false })
        queue.addOperation(operation)
        // Returns after the start, which is in the same serial queue.
        serial.sync {}
        operation.finish()
        await queue.emptied()
      }
    }

    @Test("Fault 6: a cancelled operation with a false isReady never leaves its queue")
    func overriddenReadiness() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        let queue = OperationQueue(width: 1)
        let operation = UnreadyWhenCancelled()
        operation.addDependency(BlockOperation {})
        queue.isSuspended = true
        queue.addOperation(operation)
        operation.cancel()
        queue.isSuspended = false
        await queue.emptied()
      }
    }

    @Test(
      "Fault 6: isReady is false before the dependency finishes, and true after a cancel",
      arguments: Kind.allCases)
    func systemReadiness(kind: Kind) async {
      let dependency = kind.make()
      let operation = kind.make()
      #expect(operation.isReady)
      operation.addDependency(dependency)
      #expect(!operation.isReady)
      operation.cancel()
      #expect(operation.isReady)
    }
  }

  /// Reports its emissions, and forwards them if `passes` returns true.
  private final class Emitting: AsyncOperation, @unchecked Sendable {
    // Sendable: none of it changes.
    private let emitted: @Sendable (AsyncOperation, String) -> Void
    private let passes: @Sendable () -> Bool
    private let finishesAtOnce: Bool

    init(
      passes: @escaping @Sendable () -> Bool = { true }, finishesAtOnce: Bool = false,
      emitted: @escaping @Sendable (AsyncOperation, String) -> Void = { _, _ in }
    ) {
      self.emitted = emitted
      self.passes = passes
      self.finishesAtOnce = finishesAtOnce
      super.init()
    }

    override func main() {
      if finishesAtOnce { finish() }
    }

    override func emit(_ key: String) {
      emitted(self, key)
      if passes() { super.emit(key) }
    }
  }

  private final class EmitsUnderLock: Operation, @unchecked Sendable {
    // Sendable: touched under the lock.
    private let lock = NSLock()
    private var executes = false

    override var isExecuting: Bool { lock.withLock { executes } }

    override func start() {
      lock.withLock {
        executes = true
        didChangeValue(forKey: "isExecuting")
      }
    }
  }

  private final class UnreadyWhenCancelled: AsyncOperation, @unchecked Sendable {
    override var isReady: Bool { super.isReady && !isCancelled }

    override func main() { finish() }
  }
#endif
