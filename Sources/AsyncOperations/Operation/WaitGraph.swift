import Foundation

/// An operation or a task in the graph of waits.
enum WaitNode: Sendable {
  case operation(ThreadSafe<Operation>)
  case task(any WaitingTask)

  init(_ operation: Operation) { self = .operation(ThreadSafe(operation)) }

  var id: ObjectIdentifier {
    switch self {
    case .operation(let operation): ObjectIdentifier(operation.object)
    case .task(let task): ObjectIdentifier(task)
    }
  }

  var name: String {
    switch self {
    case .operation(let operation): operation.object.displayName
    case .task(let task): task.name
    }
  }

  /// Those for which it certainly waits: it cannot go on before each of them has.
  fileprivate var edges: [WaitNode] {
    switch self {
    case .operation(let operation): operation.object.edges
    case .task(let task): task.edges
    }
  }
}

/// The graph of all waits, as far as the library knows them.
///
/// A search reads the state of one operation after the other, while threads change them. So it
/// reads a circle twice before it reports it.
enum WaitGraph {
  /// The largest number of operations and tasks that a search reads.
  static let stepLimit = 1_000

  struct Search {
    /// The nodes of a circle, the first of them at both ends.
    var circle: [WaitNode]?
    /// Whether all that the first node waits for was read, and does not change by itself.
    var isComplete = false
  }

  /// Looks for a circle.
  ///
  /// - Parameters:
  ///   - start: A node of the circle, or one from which it can be reached.
  ///   - onlyThrough: Whether the circle must contain the node.
  ///   - isSettled: Whether no circle leads through an operation, as an earlier search has found.
  static func search(
    from start: WaitNode, onlyThrough: Bool, isSettled: (AsyncOperation) -> Bool = { _ in false }
  ) -> Search {
    var path: [(node: WaitNode, next: [WaitNode])] = []
    var onPath: Set<ObjectIdentifier> = []
    var seen: Set<ObjectIdentifier> = []
    func enter(_ node: WaitNode) {
      seen.insert(node.id)
      onPath.insert(node.id)
      path.append((node, node.edges.reversed()))
    }
    enter(start)
    while !path.isEmpty {
      guard let next = path[path.count - 1].next.popLast() else {
        onPath.remove(path.removeLast().node.id)
        continue
      }
      if onPath.contains(next.id) {
        let circle = path.map(\.node).drop { $0.id != next.id }
        if onlyThrough, next.id != start.id { continue }
        return Search(circle: circle + [next])
      }
      if seen.contains(next.id) { continue }
      if case .operation(let operation) = next, let own = operation.object as? AsyncOperation,
        isSettled(own)
      {
        continue
      }
      if seen.count >= stepLimit { return Search() }
      enter(next)
    }
    return Search(isComplete: true)
  }

  /// Reports a circle through a node, which has just begun to wait for another one.
  static func look(from start: WaitNode) {
    report(search(from: start, onlyThrough: true).circle)
  }

  private static func report(_ circle: [WaitNode]?) {
    // Read again: the first reading may have mixed two moments.
    guard let circle,
      zip(circle, circle.dropFirst()).allSatisfy({ node, next in
        node.edges.contains { $0.id == next.id }
      })
    else { return }
    let operations = circle.compactMap { node -> AsyncOperation? in
      guard case .operation(let operation) = node else { return nil }
      let own = operation.object as? AsyncOperation
      return (own as? PrivateOperation)?.served as? AsyncOperation ?? own
    }
    // Each circle once, though several of its operations look for it.
    let isNew = operations.map { $0.noteCircle() }.contains(true)
    guard isNew || operations.isEmpty else { return }
    OperationDiagnostics.report(
      .circularWait, operations.first,
      """
      It waits for itself, so none of these goes on: \(names(of: circle)). Remove a dependency, let \
      code that has a turn await nothing that needs it, or give exclusive operations a queue of \
      their own.
      """)
  }

  /// The first few names of a circle.
  static func names(of circle: [WaitNode]) -> String {
    let names = circle.map(\.name)
    guard names.count > 8 else { return names.joined(separator: ", ") }
    return (names.prefix(6) + ["… (\(names.count - 7) more)"] + names.suffix(1))
      .joined(separator: ", ")
  }

  // MARK: Dependencies

  /// Counts the dependencies that enqueued operations have gained.
  private static let lateDependencies = Lock<UInt64>(0)

  /// An operation with dependents was enqueued: looks for a circle of enqueued operations.
  ///
  /// The operation of a circle that is enqueued last finds it. Others stop at operations that are
  /// not enqueued, and at those that are settled. So a long chain costs one step each.
  static func operationEnqueued(_ operation: AsyncOperation) {
    guard operation.canBeInCircle else { return }
    let moment = lateDependencies.withLock { $0 }
    var isSettled = true
    let search = search(from: operation.node, onlyThrough: true) { other in
      if !other.isEnqueued { isSettled = false }
      return !other.isEnqueued || other.isSettled(since: moment)
    }
    if search.isComplete, isSettled { operation.settle(at: moment) }
    report(search.circle)
  }

  /// An enqueued operation waits for one more operation.
  static func edgeGained(by operation: AsyncOperation) {
    guard operation.canBeInCircle, operation.isEnqueued else { return }
    lateDependencies.withLock { $0 += 1 }
    look(from: operation.node)
  }
}

extension AsyncOperation {
  fileprivate var canBeInCircle: Bool {
    guarded.withLock { $0.hasDependents && !$0.machine.isFinished }
  }

  /// Whether a queue or a group has it, or it has started.
  fileprivate var isEnqueued: Bool {
    guarded.withLock { $0.membership.isTaken || $0.machine.wasStarted }
  }

  fileprivate func isSettled(since moment: UInt64) -> Bool {
    guarded.withLock { $0.extras?.settledAt == moment || $0.machine.isFinished }
  }

  fileprivate func settle(at moment: UInt64) {
    guarded.withLock { $0.extras.made.settledAt = moment }
  }

  /// - Returns: Whether it was in no circle that was reported.
  fileprivate func noteCircle() -> Bool {
    guarded.withLock { guarded in
      let extras = guarded.extras.made
      defer { extras.isInCircle = true }
      return !extras.isInCircle
    }
  }
}

extension Operation {
  /// The name in reports and explanations.
  var displayName: String {
    guard let own = self as? PrivateOperation else { return name ?? "\(type(of: self))" }
    return own.served?.displayName ?? "a released operation"
  }

  /// Those for which it certainly waits.
  fileprivate var edges: [WaitNode] {
    if let own = self as? AsyncOperation { return own.ownEdges }
    if isFinished || isExecuting || isCancelled { return [] }
    return dependencies.filter { !$0.isFinished }.map { WaitNode($0) }
  }
}

extension AsyncOperation {
  fileprivate var ownEdges: [WaitNode] {
    let (isPending, extras) = guarded.withLock { guarded in
      (!guarded.machine.wasStarted, guarded.extras.map { ($0.waits.all, $0.gate) })
    }
    let waits = extras?.0 ?? []
    let children = unfinishedChildren.map { WaitNode($0) }
    // A cancelled operation waits for nothing before its start.
    guard isPending else { return waits + children }
    if isCancelled { return [] }
    let dependencies = allDependencies.filter { !$0.isFinished && !($0 is PrivateOperation) }
    return dependencies.map { WaitNode($0) } + (extras?.1?.edges ?? []) + children
  }
}
