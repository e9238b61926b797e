import Foundation

/// The effect of a failed child on its group.
public enum GroupFailurePolicy: Hashable, Sendable {
  /// The first failure cancels the other children and becomes the group's error, untouched.
  case first
  /// All children run; then the group fails with a ``GroupError``.
  case all
}

/// The errors of a group that let all its children run.
public struct GroupError: Error, Sendable {
  /// The errors of the failed children, in the order of addition.
  ///
  /// The values of the others are lost. For those, or to know which ones failed, give each child an
  /// `onResult`.
  public let errors: [any Error]
}

extension GroupError: LocalizedError, CustomStringConvertible {
  /// The number of failures, and the first one.
  public var description: String {
    let first = errors.first.map { " The first error: \($0.words)" } ?? ""
    return "Of the operations of the group, \(errors.count) failed.\(first)"
  }

  /// The description.
  public var errorDescription: String? { description }
}

/// An operation that is made of others, and finishes after them.
///
/// Children may be operations of any kind, may depend on each other, and may add more. They run in
/// a queue of the group's own. The result is the values of the children that are `ResultOperation`s
/// of that type, in the order of addition.
///
/// ```swift
/// let group = GroupOperation<Data>(width: 2, urls.map { url in
///   TaskOperation { try await fetch(url) }
/// })
/// let pages = try await queue.value(of: group)
/// ```
///
/// **Threading**: any thread.
///
/// **Cancellation**: a cancel, including one through ``progress``, reaches every child once, before
/// an observer or `didCancel()` of any child is called. The group finishes after its children, with
/// `CancellationError`. A group that never ran ends all but the system's own operations when it
/// finishes. Only `cancel(throwing:)`, which timeouts use, and `finish(with:)` from outside end a
/// group before its children.
///
/// **Ordering**: all children of a group that ran have `isFinished` when the group does.
///
/// **Errors**: a child that was cancelled by itself has failed with `CancellationError`. See
/// ``GroupFailurePolicy``.
///
/// **Cost**: starting, cancelling and ending take O(children), also if all wait for one child or,
/// at the default width, form a chain. A child that is not an ``AsyncOperation`` also costs a
/// private operation and a queue.
open class GroupOperation<Value: Sendable>: ResultOperation<[Value]>, @unchecked Sendable {
  private struct Contents {
    var machine = GroupStateMachine()
    var children: [Operation] = []
    var members: Set<ObjectIdentifier> = []
    var parents: [WeakGroup] = []
    var failure: (any Error)?
    /// The group itself while it runs: no other object may have a reference to it.
    var running: GroupOperation?
  }

  // Sendable: the rest never changes, or, like the queue, is safe to use from any thread.
  private let contents = Lock(Contents())
  private let failurePolicy: GroupFailurePolicy
  private let queue = GroupQueue()
  private let counts: GroupProgress

  /// How many children of the group have finished.
  ///
  /// A group that ends without a child has one unit, which is complete. Cancelling the progress
  /// cancels the group. On Linux `Progress` is not synchronized: read it after the group has ended.
  /// After a timeout, children that go on still change it.
  public final var progress: Progress { counts.progress }

  /// Makes a group; any code may add children later.
  ///
  /// - Parameters:
  ///   - width: The number of children that run at once; less than 1 counts as 1. By default all
  ///     that are ready do, even a thousand.
  ///   - failures: The effect of a failed child on the group.
  ///   - children: The first children.
  public init(
    width: Int = OperationQueue.defaultMaxConcurrentOperationCount,
    failures: GroupFailurePolicy = .first, _ children: [Operation] = []
  ) {
    failurePolicy = failures
    let isDefault = width == OperationQueue.defaultMaxConcurrentOperationCount
    queue.maxConcurrentOperationCount = isDefault ? width : max(width, 1)
    counts = GroupProgress()
    super.init()
    counts.progress.cancellationHandler = { [weak self] in self?.cancel() }
    addObserver(OperationObserver(willFinish: { ($0 as? GroupOperation)?.end() }))
    for child in children { add(child) }
  }

  deinit {
    var children: [AnyObject] = contents.withLock { contents in
      defer { contents.children = [] }
      return contents.children
    }
    for child in children { (child as? AsyncOperation)?.disclaim(by: queue) }
    Unnested.release(&children)
  }

  // MARK: Adding

  /// Adds a child, until the group has finished.
  ///
  /// A call inside a child, or before the group starts, is in time. A child that is added to a
  /// cancelled group, or after the end, is cancelled. The latter is reported, unless the group
  /// ended early.
  ///
  /// From now on every other group and `enqueue` refuses the child. A child that a plain
  /// `addOperation` put in another queue must have started there before the group begins or ends.
  /// Otherwise the group's queue traps, as the system's own does.
  ///
  /// **Threading**: any thread. **Cost**: O(1), and the cost of `enqueue` once the group runs. For
  /// a group, O(groups around this one).
  ///
  /// - Returns: `false` if the group is over, or, which is reported, if the operation is a child
  ///   already, belongs to another group or queue, or contains this group.
  @discardableResult
  public final func add(_ child: Operation) -> Bool {
    guard claim(child) else { return false }
    let action = contents.withLock { contents in
      let action = contents.machine.childAdded()
      if case .refuse = action { return action }
      contents.children.append(child)
      // Counted before it can end: the group must not end with an older figure.
      counts.added()
      return action
    }
    counts.report()
    guard case .take(let enqueues, let cancels) = action else {
      refuse(child, action == .refuse(isMistake: true))
      return false
    }
    if let awaited = awaitedPriority { child.raise(to: awaited) }
    if let child = child as? AsyncOperation {
      // Called at once if the child has ended.
      child.addObserver(
        OperationObserver(didFinish: { [weak self, counts] child in
          // First: the group's progress is complete before the group ends.
          counts.finished()
          self?.childFinished(child)
        }))
    }
    if cancels { child.cancel() }
    if enqueues { enqueue([child]) }
    if canBeInCircle { WaitGraph.look(from: child) }
    return true
  }

  private func claim(_ child: Operation) -> Bool {
    let isNew = contents.withLock { $0.members.insert(ObjectIdentifier(child)).inserted }
    guard isNew else {
      OperationDiagnostics.report(
        .secondEnqueue, child as? AsyncOperation ?? self,
        "The same child was added to a group twice. The second time was ignored.")
      return false
    }
    guard let own = child as? AsyncOperation else { return true }
    guard own.claim(by: queue, evenIfStarted: true) else {
      forget(child)
      return false
    }
    guard let group = own as? any Group, group.becameChild(of: self) else { return true }
    group.isNoChild(of: self)
    own.disclaim(by: queue)
    forget(child)
    OperationDiagnostics.report(
      .containsItself, self,
      """
      It would contain itself, and so wait for its own end. The child was not added. A group must not \
      be added to itself, or to a group inside it.
      """)
    return false
  }

  private func forget(_ child: Operation) {
    contents.withLock { _ = $0.members.remove(ObjectIdentifier(child)) }
  }

  /// So that no task awaits the child in vain.
  private func refuse(_ child: Operation, _ isMistake: Bool) {
    forget(child)
    if isMistake {
      OperationDiagnostics.report(
        .addedTooLate, child as? AsyncOperation ?? self,
        """
        It was added to a group that has finished, so it was cancelled. Add it before the group \
        starts, or in a child.
        """)
    }
    child.cancel()
    queue.enqueueUnstarted([child])
  }

  private func enqueue(_ children: [Operation]) {
    let context = context
    for child in children {
      if let own = child as? AsyncOperation {
        own.belong(to: queue, context)
        continue
      }
      let end: @Sendable () -> Void = { [weak self, counts] in
        counts.finished()
        self?.childFinished(child)
      }
      if !child.whenFinished(end) { end() }
    }
    queue.enqueueUnstarted(children)
  }

  // MARK: Running

  /// Starts the children.
  ///
  /// Only `start()` calls it.
  public final override func main() {
    queue.qualityOfService = effectiveQualityOfService
    let (children, action) = contents.withLock { contents in
      let action = contents.machine.started()
      if action == .run { contents.running = self }
      return (contents.children, action)
    }
    enqueue(children)
    if action == .end { finishGroup() }
  }

  private func childFinished(_ child: Operation) {
    let failure = failurePolicy == .first ? child.failure : nil
    let (action, others) = contents.withLock { contents in
      if contents.failure == nil { contents.failure = failure }
      let action = contents.machine.childFinished(endsGroup: failure != nil)
      return (action, action.cancelOthers ? contents.children : [])
    }
    if !others.isEmpty { CancelSweep.cancel(others.filter { $0 !== child }, in: queue) }
    // The end of this group may be that of the last child of another one.
    if action.isEnd { Unnested.end { self.finishGroup() } }
  }

  private func finishGroup() {
    let (children, failure) = contents.withLock { ($0.children, $0.failure) }
    // A timeout, or the app, may end it at the same time.
    finishIfUndecided(with: outcome(of: children, failure))
  }

  private func outcome(
    of children: [Operation], _ failure: (any Error)?
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

  override var children: [Operation] { contents.withLock { $0.children } }

  override func explainWait(of child: Operation) -> String { queue.explainWait(of: child) }

  // MARK: Ending early

  override func childrenToCancel() -> ([Operation], AsyncOperationQueue?) {
    (contents.withLock { $0.machine.cancelled() ? $0.children : [] }, queue)
  }

  private func end() {
    let hasTurn = context != nil
    let (action, released) = contents.withLock { contents in
      let released = contents
      (contents.children, contents.members, contents.running) = ([], [], nil)
      return (contents.machine.ended(), released)
    }
    let children = released.children
    let others = children.filter { !($0 is AsyncOperation) }
    // The system follows bare pointers to them when those that they depend on finish.
    counts.keep(others)
    if action != .none { CancelSweep.cancel(children, in: queue) }
    if hasTurn { for child in children { keepTurn(whileWorking: child) } }
    if action == .endChildren {
      // A cancelled child waits for nothing, so the queue ends it.
      queue.enqueueUnstarted(children.filter { $0 is AsyncOperation })
      // The system's operations end only after a queue starts them.
      for _ in others { counts.finished() }
    }
    counts.endedGroup()
  }

  /// A child that works on after the end of the group counts as its work.
  private func keepTurn(whileWorking child: Operation) {
    if let own = child as? AsyncOperation {
      guard own.worksOn else { return }
      workBegan()
      own.whenWorkEnds { self.workEnded() }
    } else if child.isExecuting {
      workBegan()
      if !child.whenFinished({ self.workEnded() }) { workEnded() }
    }
  }
}

/// A group, whatever the type of its value.
private protocol Group: AsyncOperation {
  var parentGroups: [any Group] { get }
  /// - Returns: Whether the group would contain itself.
  func becameChild(of parent: any Group) -> Bool
  func isNoChild(of parent: any Group)
}

private struct WeakGroup {
  weak var group: (any Group)?
}

extension GroupOperation: Group {
  fileprivate var parentGroups: [any Group] {
    contents.withLock { $0.parents.compactMap(\.group) }
  }

  /// Notes the parent first: of two threads that close a circle, at least one then sees it.
  fileprivate func becameChild(of parent: any Group) -> Bool {
    contents.withLock { $0.parents.append(WeakGroup(group: parent)) }
    var above: [any Group] = [parent]
    while let next = above.popLast() {
      if next === self { return true }
      above += next.parentGroups
    }
    return false
  }

  fileprivate func isNoChild(of parent: any Group) {
    contents.withLock { $0.parents.removeAll { $0.group === parent } }
  }
}
