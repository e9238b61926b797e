import Dispatch
import Foundation

extension OperationQueue {
  /// Enqueues operations; those that wait for nothing start in one block, in order.
  ///
  /// The queue's own way takes about 6,000 instructions on Linux for each operation. The block is
  /// for operations whose work runs in a task, without an observer: no code of the app delays the
  /// next start. The queue starts the others, and a suspended queue all of them.
  ///
  /// What the block starts is not among the queue's `operations`, and the queue's width does not
  /// limit it.
  ///
  /// **Threading**: any thread. **Cost**: O(operations and their dependencies).
  package func enqueueTogether(_ operations: [AsyncOperation]) {
    var others = QueueBatch()
    var ready: [AsyncOperation] = []
    for operation in operations {
      guard let entry = operation.enter(self) else { continue }
      if entry.isFree, operation.hook != nil, !isSuspended {
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
