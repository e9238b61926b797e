import Dispatch
import Foundation
import RowOperations

/// Operations in a queue; `.ci/instructions` counts their instructions on all threads.
enum CountedOperations {
  private final class Quick: AsyncOperation, @unchecked Sendable {
    override func main() { finish() }
  }

  /// Enqueues one operation per name at a time, and waits until the last one has finished.
  ///
  /// `waitUntilAllOperationsAreFinished` would count too much. On Linux it keeps the processor busy
  /// from the end of an operation until the queue has removed it.
  static func run(_ count: Int, names: [String], isExclusive: Bool) -> Never {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let categories = names.map { ExclusionCategory($0) }
    for _ in 0..<count / names.count {
      let operations = categories.map { category in
        let operation = Quick()
        if isExclusive { operation.exclusive(in: category) }
        queue.enqueue(operation)
        return operation
      }
      operations.last?.waitUntilFinished()
    }
    exit(0)
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
      let child = Quick()
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
