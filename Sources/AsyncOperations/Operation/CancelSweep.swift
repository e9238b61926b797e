import Foundation

/// Cancels many operations, and the children of groups among them, without recursion.
///
/// The library's own steps come first, while the queues are held. So no operation starts in
/// between, and a queue goes through its waiting operations once. The app's code follows.
struct CancelSweep {
  private var begun: [(operation: AsyncOperation, transition: AsyncOperation.Transition)] = []
  /// Operations whose `cancel()` may be code of the app.
  private var others: [Operation] = []
  private var held: [AsyncOperationQueue] = []

  static func cancel(_ operations: [Operation], in queue: AsyncOperationQueue?) {
    var sweep = CancelSweep()
    sweep.begin(operations, in: queue)
    for queue in sweep.held { queue.endHold() }
    for (operation, transition) in sweep.begun { operation.endCancel(transition) }
    for operation in sweep.others { operation.cancel() }
  }

  private mutating func begin(_ operations: [Operation], in queue: AsyncOperationQueue?) {
    hold(queue)
    var all = operations
    var index = 0
    while index < all.count {
      let operation = all[index]
      index += 1
      guard let own = operation as? AsyncOperation else {
        // The system's own method runs no code of the app.
        if type(of: operation) == BlockOperation.self {
          operation.cancel()
        } else {
          others.append(operation)
        }
        continue
      }
      begun.append((own, own.beginCancel()))
      let (children, queue) = own.childrenToCancel()
      if !children.isEmpty { hold(queue) }
      all += children
    }
  }

  private mutating func hold(_ queue: AsyncOperationQueue?) {
    guard let queue else { return }
    queue.beginHold()
    held.append(queue)
  }
}
