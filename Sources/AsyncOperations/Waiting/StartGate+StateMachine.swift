extension StartGate {
  /// The way of one operation through its gate, as a value.
  ///
  /// Threads race. Each event is one step under a lock, and the shell performs the action after it.
  ///
  /// - Thread A moves the operation on; thread B cancels it. The gate is over by then, so A finds
  ///   nothing more to do, and takes back what it began in between.
  /// - Thread A returns the turn; thread B lets the queue go on. B does nothing before A has left
  ///   the lines, so the operation has one place in each, and A looks at the queue then.
  struct StateMachine: Hashable, Sendable {
    private enum State: Hashable {
      case new
      /// A private operation waits for the dependencies, and until the queue starts operations.
      case inQueue
      case evaluating
      case inLine
      case open
      /// It has returned its turn, and is about to leave the line.
      case returning
      /// It executes, without its turn in a pause.
      case away
      /// It waits for nothing here, and has no turn.
      case over
    }

    enum Action: Hashable, Sendable {
      case none
      /// Bring a private operation, and report `queueArrived` when it ends.
      case bringStarter
      case evaluate
      case join
      case open
      /// Take back all that was begun, and leave the lines.
      case leave
    }

    private var state = State.new

    var isOver: Bool { state == .over }
    var isEvaluating: Bool { state == .evaluating }
    var isInQueue: Bool { state == .inQueue }
    var isInLine: Bool { state == .inLine }
    var hasTurn: Bool { state == .open }

    // MARK: The way

    /// - Parameters:
    ///   - waits: Whether it has unfinished dependencies, or its queue is suspended.
    ///   - next: `evaluate`, `join`, or `open` if it needs neither.
    mutating func entered(waits: Bool, _ next: Action) -> Action {
      guard state == .new else { return .none }
      state = .inQueue
      return waits ? .bringStarter : goOn(next)
    }

    /// The queue goes on, or has started the operation or its private one.
    mutating func queueArrived(_ next: Action) -> Action { state == .inQueue ? goOn(next) : .none }

    mutating func evaluated(_ next: Action) -> Action { state == .evaluating ? goOn(next) : .none }

    private mutating func goOn(_ next: Action) -> Action {
      switch next {
      case .evaluate: state = .evaluating
      case .join: state = .inLine
      // Without a turn.
      case .open, .none, .bringStarter, .leave: state = .over
      }
      return next
    }

    mutating func joined(hasTurn: Bool) -> Action {
      switch state {
      case .inLine: hasTurn ? turnCame() : .none
      case .over: .leave
      case .new, .inQueue, .evaluating, .open, .returning, .away: .none
      }
    }

    mutating func turnCame() -> Action {
      guard state == .inLine else { return .none }
      state = .open
      return .open
    }

    // MARK: Without the turn

    /// The queue was suspended before the start.
    ///
    /// - Returns: Whether it had a turn, which it leaves.
    mutating func turnReturned() -> Bool {
      guard state == .open else { return false }
      state = .returning
      return true
    }

    /// It is in no line, and may get in line again.
    mutating func turnLeft() { if state == .returning { state = .inQueue } }

    mutating func turnYielded() -> Bool {
      guard state == .open else { return false }
      state = .inLine
      return true
    }

    mutating func paused() -> Bool {
      guard state == .open else { return false }
      state = .away
      return true
    }

    mutating func resumed() -> Action {
      guard state == .away else { return .none }
      state = .inLine
      return .join
    }

    // MARK: The end

    /// The operation needs no start, is deallocated, or has finished and its work has ended.
    mutating func ended() -> Action {
      guard state != .over else { return .none }
      state = .over
      return .leave
    }
  }
}
