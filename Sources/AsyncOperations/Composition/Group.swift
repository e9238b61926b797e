import Foundation

/// The reaction of a group to children that fail.
public enum GroupFailurePolicy: Hashable, Sendable {
  /// The first failure cancels the other children and becomes the group's error, untouched.
  case first
  /// All children run; then the group fails with a ``GroupError``.
  case all
}

/// The errors of a group that let all its children run.
public struct GroupError: Error, Sendable {
  /// The errors of the children that failed, in the order in which the children were added.
  public let errors: [any Error]
}

/// An operation that is made of others, and finishes when all of them have.
///
/// Children may be operations of any kind and may depend on each other. They run in a queue of the
/// group's own. A child may add more. The result is the values of those children that are
/// `ResultOperation`s of the same type, in the order in which they were added.
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
/// **Cancellation**: a cancel, also one through ``progress``, reaches every child once. The group
/// finishes after its children, with `CancellationError`. A group that never ran cancels its
/// children, and ends all but the system's own operations. Only `cancel(throwing:)`, which timeouts
/// use, and `finish(with:)` from outside end a group before its children.
///
/// **Ordering**: all children of a group that ran have `isFinished` when the group does.
///
/// **Errors**: a child that was cancelled by itself has failed with `CancellationError`. The
/// ``GroupFailurePolicy`` decides the effect of a failure.
///
/// **Cost**: that of its children. A child that is not an ``AsyncOperation`` also costs a private
/// operation and a queue. The group releases its children when it has finished.
open class GroupOperation<Value: Sendable>: ResultOperation<[Value]>, @unchecked Sendable {
  private typealias Child = ThreadSafe<Operation>

  private struct Contents {
    var machine = GroupStateMachine()
    /// In the order in which they were added.
    var children: [Child] = []
    /// The identifiers of all children, so that no child is added twice.
    var members: Set<ObjectIdentifier> = []
    /// The highest priority of the tasks that await the value.
    var awaited: TaskPriority?
    /// The error that ended the group.
    var failure: (any Error)?
    /// The group itself while it runs: no other object may have a reference to it.
    var running: GroupOperation?
  }

  // Sendable: the rest never changes, or, like the queue, is safe to use from any thread.
  private let contents = Lock(Contents())
  private let failurePolicy: GroupFailurePolicy
  private let queue = AsyncOperationQueue()
  private let counts: GroupProgress

  /// The progress of the group: how many of its children have finished.
  ///
  /// Cancelling it cancels the group. On Linux `Progress` is not synchronized: read it in an
  /// operation that depends on the group. Elsewhere its values may be out of date. After a timeout,
  /// children that go on still change it.
  public final var progress: Progress { counts.progress }

  /// Makes a group; any code, also another child, may add children later.
  ///
  /// - Parameters:
  ///   - width: The number of children that run at once.
  ///   - failures: The effect of a failed child on the group.
  ///   - children: The first children.
  public init(
    width: Int = OperationQueue.defaultMaxConcurrentOperationCount,
    failures: GroupFailurePolicy = .first, _ children: [Operation] = []
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
    // The children of a group that never ended.
    for child in contents.withLock({ $0.children }) {
      if let child = child.object as? AsyncOperation { queue.disclaim(child) }
    }
  }

  /// Adds a child, from anywhere, until the group has finished.
  ///
  /// A call inside a child, or before the group starts, is certain to be in time. A child that is
  /// added to a cancelled group is cancelled.
  ///
  /// From now on every other group and `enqueue` refuses the child. A child that was started
  /// elsewhere counts when it ends; one that has ended counts at once. A child that a plain
  /// `addOperation` put in another queue must have started there before the group begins or ends.
  /// Otherwise the group's queue traps, as `OperationQueue` does for an operation that is in two
  /// queues.
  ///
  /// **Threading**: any thread. **Cost**: O(1), and the cost of `enqueue` once the group runs.
  ///
  /// - Returns: `false` if the child was not added: the group is over, or, which is reported, the
  ///   operation is a child already or belongs to another group or queue.
  @discardableResult
  public final func add(_ child: Operation) -> Bool {
    guard claim(child) else { return false }
    let (action, priority) = contents.withLock { contents in
      let action = contents.machine.childAdded()
      if action != .refuse {
        contents.children.append(Child(child))
        // Counted before it can end: the group must not end with an older figure.
        counts.added()
      }
      return (action, contents.awaited)
    }
    counts.report()
    if action == .refuse {
      if let child = child as? AsyncOperation { queue.disclaim(child) }
      contents.withLock { _ = $0.members.remove(ObjectIdentifier(child)) }
      return false
    }
    if let priority { (child as? AsyncOperation)?.awaited(at: priority) }
    if let child = child as? AsyncOperation {
      // Called at once if the child has ended.
      child.addObserver(
        OperationObserver(didFinish: { [weak self, counts] child in
          // First the progress, then the machine: the group's progress is complete before it ends.
          counts.finished()
          self?.childFinished(child)
        }))
    }
    switch action {
    case .hold, .refuse:
      return true
    case .enqueue:
      break
    case .enqueueCancelled:
      child.cancel()
    }
    enqueue(child)
    return true
  }

  /// Claims an operation as a child; an operation that is taken already is refused and reported.
  private func claim(_ child: Operation) -> Bool {
    let isNew = contents.withLock { $0.members.insert(ObjectIdentifier(child)).inserted }
    guard isNew else {
      OperationDiagnostics.report(
        .secondEnqueue, child as? AsyncOperation ?? self,
        "The same child was added to a group twice. The second time was ignored.")
      return false
    }
    guard let child = child as? AsyncOperation else { return true }
    let isClaimed = child.claim(by: queue, evenIfStarted: true)
    if !isClaimed { contents.withLock { _ = $0.members.remove(ObjectIdentifier(child)) } }
    return isClaimed
  }

  private func enqueue(_ child: Operation) {
    if let child = child as? AsyncOperation {
      // A child that was started elsewhere meanwhile is only watched.
      queue.enqueueIfUnstarted(child)
    } else {
      child.whenFinished { [weak self, counts, child = Child(child)] in
        counts.finished()
        self?.childFinished(child.object)
      }
      if !child.isExecuting, !child.isFinished { queue.enqueue(child) }
    }
  }

  // MARK: Running

  /// Starts the children.
  ///
  /// Only `start()` calls it.
  public final override func main() {
    queue.qualityOfService = effectiveQualityOfService
    let (children, action) = contents.withLock { contents in
      let action = contents.machine.started()
      if action.runs { contents.running = self }
      return (contents.children, action)
    }
    for child in children {
      if action.cancelChildren { child.object.cancel() }
      enqueue(child.object)
    }
    if action.isEnd { finishGroup() }
  }

  private func childFinished(_ child: Operation) {
    let failure = failurePolicy == .first ? child.failure : nil
    let (action, others) = contents.withLock { contents in
      if contents.failure == nil { contents.failure = failure }
      let action = contents.machine.childFinished(endsGroup: failure != nil)
      return (action, action.cancelOthers ? contents.children : [])
    }
    for other in others where other.object !== child { other.object.cancel() }
    if action.isEnd { finishGroup() }
  }

  private func finishGroup() {
    let (children, failure) = contents.withLock { ($0.children, $0.failure) }
    // A timeout, or the app, may end it at the same time.
    finishIfUndecided(with: outcome(of: children, failure))
  }

  private func outcome(
    of children: [Child], _ failure: (any Error)?
  ) -> Result<[Value], any Error> {
    if isCancelled { return .failure(CancellationError()) }
    if let failure { return .failure(failure) }
    let errors = children.compactMap(\.object.failure)
    guard errors.isEmpty else { return .failure(GroupError(errors: errors)) }
    return .success(
      children.compactMap { child in
        guard case .success(let value) = (child.object as? ResultOperation<Value>)?.result else {
          return nil
        }
        return value
      })
  }

  override func awaited(at priority: TaskPriority) {
    let children = contents.withLock { contents in
      contents.awaited = max(priority, contents.awaited ?? priority)
      return contents.children
    }
    for child in children { (child.object as? AsyncOperation)?.awaited(at: priority) }
  }

  override var workInProgress: String? {
    let unfinished = contents.withLock { $0.children }.filter { !$0.object.isFinished }
    return unfinished.first.map { child in
      "unfinished children: \(unfinished.count); " + queue.explain(child.object).dropLast()
    }
  }

  // MARK: Ending early

  /// Cancels the children.
  ///
  /// Only `cancel()` calls it.
  public final override func didCancel() {
    let children = contents.withLock { $0.machine.cancelled() ? $0.children : [] }
    for child in children { child.object.cancel() }
  }

  private func end() {
    let (action, released) = contents.withLock { contents in
      let released = contents
      (contents.children, contents.members, contents.running) = ([], [], nil)
      return (contents.machine.ended(), released)
    }
    guard action != .none else { return }
    for child in released.children { child.object.cancel() }
    guard action == .endChildren else { return }
    for child in released.children {
      if let child = child.object as? AsyncOperation {
        // A cancelled child waits for nothing, so the queue ends it.
        queue.enqueueIfUnstarted(child)
      } else {
        // It is the system's operation, which ends only after a queue starts it.
        counts.finished()
      }
    }
  }
}
