import Foundation
import RowOperations

/// Operations in a queue; `.ci/instructions` counts their instructions on all threads.
enum CountedOperations {
  private final class Quick: AsyncOperation, @unchecked Sendable {
    override func main() { finish() }
  }

  /// Enqueues one operation per name at a time, and waits until all have finished.
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
