import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("A group's life as a value")
struct GroupStateMachineTests {
  private typealias Started = GroupStateMachine.StartedAction
  private typealias ChildFinished = GroupStateMachine.ChildFinishedAction

  @Test("Children are held back, then enqueued, then refused")
  func adding() {
    var machine = GroupStateMachine()
    #expect(machine.childAdded() == .hold)
    #expect(machine.started(children: 1) == Started())
    #expect(machine.childAdded() == .enqueue)
    #expect(machine.childFinished(endsGroup: false) == ChildFinished())
    #expect(machine.childFinished(endsGroup: false) == ChildFinished(awaitEnd: true))
    #expect(machine.endReached() == true)
    #expect(machine.childAdded() == .refuse)
  }

  @Test("A group without children has nothing to wait for")
  func empty() {
    var machine = GroupStateMachine()
    #expect(machine.started(children: 0) == Started(isEmpty: true))
    #expect(machine.endReached() == true)
    #expect(machine.endReached() == false)
  }

  @Test("A child that is added when nobody was left puts off the end")
  func addedLate() {
    var machine = GroupStateMachine()
    _ = machine.started(children: 1)
    #expect(machine.childFinished(endsGroup: false) == ChildFinished(awaitEnd: true))
    #expect(machine.childAdded() == .enqueue)
    #expect(machine.endReached() == false)
    #expect(machine.childFinished(endsGroup: false) == ChildFinished(awaitEnd: true))
    #expect(machine.endReached() == true)
  }

  @Test("The first failure cancels the others, once; who comes later is cancelled")
  func failure() {
    var machine = GroupStateMachine()
    _ = machine.started(children: 3)
    #expect(machine.childFinished(endsGroup: true) == ChildFinished(cancelOthers: true))
    #expect(machine.childAdded() == .enqueueCancelled)
    #expect(machine.childFinished(endsGroup: true) == ChildFinished())
    #expect(machine.cancelled() == false)
  }

  @Test("A cancel reaches the children once")
  func cancel() {
    var machine = GroupStateMachine()
    _ = machine.started(children: 2)
    #expect(machine.cancelled() == true)
    #expect(machine.cancelled() == false)
    #expect(machine.ended() == .none)
  }

  @Test("A cancel between the start and the body is remembered, for all children and those to come")
  func cancelledBeforeBody() {
    var machine = GroupStateMachine()
    #expect(machine.cancelled() == false)
    #expect(machine.started(children: 2) == Started(cancelChildren: true))
    #expect(machine.childAdded() == .enqueueCancelled)
    #expect(machine.cancelled() == false)
  }

  @Test("A group that ends from outside cancels its children, or ends those that were held back")
  func ended() {
    var held = GroupStateMachine()
    _ = held.childAdded()
    #expect(held.ended() == .endChildren)
    var running = GroupStateMachine()
    _ = running.started(children: 2)
    #expect(running.ended() == .cancelChildren)
    #expect(running.childFinished(endsGroup: true) == ChildFinished())
    #expect(running.ended() == .none)
  }

  @Test("In all short sequences of events a group ends at most once, and never before its children")
  func sequences() {
    var ends = 0
    explore(Model(), depth: 8, &ends)
    #expect(ends > 100)
  }

  /// What the machine is compared with: a plain count.
  private struct Model {
    var machine = GroupStateMachine()
    var held = 0
    var left = 0
    var hasStarted = false
    var isCancelled = false
    var isOver = false
  }

  private func explore(_ model: Model, depth: Int, _ ends: inout Int) {
    guard depth > 0 else { return }
    var next = model
    let added = next.machine.childAdded()
    #expect((added == .refuse) == model.isOver)
    if added == .hold { next.held += 1 } else if added != .refuse { next.left += 1 }
    explore(next, depth: depth - 1, &ends)
    if !model.hasStarted, !model.isOver {
      next = model
      let started = Started(cancelChildren: model.isCancelled, isEmpty: model.held == 0)
      #expect(next.machine.started(children: model.held) == started)
      (next.hasStarted, next.left, next.held) = (true, model.held, 0)
      explore(next, depth: depth - 1, &ends)
    }
    if !model.isCancelled, !model.isOver {
      next = model
      next.isCancelled = true
      // One that failed has cancelled them already.
      #expect(!next.machine.cancelled() || model.hasStarted)
      explore(next, depth: depth - 1, &ends)
    }
    if model.left > 0 {
      for fails in [false, true] {
        next = model
        next.left -= 1
        let action = next.machine.childFinished(endsGroup: fails)
        #expect(action.awaitEnd == (next.left == 0 && !model.isOver))
        #expect(!action.cancelOthers || fails)
        explore(next, depth: depth - 1, &ends)
      }
    }
    if model.hasStarted {
      next = model
      next.isOver = next.machine.endReached() || model.isOver
      #expect(next.isOver == model.isOver || model.left == 0)
      if next.isOver, !model.isOver { ends += 1 }
      explore(next, depth: depth - 1, &ends)
    }
  }
}
