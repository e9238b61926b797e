import AsyncOperations
import Foundation

private func ask(_ queue: OperationQueue, about operation: AsyncOperation) {
  //@ queue.enqueue(operation)  // In place of addOperation(_:).
}
