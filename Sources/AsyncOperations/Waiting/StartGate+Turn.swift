import Foundation

extension StartGate: TurnMember, Turn {
  func awaited(at priority: TaskPriority) {
    contents.withLock({ $0.evaluation })?.awaited(at: priority)
  }

  var operationsAhead: [Operation] {
    guard let ticket = contents.withLock({ $0.ticket }) else { return [] }
    return TurnRegistry.operations(aheadOf: ticket)
  }

  var isHeld: Bool { contents.withLock { $0.machine.hasTurn } }

  // MARK: Explanations

  var edges: [any WaitNode] {
    let (machine, ticket, queue) = contents.withLock { ($0.machine, $0.ticket, $0.queue) }
    if let ticket, machine.isInLine { return TurnRegistry.blockers(of: ticket) }
    // A turn without a slot: the operation that executes in a queue of width 1 must end first.
    guard machine.hasTurn, operation?.state == .pending, let queue,
      queue.maxConcurrentOperationCount == 1
    else { return [] }
    return queue.operations.filter(\.isExecuting)
  }

  var reasons: [String] {
    let (machine, ticket) = contents.withLock { ($0.machine, $0.ticket) }
    if machine.isEvaluating { return ["it waits for its conditions, which are being evaluated"] }
    if machine.isInQueue {
      let next = categories.isEmpty ? "its conditions are evaluated" : "it gets in line"
      return ["its queue must start operations before \(next)"]
    }
    guard let ticket, machine.isInLine else { return [] }
    return TurnRegistry.membersAhead(of: ticket)
      .filter { $0.members.count >= $0.category.limit }
      .sorted { $0.category.name < $1.category.name }
      .map { line in
        let holders = line.members.prefix(line.category.limit).compactMap(\.holderName)
        let place = "it is \((line.members.count + 1).ordinal) in line for '\(line.category.name)'"
        return holders.isEmpty ? place : "\(place), behind \(holders.joined(separator: " and "))"
      }
  }

  var holderName: String? {
    guard let operation else { return nil }
    let name = operation.displayName
    if operation.isFinished { return "\(name), which has finished but whose work goes on" }
    let isSuspended = contents.withLock({ $0.queue })?.isSuspended == true
    return isSuspended && !operation.isExecuting ? "\(name), whose queue is suspended" : name
  }

  var notEnqueued: OperationError {
    OperationError(
      code: .notEnqueued,
      description: """
        The operation has conditions or exclusive categories, which only enqueue applies. Add it with \
        enqueue, or use an AsyncOperationQueue.
        """)
  }
}

extension AsyncOperation {
  func changeGate(_ change: (inout StartGate.Plan) -> Void) {
    let gate = guarded.withLock { guarded -> StartGate? in
      guard !guarded.membership.isAdded, !guarded.machine.wasStarted else { return nil }
      let gate = guarded.gate ?? StartGate(self)
      gate.contents.withLock { change(&$0.plan) }
      guarded.gate = gate
      return gate
    }
    guard let gate else {
      OperationDiagnostics.report(
        .addedTooLate, self,
        """
        A condition or a category was added after the operation was enqueued or started, which was \
        ignored. Add it before.
        """)
      return
    }
    // A cancel that came before found no gate.
    if isCancelled { gate.operationDecided(self) }
  }
}
