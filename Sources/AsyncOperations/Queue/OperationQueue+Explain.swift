import Foundation

extension OperationQueue {
  /// Explains in words why an operation of this queue has not started or finished.
  ///
  /// ```swift
  /// print(queue.explain(upload))
  /// // Upload has not started: it waits for dependency Login; the queue is suspended.
  /// ```
  ///
  /// It gives all reasons at once: unfinished dependencies, a circle of dependencies, conditions,
  /// the position in line for an exclusive category, a suspended or full queue. For a group that
  /// executes it explains a child. Operations appear by their `name`, or by their type without one.
  /// The text helps people find a fault: its wording may change, and the operation may have moved
  /// on before you read it.
  ///
  /// The system does not reveal barriers. An operation that waits for one reads as about to start.
  ///
  /// **Threading**: any thread.
  ///
  /// **Cost**: O(operations of the queue, and dependencies that lead to this one).
  public func explain(_ operation: Operation) -> String {
    let name = operation.displayName
    if operation.isFinished { return "\(name) has finished." }
    if operation.isExecuting {
      let start = operation.isCancelled ? "\(name) was cancelled, and executes" : "\(name) executes"
      return ([start] + ((operation as? AsyncOperation)?.workInProgress.map { [$0] } ?? []))
        .joined(separator: ": ") + "."
    }
    let reasons = operation.reasonsToWait + self.reasons(toWaitFor: operation)
    guard !reasons.isEmpty else {
      return "\(name) is ready: the queue is about to start it, unless a barrier is before it."
    }
    return "\(name) has not started: \(reasons.joined(separator: "; "))."
  }

  private func reasons(toWaitFor operation: Operation) -> [String] {
    let operations = self.operations
    guard operations.contains(where: { $0 === operation }) else {
      return [(operation as? AsyncOperation)?.otherQueue ?? "it is not in this queue"]
    }
    var reasons: [String] = []
    if isSuspended { reasons.append("the queue is suspended") }
    let running = operations.filter(\.isExecuting)
    if maxConcurrentOperationCount >= 0, running.count >= maxConcurrentOperationCount {
      reasons.append("the queue executes as many as it may: \(running.displayNames)")
    }
    return reasons
  }
}

extension Operation {
  var displayName: String { name ?? "\(type(of: self))" }

  /// The reasons for which it cannot start in any queue.
  fileprivate var reasonsToWait: [String] {
    // A cancelled operation waits for nothing.
    if isCancelled { return ["it was cancelled, and finishes when a queue starts it"] }
    let unfinished = dependencies.filter { !$0.isFinished }
    var reasons: [String] = []
    if let circle = circleOfDependencies {
      let names = circle.map(\.displayName).joined(separator: ", ")
      reasons.append("its dependencies lead in a circle: \(names)")
    } else if !unfinished.isEmpty {
      let noun = unfinished.count == 1 ? "dependency" : "dependencies"
      reasons.append("it waits for \(noun) \(unfinished.displayNames)")
    }
    return reasons + ((self as? AsyncOperation)?.gateExplanation.map { [$0] } ?? [])
  }

  /// Operations that wait for each other, the first of them at both ends.
  ///
  /// `nil` if no path along the unfinished dependencies leads to such a circle. O(dependencies) on
  /// all paths. It does not recurse, as chains may be long.
  private var circleOfDependencies: [Operation]? {
    var path: [(operation: Operation, next: [Operation])] = []
    var onPath: Set<ObjectIdentifier> = []
    var seen: Set<ObjectIdentifier> = []
    func enter(_ operation: Operation) {
      seen.insert(ObjectIdentifier(operation))
      onPath.insert(ObjectIdentifier(operation))
      let waiting = operation.isCancelled ? [] : operation.dependencies.filter { !$0.isFinished }
      path.append((operation, waiting.reversed()))
    }
    enter(self)
    while !path.isEmpty {
      guard let next = path[path.count - 1].next.popLast() else {
        onPath.remove(ObjectIdentifier(path.removeLast().operation))
        continue
      }
      if onPath.contains(ObjectIdentifier(next)) {
        let circle = path.map(\.operation).drop { $0 !== next }
        return circle + [next]
      }
      if !seen.contains(ObjectIdentifier(next)) { enter(next) }
    }
    return nil
  }
}

extension [Operation] {
  /// The first few names, and the number of the others.
  fileprivate var displayNames: String {
    let names = prefix(3).map(\.displayName).joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }
}

extension AsyncOperation {
  fileprivate var gateExplanation: String? {
    let (passage, isAdded) = guarded.withLock { ($0.gate, $0.membership.isAdded) }
    guard case .closed(let gate) = passage else { return nil }
    return isAdded
      ? gate.explanation
      : "it has conditions or exclusive categories and was not enqueued, so it will fail"
  }

  fileprivate var otherQueue: String? {
    guarded.withLock { guarded in
      guard guarded.membership.isTaken else { return nil }
      return guarded.membership.isAdded
        ? "another queue has it" : "it belongs to a group that has not begun"
    }
  }
}
