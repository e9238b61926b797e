import Foundation

/// Something that an operation passes before its start.
protocol OperationGate: AnyObject, Sendable {
  /// A queue is about to add the operation.
  ///
  /// - Parameter isHeldUp: Whether the queue may not start an operation soon that is ready.
  func enter(
    _ operation: AsyncOperation, in queue: OperationQueue, isHeldUp: Bool
  ) -> GateEntry
  func dependencyAdded(_ dependency: Operation)
  func dependencyRemoved(_ dependency: Operation)
  func operationCancelled(_ operation: AsyncOperation)
  func operationFinished(_ operation: AsyncOperation)
  func mainReturned()
  /// The operation is deallocated.
  func operationDropped()
  /// Called when a task of that priority awaits the operation.
  func awaited(at priority: TaskPriority)
  /// Those for which the operation certainly waits here.
  var edges: [WaitNode] { get }
  /// The categories in which the operation needs a turn.
  var categoryIDs: [ObjectIdentifier] { get }
  /// The reasons why the operation waits here, in words.
  var reasons: [String] { get }
  /// The error of an operation that is started without having passed.
  var notEnqueued: OperationError { get }
}

/// The private operations with which an operation begins its way through its gate.
struct GateEntry {
  /// The dependency that ends when the operation has passed.
  var door: PrivateOperation?
  /// To be added to the queue before the operation.
  var starter: PrivateOperation?
}
