import Foundation

extension OperationQueue {
  /// Explains in words why an operation of this queue has not started or finished.
  ///
  /// ```swift
  /// print(queue.explain(operation))
  /// // Upload has not started: it waits for dependency Login; the queue is suspended.
  /// ```
  ///
  /// It gives all reasons at once: dependencies, a circle of waits, conditions, the place in line,
  /// a suspended or full queue. For a group it also explains a child, for a retry its attempt, and
  /// for a body that awaits another operation, that one.
  ///
  /// The wording may change. The system reveals neither the barriers of a plain queue nor whether a
  /// plain `addOperation` gave an operation to another queue.
  ///
  /// **Threading**: any thread.
  ///
  /// **Cost**: O(operations of the queue). Behind each named one, it reads at most 1,000.
  public func explain(_ operation: Operation) -> String {
    if operation.isFinished { return operation.endExplanation + "." }
    return (operation.isExecuting ? explainExecution(of: operation) : explainWait(of: operation))
      + "."
  }

  // MARK: Executing

  private static let depth = 8

  private func explainExecution(of operation: Operation) -> String {
    var text = ""
    var current = operation
    // By the queue of the innermost group.
    var explainWait: (Operation) -> String = { self.explainWait(of: $0) }
    for _ in 0..<Self.depth {
      let (state, awaited) = current.executionExplanation
      text += state
      guard let own = current as? AsyncOperation else { return text }
      let children = own.unfinishedChildren
      if let child = children.first {
        text += ": unfinished children: \(children.count); "
        explainWait = { own.explainWait(of: $0) }
        current = child
      } else if let awaited {
        text += "; "
        current = awaited
      } else {
        return text
      }
      guard current.isExecuting else {
        return text + (current.isFinished ? current.endExplanation : explainWait(current))
      }
    }
    return text + "and so on"
  }

  // MARK: Waiting

  func explainWait(of operation: Operation) -> String {
    let name = operation.displayName
    let operations = self.operations
    let isHere =
      operations.contains { $0 === operation }
      || (operation as? AsyncOperation)?.membership.isIn(ObjectIdentifier(self)) == true
    var reasons = operation.reasonsToWait(in: operations)
    let whereabouts = (operation as? AsyncOperation)?.otherQueue ?? "it is not in this queue"
    reasons += isHere ? reasonsToStartNone(of: operations) : [whereabouts]
    guard reasons.isEmpty else {
      return "\(name) has not started: \(reasons.joined(separator: "; "))"
    }
    // Only a queue of this library knows its barriers.
    let mayHaveBarrier = (self as? AsyncOperationQueue)?.hasBarrier ?? true
    let barrier = mayHaveBarrier ? ", unless a barrier is before it" : ""
    return "\(name) is ready: the queue is about to start it\(barrier)"
  }

  private func reasonsToStartNone(of operations: [Operation]) -> [String] {
    var reasons: [String] = []
    if isSuspended { reasons.append("the queue is suspended") }
    let running = operations.filter(\.isExecuting)
    if maxConcurrentOperationCount == 0 {
      reasons.append("the queue has a width of 0, so it starts nothing")
    } else if maxConcurrentOperationCount > 0, running.count >= maxConcurrentOperationCount {
      reasons.append("the queue executes as many as it may: \(running.displayNames)")
    }
    return reasons
  }
}

extension Operation {
  fileprivate var endExplanation: String {
    guard let turn = (self as? AsyncOperation)?.context, turn.hasTurn else {
      return "\(displayName) has finished"
    }
    let names = turn.held.names
    return "\(displayName) has finished, but its work goes on and keeps its turn in \(names)"
  }

  /// The state without children, and an unfinished operation that the body awaits outside of a
  /// circle.
  fileprivate var executionExplanation: (text: String, awaited: Operation?) {
    let state =
      isCancelled ? "\(displayName) was cancelled, and executes" : "\(displayName) executes"
    guard let own = self as? AsyncOperation else { return (state, nil) }
    var reasons = own.workInProgress.map { [$0] } ?? []
    var awaited: Operation?
    if let circle = WaitGraph.circle(from: own, onlyThrough: false) {
      reasons.append("it waits in a circle: \(WaitGraph.names(of: circle))")
    } else {
      let nodes = own.withWaits { $0.all }
      if !nodes.isEmpty {
        reasons.append("it awaits \(nodes.map(\.displayName).joined(separator: " and "))")
      }
      awaited = nodes.compactMap { $0 as? Operation }.last { !$0.isFinished }
    }
    let text = ([state] + (reasons.isEmpty ? [] : [reasons.joined(separator: "; ")]))
      .joined(separator: ": ")
    return (text, awaited)
  }

  /// The reasons that hold in any queue.
  ///
  /// - Parameter operations: Those of the queue.
  fileprivate func reasonsToWait(in operations: [Operation]) -> [String] {
    // A cancelled operation waits for nothing.
    if isCancelled { return ["it was cancelled, and finishes when a queue starts it"] }
    var reasons: [String] = []
    if let circle = WaitGraph.circle(from: self, onlyThrough: false) {
      reasons.append("it waits in a circle: \(WaitGraph.names(of: circle))")
    } else {
      reasons += reasonsOfDependencies(operations)
    }
    return reasons + ((self as? AsyncOperation)?.gateReasons(in: operations) ?? [])
  }

  private func reasonsOfDependencies(_ operations: [Operation]) -> [String] {
    let unfinished = dependencies.filter { !$0.isFinished }
    guard !unfinished.isEmpty else { return [] }
    let lost = unfinished.filter { dependency in
      (dependency as? AsyncOperation)?.isFree == true && !operations.contains { $0 === dependency }
    }
    let noun = unfinished.count == 1 ? "dependency" : "dependencies"
    let reason = "it waits for \(noun) \(unfinished.displayNames)"
    return lost.isEmpty ? [reason] : [reason, "no queue got \(lost.displayNames) by enqueue"]
  }
}

extension [Operation] {
  fileprivate var displayNames: String {
    let names = prefix(3).map(\.displayName).joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }
}

extension AsyncOperation {
  fileprivate func gateReasons(in operations: [Operation]) -> [String] {
    guard let gate else { return [] }
    if membership.isTaken { return gate.reasons }
    // Outside of the queue, a group or the app may still enqueue it.
    return operations.contains { $0 === self }
      ? ["it has conditions or exclusive categories and was not enqueued, so it will fail"] : []
  }

  fileprivate var otherQueue: String? {
    guard membership.isTaken else { return nil }
    return membership.isAdded
      ? "another queue has it" : "it belongs to a group that has not begun"
  }

  fileprivate var isFree: Bool { state == .pending && !membership.isTaken }

  fileprivate var membership: QueueMembership { guarded.withLock { $0.membership } }
}
