import Foundation

/// An operation, or a task with a permit, in the graph of waits.
protocol WaitNode: AnyObject, Sendable {
  /// The name in reports and explanations.
  var displayName: String { get }
  /// It cannot go on before each of them has.
  var edges: [any WaitNode] { get }
}

extension WaitNode {
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// The graph of all waits, as far as the library knows them.
///
/// A search reads the state of one operation after the other, while threads change them. So it
/// reads a circle twice before it reports it.
enum WaitGraph {
  static let stepLimit = 1_000

  /// The nodes of a circle, the first of them at both ends.
  ///
  /// - Parameter onlyThrough: Whether the circle must contain the node.
  static func circle(from start: any WaitNode, onlyThrough: Bool) -> [any WaitNode]? {
    var path: [(node: any WaitNode, next: [any WaitNode])] = []
    var onPath: Set<ObjectIdentifier> = []
    var seen: Set<ObjectIdentifier> = []
    func enter(_ node: any WaitNode) {
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
        return circle + [next]
      }
      if seen.contains(next.id) { continue }
      if seen.count >= stepLimit { return nil }
      enter(next)
    }
    return nil
  }

  /// Reports a circle through a node that has just begun to wait.
  static func look(from start: any WaitNode) {
    report(circle(from: start, onlyThrough: true))
  }

  private static func report(_ circle: [any WaitNode]?) {
    // Read again: the first reading may have mixed two moments.
    guard let circle,
      zip(circle, circle.dropFirst()).allSatisfy({ node, next in
        node.edges.contains { $0.id == next.id }
      })
    else { return }
    let operations = circle.compactMap { node -> AsyncOperation? in
      let own = node as? AsyncOperation
      return (own as? PrivateOperation)?.served as? AsyncOperation ?? own
    }
    // Each circle once, though several operations find it.
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

  static func names(of circle: [any WaitNode]) -> String {
    let names = circle.map(\.displayName)
    guard names.count > 8 else { return names.joined(separator: ", ") }
    return (names.prefix(6) + ["… (\(names.count - 7) more)"] + names.suffix(1))
      .joined(separator: ", ")
  }
}

extension AsyncOperation {
  /// Whether another operation, or a group, may wait for it.
  var canBeInCircle: Bool {
    guarded.withLock { guarded in
      let isAwaited = guarded.hasDependents || guarded.home != nil || guarded.membership.isClaimed
      return isAwaited && !guarded.machine.isFinished
    }
  }

  /// - Returns: Whether it was in no circle that was reported.
  fileprivate func noteCircle() -> Bool {
    guarded.withLock { guarded in
      defer { guarded.isInCircle = true }
      return !guarded.isInCircle
    }
  }
}

extension Operation: WaitNode {
  var displayName: String {
    guard let own = self as? PrivateOperation else { return name ?? "\(type(of: self))" }
    return own.served?.displayName ?? "a released operation"
  }

  var edges: [any WaitNode] {
    if let own = self as? AsyncOperation { return own.ownEdges }
    if isFinished || isExecuting || isCancelled { return [] }
    return dependencies.filter { !$0.isFinished }
  }
}

extension AsyncOperation {
  fileprivate var ownEdges: [any WaitNode] {
    let (isPending, waits, gate) = guarded.withLock {
      (!$0.machine.wasStarted, $0.waits.all, $0.gate)
    }
    let others: [any WaitNode] = waits + unfinishedChildren + (gate?.edges ?? [])
    guard isPending else { return others }
    // A cancelled operation waits for nothing before its start.
    return isCancelled ? [] : dependencies.filter { !$0.isFinished } + others
  }
}
