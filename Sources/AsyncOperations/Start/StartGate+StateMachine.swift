extension StartGate {
  /// The way of one operation through its gate, as a value.
  ///
  /// Threads that enqueue, end dependencies, evaluate conditions, grant turns, cancel and finish
  /// race. Each event is one step under a lock, and the shell performs the action after it.
  ///
  /// - Thread A moves the operation on; thread B cancels it. The gate is over by then, so A finds
  ///   nothing more to do, and takes back what it began in between.
  struct StateMachine: Hashable, Sendable {
    typealias Dependency = ObjectIdentifier

    private enum State: Hashable {
      /// Not enqueued.
      case new
      /// A private operation waits until the queue starts operations.
      case inQueue
      /// The shell reads the dependencies.
      case reading
      case waiting(Set<Dependency>)
      case evaluating
      /// Joining the lines, or in line.
      case inLine
      case open
      /// The operation has finished, and its work goes on.
      case keepingTurn
      /// The operation waits for nothing here, and has no turn.
      case over
    }

    /// The part of the way that an operation has to go.
    struct Plan: Hashable, Sendable {
      var hasConditions = false
      var hasCategories = false
    }

    enum Action: Hashable, Sendable {
      case none
      /// Bring a private operation, and report `queueArrived` when it ends.
      case bringStarter
      /// Report `dependenciesRead`.
      case readDependencies
      /// Evaluate the conditions, and report `evaluated`.
      case evaluate
      /// Join the lines, and report `joined`.
      case join
      case open
    }

    private var state = State.new

    var isOver: Bool { state == .over }
    var isEvaluating: Bool { state == .evaluating }
    var isInQueue: Bool { state == .inQueue }
    var isInLine: Bool { state == .inLine }
    var hasTurn: Bool { state == .open || state == .keepingTurn }

    func awaits(_ dependency: Dependency) -> Bool {
      guard case .waiting(let dependencies) = state else { return false }
      return dependencies.contains(dependency)
    }

    // MARK: The way

    /// - Parameter isHeldUp: Whether the queue may not start the operation soon when it is ready.
    mutating func entered(isHeldUp: Bool) -> Action {
      guard state == .new else { return .none }
      state = isHeldUp ? .inQueue : .reading
      return isHeldUp ? .bringStarter : .readDependencies
    }

    /// The queue has started the private operation.
    mutating func queueArrived() -> Action {
      guard state == .inQueue else { return .none }
      state = .reading
      return .readDependencies
    }

    /// - Parameters:
    ///   - dependencies: Those that have not finished.
    ///   - plan: `nil` if the operation was cancelled, or its end is decided.
    mutating func dependenciesRead(_ dependencies: Set<Dependency>, _ plan: Plan?) -> Action {
      guard state == .reading else { return .none }
      if dependencies.isEmpty { return goOn(plan) }
      state = .waiting(dependencies)
      return .none
    }

    /// - Returns: Whether the operation waits for it.
    mutating func dependencyAdded(_ dependency: Dependency) -> Bool {
      guard case .waiting(var dependencies) = state else { return false }
      state = .over  // Keeps the set unique while it grows.
      dependencies.insert(dependency)
      state = .waiting(dependencies)
      return true
    }

    /// A dependency has finished, or was removed.
    mutating func dependencyGone(_ dependency: Dependency, _ plan: Plan?) -> Action {
      guard case .waiting(var dependencies) = state else { return .none }
      state = .over  // Keeps the set unique while it shrinks.
      let wasAwaited = dependencies.remove(dependency) != nil
      state = .waiting(dependencies)
      return wasAwaited && dependencies.isEmpty ? goOn(plan) : .none
    }

    /// The conditions are satisfied, or one of them has failed.
    mutating func evaluated(isSatisfied: Bool, _ plan: Plan?) -> Action {
      guard state == .evaluating else { return .none }
      return goOn(isSatisfied ? plan.map { Plan(hasCategories: $0.hasCategories) } : nil)
    }

    private mutating func goOn(_ plan: Plan?) -> Action {
      switch plan {
      case let plan? where plan.hasConditions:
        state = .evaluating
        return .evaluate
      case let plan? where plan.hasCategories:
        state = .inLine
        return .join
      default:
        // Without a turn.
        state = .over
        return .open
      }
    }

    enum JoinedAction: Hashable, Sendable {
      case none
      case open
      /// The operation waits no longer: leave the lines.
      case leave
    }

    mutating func joined(hasTurn: Bool) -> JoinedAction {
      switch state {
      case .inLine where hasTurn:
        state = .open
        return .open
      case .over:
        return .leave
      case .new, .inQueue, .reading, .waiting, .evaluating, .inLine, .open, .keepingTurn:
        return .none
      }
    }

    mutating func turnCame() -> Action {
      guard state == .inLine else { return .none }
      state = .open
      return .open
    }

    // MARK: The end

    enum EndAction: Hashable, Sendable {
      case none
      /// Take back all that was begun, and leave the lines.
      case leave
      /// Report `workEnded` when the operation's work has ended.
      case keepTurn
    }

    /// The operation was cancelled before its start, or is deallocated.
    mutating func abandoned() -> EndAction {
      switch state {
      case .over, .keepingTurn: return .none
      case .new, .inQueue, .reading, .waiting, .evaluating, .inLine, .open:
        state = .over
        return .leave
      }
    }

    mutating func finished() -> EndAction {
      switch state {
      case .open:
        state = .keepingTurn
        return .keepTurn
      case .over, .keepingTurn:
        return .none
      case .new, .inQueue, .reading, .waiting, .evaluating, .inLine:
        state = .over
        return .leave
      }
    }

    mutating func workEnded() -> EndAction {
      guard state == .keepingTurn else { return .none }
      state = .over
      return .leave
    }
  }
}
