import Dispatch
import Foundation

extension OperationQueue {
  /// Enqueues operations, and starts those that wait for nothing in one block, in their order.
  ///
  /// The queue's own way takes a block of Dispatch and several emissions for each operation, about
  /// 6,000 instructions on Linux. The block replaces it for operations whose work runs in a task,
  /// without an observer: no code of the app delays the next start.
  ///
  /// The queue starts the others, and those with a dependency, a condition or a turn. A suspended
  /// queue starts all of them.
  ///
  /// It is for queues that let all operations run at once. What the block starts is not among the
  /// queue's `operations`, and the queue's width does not limit it.
  ///
  /// **Threading**: any thread. **Cost**: O(operations and their dependencies).
  package func enqueueTogether(_ operations: [AsyncOperation]) {
    let isSuspended = isSuspended
    var (ready, others): ([AsyncOperation], QueueBatch) = ([], QueueBatch())
    for operation in operations {
      guard let entry = operation.enter(self) else { continue }
      if !isSuspended, entry.isFree, operation.hook != nil {
        ready.append(operation)
      } else {
        others.add(operation, entry)
      }
    }
    others.add(to: self)
    guard !ready.isEmpty else { return }
    DispatchQueue.global(qos: .userInitiated).async { [ready] in
      for operation in ready { operation.start() }
    }
  }
}
