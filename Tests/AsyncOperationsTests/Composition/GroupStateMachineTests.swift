import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Group state machine")
struct GroupStateMachineTests {
  private typealias ChildFinished = GroupStateMachine.ChildFinishedAction

  @Test("A child that comes after an early end is no mistake of the caller")
  func earlyEnd() {
    var failed = running(children: 1)
    _ = failed.childFinished(endsGroup: true)
    var cancelled = running(children: 1)
    _ = cancelled.cancelled()
    _ = cancelled.childFinished(endsGroup: false)
    var ended = running(children: 1)
    _ = ended.ended()
    _ = ended.childFinished(endsGroup: false)
    var neverRan = GroupStateMachine()
    _ = neverRan.ended()
    var cancelledEmpty = GroupStateMachine()
    _ = cancelledEmpty.cancelled()
    _ = cancelledEmpty.started()
    for machine in [failed, cancelled, ended, neverRan, cancelledEmpty] {
      var machine = machine
      #expect(machine.childAdded() == .refuse(isMistake: false))
    }
  }

  @Test("A group that is finished from outside cancels its children or ends the held ones")
  func ended() {
    var held = GroupStateMachine()
    _ = held.childAdded()
    #expect(held.ended() == .endChildren && held.started() == .none)
    var running = running(children: 2)
    #expect(running.ended() == .cancelChildren)
    #expect(running.childFinished(endsGroup: true) == ChildFinished())
    #expect(running.ended() == .none)
  }

  private func running(children: Int) -> GroupStateMachine {
    var machine = GroupStateMachine()
    for _ in 0..<children { _ = machine.childAdded() }
    _ = machine.started()
    return machine
  }

  @Test("In all sequences of up to eight events a group ends only when no child is left")
  func sequences() {
    var ends = 0
    explore(Model(), depth: 8, &ends)
    #expect(ends > 100)
  }

  /// The naive model: a count of the children that have not ended.
  private struct Model {
    var machine = GroupStateMachine()
    var left = 0
    var hasStarted = false
    var isCancelled = false
    var hasFailed = false
    var isOver = false
  }

  private func explore(_ model: Model, depth: Int, _ ends: inout Int) {
    guard depth > 0 else { return }
    var next = model
    let added = next.machine.childAdded()
    let isMistake = !model.isCancelled && !model.hasFailed
    #expect((added == .refuse(isMistake: isMistake)) == model.isOver)
    if !model.isOver {
      next.left += 1
      let cancels = model.isCancelled || model.hasFailed
      #expect(added == .take(enqueues: model.hasStarted, cancels: cancels))
    }
    explore(next, depth: depth - 1, &ends)
    if !model.hasStarted {
      next = model
      let started = next.machine.started()
      #expect(started == (model.left == 0 ? .end : .run))
      (next.hasStarted, next.isOver) = (true, started == .end)
      if started == .end { ends += 1 }
      explore(next, depth: depth - 1, &ends)
    }
    if !model.isOver {
      next = model
      next.isCancelled = true
      // A failure, or an earlier cancel, has cancelled the children already.
      #expect(next.machine.cancelled() == !(model.hasFailed || model.isCancelled))
      explore(next, depth: depth - 1, &ends)
    }
    if model.left > 0 {
      for fails in [false, true] {
        next = model
        next.left -= 1
        next.hasFailed = model.hasFailed || fails
        let action = next.machine.childFinished(endsGroup: fails)
        #expect(action.isEnd == (model.hasStarted && next.left == 0))
        let isNews = fails && !model.hasFailed && !model.isCancelled
        #expect(action.cancelOthers == (isNews && next.left > 0))
        if action.isEnd {
          ends += 1
          next.isOver = true
        }
        explore(next, depth: depth - 1, &ends)
      }
    }
  }
}
