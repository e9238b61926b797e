/// What a subclass in this package adds to the life of its operation.
///
/// The operation is given it when it is made. A method to override would not do: a subclass in
/// another module can override only what is open to everybody.
@usableFromInline
package protocol OperationHook: AnyObject, Sendable {
  /// Cancels the work; called as `didCancel()` is, right before it.
  func cancelWork(of operation: AsyncOperation)
  /// Releases the work. Called once, as the last thing in an operation's life, after the tasks that
  /// await its value were resumed.
  func finished(_ operation: AsyncOperation)
}
