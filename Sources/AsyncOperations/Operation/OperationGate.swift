import Foundation

/// Something that an operation passes before its start.
protocol OperationGate: AnyObject, Sendable {
  /// A queue is about to add the operation.
  ///
  /// - Parameter isHeldUp: Whether the queue may not start an operation soon that is ready.
  /// - Returns: A private operation to add before it.
  func enter(
    _ operation: AsyncOperation, in queue: OperationQueue, isHeldUp: Bool
  ) -> PrivateOperation?
  func dependencyAdded(_ dependency: Operation)
  func dependencyRemoved(_ dependency: Operation)
  /// A queue starts the operation, which was about to start before it lost its turn.
  func startedBeforeTurn(_ operation: AsyncOperation)
  /// Its queue was suspended: a turn that it has not begun to use goes to others.
  func returnTurn()
  /// Its queue goes on.
  func queueResumed()
  /// The end was decided before the start.
  func operationDecided(_ operation: AsyncOperation)
  func operationFinished(_ operation: AsyncOperation)
  /// The operation is deallocated.
  func operationDropped()
  /// A task of that priority awaits the operation.
  func awaited(at priority: TaskPriority)
  /// The operations before it in its lines.
  var operationsAhead: [Operation] { get }
  /// Those for which the operation certainly waits here.
  var edges: [WaitNode] { get }
  /// The categories in which the operation needs a turn.
  var categoryIDs: [ObjectIdentifier] { get }
  /// The reasons why the operation waits here, in words.
  var reasons: [String] { get }
  /// The error of an operation that is started without having entered.
  var notEnqueued: OperationError { get }
}
