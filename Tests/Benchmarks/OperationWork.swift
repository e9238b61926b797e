import Foundation
import RowOperations

/// The least that an operation can do.
final class QuickOperation: AsyncOperation, @unchecked Sendable {
  // Sendable: the subclass adds no state.
  override func main() { finish() }
}

/// B2 and B19: operations in a queue, and a group that is cancelled.
enum OperationWork {
  /// Enqueues a thousand operations at a time, and waits until the last one has finished.
  ///
  /// `waitUntilAllOperationsAreFinished` would count too much. On Linux it keeps the processor busy
  /// from the end of an operation until the queue has removed it.
  static func run(_ count: Int, _ make: () -> Operation) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for _ in 0..<count / 1000 {
      let operations = (0..<1000).map { _ in make() }
      for operation in operations { queue.addOperation(operation) }
      operations.last?.waitUntilFinished()
    }
  }

  /// Runs until it is cancelled.
  private final class Endless: AsyncOperation, @unchecked Sendable {
    let began = DispatchSemaphore(value: 0)

    override func main() { began.signal() }

    override func didCancel() { finish() }
  }

  /// Begins a group of width 1 with a child that runs until it is cancelled.
  ///
  /// - Parameters:
  ///   - waits: Whether the other children depend on that one.
  ///   - cancels: Whether to cancel the group, and to wait for its end.
  static func runGroup(_ count: Int, waits: Bool, cancels: Bool) -> Never {
    let first = Endless()
    let others = (0..<count).map { _ in
      let child = QuickOperation()
      if waits { child.addDependency(first) }
      return child
    }
    let group = GroupOperation<Int>(width: 1, [first] + others)
    let queue = OperationQueue()
    queue.enqueue(group)
    first.began.wait()
    if cancels {
      group.cancel()
      group.waitUntilFinished()
    }
    withExtendedLifetime(queue) { exit(0) }
  }
}
