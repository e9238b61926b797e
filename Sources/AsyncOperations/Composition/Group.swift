import Foundation

/// What a group does about children that fail.
public enum GroupFailurePolicy: Hashable, Sendable {
  /// The first failure cancels the other children and becomes the group's error, untouched.
  case first
  /// All children run; then the group fails with a ``GroupError``.
  case all
}

/// What went wrong in a group that let all its children run.
public struct GroupError: Error, Sendable {
  /// The errors of the children that failed, in the order in which the children were added.
  public let errors: [any Error]
}

/// An operation that is made of others, and finishes when all of them have.
///
/// Children may depend on each other. They run in a queue of the group's own; a child may add more.
/// The result is the values of those children that are `ResultOperation`s of the same type, in the
/// order in which they were added; other children are there for what they do.
///
/// ```swift
/// let group = GroupOperation<Data>(width: 2, urls.map { url in
///   TaskOperation { try await fetch(url) }
/// })
/// let pages = try await queue.value(of: group)
/// ```
///
/// **Threading**: any thread. The group's own queue holds no thread while children wait.
///
/// **Cancellation**: reaches every child once, also through ``progress``; the group finishes after
/// the children have, with `CancellationError`. A group that never ran ends its children as cancelled
/// ones, and may itself end a moment before one that another thread is cancelling. Only a timeout, or another `finish(with:)` from outside, ends a group before its children.
///
/// **Ordering**: all children of a group that ran have `isFinished` when the group does.
///
/// **Errors**: a child that was cancelled by itself has failed with `CancellationError`. What becomes
/// of failures is the ``GroupFailurePolicy``'s to say.
///
/// **Cost**: each child what an operation costs, and one more operation for the end of the group. It
/// lets go of its children when it has finished.
open class GroupOperation<Value: Sendable>: ResultOperation<[Value]>, @unchecked Sendable {
  private struct Guarded {
    var machine = GroupStateMachine()
    /// In the order in which they were added.
    var children: [AsyncOperation] = []
    /// The one that ended the group.
    var failure: (any Error)?
  }

  // Sendable: the rest never changes, or, as the queue, is safe to use from any thread.
  private let contents = Lock(Guarded())
  private let failurePolicy: GroupFailurePolicy
  private let queue = OperationQueue()
  private let counts: GroupProgress

  /// How many of the children have finished.
  ///
  /// Cancelling it cancels the group. On Linux `Progress` guards nothing: read it in an operation
  /// that depends on the group, or be content with a figure that is being changed, as it also is for
  /// as long as children of a group that a timeout ended go on.
  public final var progress: Progress { counts.progress }

  /// Makes a group; children may be added later, also by other children.
  ///
  /// - Parameters:
  ///   - width: How many children run at once.
  ///   - failures: What is done about children that fail.
  ///   - children: The first children.
  public init(
    width: Int = OperationQueue.defaultMaxConcurrentOperationCount,
    failures: GroupFailurePolicy = .first, _ children: [AsyncOperation] = []
  ) {
    failurePolicy = failures
    queue.maxConcurrentOperationCount = width
    counts = GroupProgress()
    super.init()
    counts.progress.cancellationHandler = { [weak self] in self?.cancel() }
    addObserver(OperationObserver(willFinish: { ($0 as? GroupOperation)?.end() }))
    for child in children { add(child) }
  }

  deinit {
    // Those of a group that never came to its end.
    for child in contents.withLock({ $0.children }) { queue.disclaim(child) }
  }

  /// Adds a child, from anywhere, until the group has finished.
  ///
  /// From inside a child, or before the group starts, that is certain to be in time. A child that is
  /// added to a cancelled group is cancelled.
  ///
  /// A child is this group's from now on: it cannot be given to another group or queue, nor started by
  /// hand.
  ///
  /// - Returns: `false` if the group is over, or if the operation has started, or is another group's
  ///   or queue's, or a child already, which is reported: then it was not added.
  @discardableResult
  public final func add(_ child: AsyncOperation) -> Bool {
    guard queue.claim(child) else { return false }
    let action = contents.withLock { guarded in
      let action = guarded.machine.childAdded()
      if action != .refuse {
        guarded.children.append(child)
        // Before it can end: the group is not to end with an older figure.
        counts.added()
      }
      return action
    }
    counts.report()
    switch action {
    case .refuse:
      queue.disclaim(child)
      return false
    case .hold:
      return true
    case .enqueue:
      break
    case .enqueueCancelled:
      child.cancel()
    }
    enqueue(child)
    return true
  }

  private func enqueue(_ child: AsyncOperation) {
    // Keeps the group, and so its queue, until the child has finished.
    child.addObserver(OperationObserver(willFinish: { [self] in childFinished($0) }))
    queue.enqueue(child)
  }

  // MARK: Running

  /// Starts the children; for `start()` to call.
  public final override func main() {
    queue.qualityOfService = qualityOfService
    let (children, action) = contents.withLock { guarded in
      (guarded.children, guarded.machine.started(children: guarded.children.count))
    }
    for child in children {
      if action.cancelChildren { child.cancel() }
      enqueue(child)
    }
    if action.isEmpty { endReached() }
  }

  private func childFinished(_ child: AsyncOperation) {
    // Before it is counted as gone: the group is not to end before its progress is complete.
    counts.finished()
    let failure = failurePolicy == .first ? child.failure : nil
    let (action, others) = contents.withLock { guarded in
      if guarded.failure == nil { guarded.failure = failure }
      let action = guarded.machine.childFinished(endsGroup: failure != nil)
      return (action, action == GroupStateMachine.ChildFinishedAction() ? [] : guarded.children)
    }
    if action.cancelOthers { for other in others where other !== child { other.cancel() } }
    guard action.awaitEnd else { return }
    // Here and on other threads, children are still about to publish that they have finished.
    let end = BlockOperation { [self] in endReached() }
    for other in others where !other.isFinished { end.addDependency(other) }
    queue.enqueue(end)
  }

  private func endReached() {
    let (isEnd, children, failure) = contents.withLock { guarded in
      // One that was added meanwhile may be about to publish its end; it then reports this itself.
      let isEnd = guarded.children.allSatisfy(\.isFinished) && guarded.machine.endReached()
      return (isEnd, guarded.children, guarded.failure)
    }
    // A timeout, or the app, may end it at the same time.
    if isEnd { finishIfUndecided(with: outcome(of: children, failure)) }
  }

  private func outcome(
    of children: [AsyncOperation], _ failure: (any Error)?
  ) -> Result<[Value], any Error> {
    if isCancelled { return .failure(CancellationError()) }
    if let failure { return .failure(failure) }
    let errors = children.compactMap(\.failure)
    guard errors.isEmpty else { return .failure(GroupError(errors: errors)) }
    return .success(
      children.compactMap { child in
        guard case .success(let value) = (child as? ResultOperation<Value>)?.result else {
          return nil
        }
        return value
      })
  }

  // MARK: Ending early

  /// Cancels the children; for `cancel()` to call.
  public final override func didCancel() {
    let children = contents.withLock { $0.machine.cancelled() ? $0.children : [] }
    for child in children { child.cancel() }
  }

  private func end() {
    let (action, children) = contents.withLock { guarded in
      let children = guarded.children
      guarded.children = []
      return (guarded.machine.ended(), children)
    }
    guard action != .none else { return }
    for child in children { child.cancel() }
    guard action == .endChildren else { return }
    for child in children {
      // It is in no queue, and a cancelled one waits for nothing.
      queue.disclaim(child)
      child.start()
      counts.finished()
    }
  }
}
