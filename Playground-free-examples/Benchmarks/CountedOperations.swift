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
}
