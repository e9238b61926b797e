/// The behaviour that a subclass in this package adds to the life of its operation.
///
/// The initializer receives it. Overrides would not work: a subclass in another module can override
/// only `open` members.
@usableFromInline
package protocol OperationHook: AnyObject, Sendable {
  /// Cancels the work.
  ///
  /// Called right before each call of `didCancel()`.
  func cancelWork(of operation: AsyncOperation)
  /// Called when a task of that priority awaits the operation's value.
  func awaited(at priority: TaskPriority)
  /// The owner of the task that runs the work, if a task does.
  var taskOwner: (any TaskOwner)? { get }
  /// Releases the work. Called once, at the very end of an operation's life, after the tasks that
  /// await its value were resumed.
  func finished(_ operation: AsyncOperation)
}
