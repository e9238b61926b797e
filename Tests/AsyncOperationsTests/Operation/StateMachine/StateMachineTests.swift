import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("AsyncOperation's state machine")
struct StateMachineTests {
  private typealias Machine = AsyncOperation.StateMachine

  // MARK: One after the other

  @Test("A new machine is pending")
  func initially() { expect(Machine(), "") }

  @Test("A start announces and then runs the body; a finish publishes the end")
  func plainLife() {
    var machine = Machine()
    #expect(machine.startRequested() == .announce)
    expect(machine, "")
    machine.executingPublished()
    expect(machine, "executing")
    #expect(machine.startCallbacksReturned() == .runBody)
    expect(machine, "executing")
    #expect(machine.finishRequested() == .publish)
    expect(machine, "executing decided ending")
    #expect(machine.finishPublished() == true)
    expect(machine, "decided ending finished")
  }

  @Test("A second start is reported in every later state")
  func secondStart() {
    for var machine in [starting(), executing(), finishing(), finished()] {
      let before = machine
      #expect(machine.startRequested() == .reportSecondStart)
      #expect(machine == before)
    }
  }

  // MARK: Finish before the body

  @Test("A finish before the start is recorded; the start publishes the end and runs no body")
  func finishBeforeStart() {
    var machine = Machine()
    #expect(machine.finishRequested() == .record)
    expect(machine, "decided")
    #expect(machine.startRequested() == .publish)
    expect(machine, "decided ending")
    #expect(machine.finishPublished() == false)
    expect(machine, "decided ending finished")
  }

  @Test("A finish during the start is recorded; the starting thread publishes the end")
  func finishWhileStarting() {
    var machine = starting()
    #expect(machine.finishRequested() == .record)
    expect(machine, "executing decided")
    #expect(machine.startCallbacksReturned() == .publish)
    expect(machine, "executing decided ending")
  }

  @Test("A second finish is reported in every state")
  func secondFinish() {
    var decided = Machine()
    _ = decided.finishRequested()
    for var machine in [decided, finishing(), finished()] {
      let before = machine
      #expect(machine.finishRequested() == .reportSecondFinish)
      #expect(machine == before)
    }
  }

  @Test("A second finish of a cancelled operation is ignored as late")
  func lateFinish() {
    var machine = executing()
    _ = machine.cancelRequested()
    _ = machine.cancelCallbacksReturned()
    #expect(machine.finishRequested() == .publish)
    #expect(machine.finishRequested() == .ignoreLate)
    _ = machine.finishPublished()
    #expect(machine.finishRequested() == .ignoreLate)
    expect(machine, "cancelled decided ending finished")
  }

  // MARK: Cancel

  @Test("A cancel while pending is announced at once; the start publishes the end")
  func cancelPending() {
    var machine = Machine()
    #expect(machine.cancelRequested() == .announceCancel(isPending: true))
    expect(machine, "cancelled")
    #expect(machine.cancelCallbacksReturned() == .none)
    #expect(machine.startRequested() == .publish)
    expect(machine, "cancelled decided ending")
  }

  @Test("A cancel during the start is announced by the starting thread, which then publishes")
  func cancelWhileStarting() {
    var machine = starting()
    #expect(machine.cancelRequested() == .none)
    expect(machine, "cancelled executing")
    #expect(machine.startCallbacksReturned() == .announceCancelAndPublish)
    expect(machine, "cancelled executing decided ending")
    #expect(machine.cancelCallbacksReturned() == .none)
  }

  @Test("A cancel while executing is announced, then the body is woken")
  func cancelExecuting() {
    var machine = executing()
    #expect(machine.cancelRequested() == .announceCancel(isPending: false))
    #expect(machine.cancelCallbacksReturned() == .wakeBody)
    expect(machine, "cancelled executing")
  }

  @Test("A second cancel, or a cancel after the end was decided, changes nothing")
  func cancelTwice() {
    var cancelled = executing()
    _ = cancelled.cancelRequested()
    for var machine in [cancelled, finishing(), finished()] {
      let before = machine
      #expect(machine.cancelRequested() == .none)
      #expect(machine == before)
    }
  }

  @Test("A cancel after a finish before the start only lets the operation leave its queue")
  func cancelDecided() {
    var machine = Machine()
    _ = machine.finishRequested()
    #expect(machine.cancelRequested() == .leaveQueue)
    expect(machine, "decided")
    #expect(machine.cancelRequested() == .none)
    #expect(machine.cancelCallbacksReturned() == .none)
    #expect(machine.cancelRequested() == .leaveQueue)
    expect(machine, "decided")
  }

  // MARK: Cancel and end in one step

  @Test("An ending cancel while pending decides at once; the start publishes the end")
  func timeOutPending() {
    var machine = Machine()
    expect(&machine, endsByCancel: true, .announceCancel(isPending: true))
    expect(machine, "cancelled decided")
    #expect(machine.cancelCallbacksReturned() == .none)
    #expect(machine.startRequested() == .publish)
  }

  @Test("An ending cancel during the start is recorded; the starting thread publishes the end")
  func timeOutWhileStarting() {
    var machine = starting()
    expect(&machine, endsByCancel: true, .none)
    expect(machine, "cancelled executing decided")
    #expect(machine.startCallbacksReturned() == .announceCancelAndPublish)
  }

  @Test("An ending cancel while executing is announced; then the end and the wake-up follow")
  func timeOutExecuting() {
    var machine = executing()
    expect(&machine, endsByCancel: true, .announceCancel(isPending: false))
    expect(machine, "cancelled executing decided")
    #expect(machine.finishRequested() == .ignoreLate)
    #expect(machine.cancelCallbacksReturned() == .publishAndWakeBody)
  }

  @Test("An ending cancel after a cancel only decides the end")
  func timeOutAfterCancel() {
    var machine = executing()
    _ = machine.cancelRequested()
    var waiting = machine
    expect(&waiting, endsByCancel: true, .none)
    #expect(waiting.cancelCallbacksReturned() == .publishAndWakeBody)
    _ = machine.cancelCallbacksReturned()
    expect(&machine, endsByCancel: true, .publish)
    expect(machine, "cancelled executing decided ending")
  }

  @Test("An ending cancel changes nothing after the end was decided")
  func timeOutDecided() {
    var decided = Machine()
    _ = decided.finishRequested()
    for var machine in [decided, finishing(), finished()] {
      let before = machine
      expect(&machine, endsByCancel: false, .none)
      #expect(machine == before)
    }
  }

  // MARK: A body that decides first

  @Test("A body that decides its end publishes it later; no cancel comes in between")
  func decidedByBody() {
    var machine = executing()
    let decides = machine.finishRequestedByBody()
    #expect(decides)
    expect(machine, "executing decided")
    #expect(machine.cancelRequested() == .none)
    expect(&machine, endsByCancel: false, .none)
    #expect(machine.finishRequested() == .reportSecondFinish)
    #expect(machine.bodyReturned() == .publish)
    expect(machine, "executing decided ending")
    #expect(machine.bodyReturned() == .none)
  }

  @Test("A body cannot decide its end after a cancel")
  func bodyAfterCancel() {
    var machine = executing()
    _ = machine.cancelRequested()
    let decides = machine.finishRequestedByBody()
    #expect(!decides)
    expect(machine, "cancelled executing")
  }

  // MARK: The thread with callbacks in flight publishes

  @Test("A finish during a cancel decides; the cancelling thread publishes and wakes the body")
  func finishWhileCancelling() {
    var machine = executing()
    _ = machine.cancelRequested()
    #expect(machine.finishRequested() == .record)
    expect(machine, "cancelled executing decided")
    #expect(machine.cancelCallbacksReturned() == .publishAndWakeBody)
    expect(machine, "cancelled executing decided ending")
  }

  @Test("A start during a cancel leaves the end to the cancelling thread")
  func startWhileCancelling() {
    var machine = Machine()
    _ = machine.cancelRequested()
    #expect(machine.startRequested() == .none)
    expect(machine, "cancelled decided")
    #expect(machine.cancelCallbacksReturned() == .publish)
    expect(machine, "cancelled decided ending")
  }

  @Test("A start while the operation leaves its queue announces nothing")
  func startWhileLeaving() {
    var machine = Machine()
    _ = machine.finishRequested()
    _ = machine.cancelRequested()
    #expect(machine.startRequested() == .none)
    expect(machine, "decided")
    #expect(machine.cancelCallbacksReturned() == .publish)
    expect(machine, "decided ending")
  }

  // MARK: Unexpected events

  @Test("An unexpected return of callbacks or publication changes nothing")
  func unsolicited() {
    for var machine in [Machine(), executing(), finished()] {
      let before = machine
      #expect(machine.startCallbacksReturned() == .none)
      #expect(machine.cancelCallbacksReturned() == .none)
      #expect(machine.finishPublished() == false)
      machine.executingPublished()
      #expect(machine == before)
    }
  }

  // MARK: Helpers

  private func starting() -> Machine {
    var machine = Machine()
    _ = machine.startRequested()
    machine.executingPublished()
    return machine
  }

  private func executing() -> Machine {
    var machine = starting()
    _ = machine.startCallbacksReturned()
    return machine
  }

  private func finishing() -> Machine {
    var machine = executing()
    _ = machine.finishRequested()
    return machine
  }

  private func finished() -> Machine {
    var machine = finishing()
    _ = machine.finishPublished()
    return machine
  }

  private func expect(
    _ machine: inout Machine, endsByCancel: Bool, _ action: Machine.Action,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (found, decides) = machine.cancelAndFinishRequested()
    #expect(found == action && decides == endsByCancel, sourceLocation: sourceLocation)
  }

  /// Expects that exactly the named facts are true of the machine.
  private func expect(
    _ machine: Machine, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let facts = [
      ("cancelled", machine.isCancelled), ("executing", machine.isExecuting),
      ("decided", machine.isDecided), ("ending", machine.isEnding),
      ("finished", machine.isFinished),
    ]
    let truths = facts.filter(\.1).map(\.0).joined(separator: " ")
    #expect(truths == words, sourceLocation: sourceLocation)
  }
}
