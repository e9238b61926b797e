@testable import AsyncOperations
@testable import TestSupport

/// Machines with one fault each, to prove that the explorer sees it.

/// Changes state under the lock and emits after it, as the advice goes, and no more.
///
/// A finish ignores that the emission of the start is still in flight.
struct LiteralMachine: LifeMachine {
  private enum State { case pending, executing, finished }
  private var state = State.pending
  private(set) var isCancelled = false
  private var wasExecuting = false

  var isExecuting: Bool { state == .executing }
  var isFinished: Bool { state == .finished }
  var isDecided: Bool { isFinished }

  mutating func startRequested() -> AsyncOperation.StateMachine.Action {
    guard state == .pending else { return .reportSecondStart }
    if isCancelled { return .publish }
    state = .executing
    wasExecuting = true
    return .announce
  }

  mutating func executingPublished() {}

  mutating func startCallbacksReturned() -> AsyncOperation.StateMachine.Action {
    state == .executing ? .runBody : .none
  }

  mutating func cancelRequested() -> AsyncOperation.StateMachine.Action {
    guard !isCancelled, state != .finished else { return .none }
    isCancelled = true
    return .cancel(state == .pending ? .pending : .body)
  }

  mutating func finishRequested() -> AsyncOperation.StateMachine.Action {
    switch state {
    case .pending: return .reportSecondFinish
    case .executing: return .publish
    case .finished: return .reportSecondFinish
    }
  }

  mutating func cancelAndFinishRequested() -> AsyncOperation.StateMachine.Action { .none }

  mutating func finishRequestedByBody() -> Bool { false }

  mutating func resultDelivered() -> AsyncOperation.StateMachine.Action { .none }

  mutating func finishPublished() -> Bool {
    state = .finished
    return wasExecuting
  }
}

/// The real machine with the answer to one event replaced.
struct AlteredMachine<Fault: MachineFault>: LifeMachine {
  typealias Action = AsyncOperation.StateMachine.Action

  var machine = AsyncOperation.StateMachine()

  var isCancelled: Bool { machine.isCancelled }
  var isExecuting: Bool { machine.isExecuting }
  var isFinished: Bool { machine.isFinished }
  var isDecided: Bool { machine.isDecided }

  mutating func startRequested() -> Action {
    Fault.alter(machine.startRequested(), to: .start)
  }

  mutating func executingPublished() { machine.executingPublished() }

  mutating func startCallbacksReturned() -> Action {
    Fault.alter(machine.startCallbacksReturned(), to: .startCallbacksReturned)
  }

  mutating func cancelRequested() -> Action {
    Fault.alter(machine.cancelRequested(), to: .cancel)
  }

  mutating func cancelAndFinishRequested() -> Action { machine.cancelAndFinishRequested() }

  mutating func finishRequestedByBody() -> Bool { machine.finishRequestedByBody() }

  mutating func resultDelivered() -> Action { machine.resultDelivered() }

  mutating func finishRequested() -> Action {
    Fault.alter(machine.finishRequested(), to: .finish)
  }

  mutating func finishPublished() -> Bool { machine.finishPublished() }
}

protocol MachineFault: Hashable {
  typealias Action = AsyncOperation.StateMachine.Action

  /// The wrong answer to an event; the right one to all others.
  static func alter(_ action: Action, to event: Step) -> Action
}

/// Does not check again after the callbacks of the start have returned.
enum RunsTheBodyAnyway: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    event == .startCallbacksReturned && action != .none ? .runBody : action
  }
}

/// Publishes from the finish although another thread is in the middle of its callbacks.
enum PublishesAtOnce: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    event == .finish && action == .record ? .publish : action
  }
}

/// Publishes from the start although another thread delivers the result.
enum PublishesPastTheDelivery: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    event == .start && action == .none ? .publish : action
  }
}

/// Forgets the end that was left to the starting thread.
enum ForgetsTheEnd: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    event == .startCallbacksReturned && action == .publish ? .none : action
  }
}

/// Does not wake a cancelled body.
enum LetsTheBodySleep: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    action == .cancel(.body) ? .cancel(.starting) : action
  }
}

/// Lets every finish decide.
enum EveryFinishWins: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    event == .finish ? .publish : action
  }
}

/// Does not report a cancel that came while it was starting.
enum KeepsTheCancelToItself: MachineFault {
  static func alter(_ action: Action, to event: Step) -> Action {
    action == .cancel(.starting) ? .none : action
  }
}
