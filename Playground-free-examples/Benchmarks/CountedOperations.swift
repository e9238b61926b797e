import Foundation
import RowOperations

/// Operations that go through a queue, whose instructions on all threads `.ci/instructions` counts.
enum CountedOperations {
  private final class Quick: AsyncOperation, @unchecked Sendable {
    override func main() { finish() }
  }

  /// Enqueues as many operations at a time as there are names, and waits until they have finished.
  static func run(_ count: Int, names: [String], isExclusive: Bool) -> Never {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for _ in 0..<count / names.count {
      for name in names {
        let operation = Quick()
        if isExclusive { operation.exclusive(in: ExclusionCategory(name)) }
        queue.enqueue(operation)
      }
      queue.waitUntilAllOperationsAreFinished()
    }
    exit(0)
  }
}
