import Testing

@testable import AsyncOperations

@Suite("The way through the start gate, as a value")
struct StartGateMachineTests {
  private typealias Machine = StartGate.StateMachine

  @Test("The way leads through the queue, the conditions and the line")
  func wholeWay() {
    var machine = Machine()
    #expect(machine.entered(waits: true, .evaluate) == .bringStarter && machine.isInQueue)
    #expect(machine.queueArrived(.evaluate) == .evaluate && machine.isEvaluating)
    #expect(machine.evaluated(.join) == .join)
    #expect(machine.joined(hasTurn: false) == .none && machine.isInLine)
    #expect(machine.turnCame() == .open && machine.hasTurn)
    #expect(machine.ended() == .leave && machine.isOver)
  }

  @Test("Steps that an operation does not need are left out")
  func shortWays() {
    var none = Machine()
    #expect(none.entered(waits: false, .open) == .open && none.isOver)
    var conditions = Machine()
    #expect(conditions.entered(waits: false, .evaluate) == .evaluate)
    #expect(conditions.evaluated(.open) == .open && !conditions.hasTurn)
    var categories = Machine()
    #expect(categories.entered(waits: false, .join) == .join)
    #expect(categories.joined(hasTurn: true) == .open)
  }

  @Test("A turn that goes back is asked for again; a pause leaves the turn and joins again")
  func withoutTheTurn() {
    var machine = Machine()
    _ = machine.entered(waits: false, .join)
    _ = machine.joined(hasTurn: true)
    let isReturned = machine.turnReturned()
    #expect(isReturned && machine.queueArrived(.join) == .none)
    machine.turnLeft()
    #expect(machine.isInQueue && machine.queueArrived(.join) == .join)
    #expect(machine.turnCame() == .open)
    let hadTurn = machine.paused()
    #expect(hadTurn && !machine.hasTurn)
    let isReturnedAway = machine.turnReturned()
    #expect(!isReturnedAway && machine.turnCame() == .none)
    #expect(machine.resumed() == .join && machine.isInLine)
    #expect(machine.joined(hasTurn: true) == .open)
  }

  private enum Event: CaseIterable {
    case enter, enterWaiting, arrive, satisfied, failed, joinedFirst, joinedLast, turn
    case returned, left, pause, resume, end
  }

  @Test(
    "In all sequences of up to ten events, joins and opens alternate, and nothing follows the end")
  func sequences() {
    var seen: Set<Machine> = [Machine()]
    explore(Machine(), isWaiting: true, depth: 10, &seen)
    #expect(seen.count == 8)
  }

  /// - Parameter isWaiting: Whether the last turn, if any, was left.
  private func explore(
    _ machine: Machine, isWaiting: Bool, depth: Int, _ seen: inout Set<Machine>
  ) {
    guard depth > 0 else { return }
    for event in Event.allCases {
      var next = machine
      let action = apply(event, to: &next)
      seen.insert(next)
      if next.hasTurn, !machine.hasTurn { #expect(machine.isInLine && action == .open) }
      if action == .evaluate { #expect(machine.isInQueue || machine == Machine()) }
      if action == .open { #expect(isWaiting) }
      if machine.isOver {
        #expect(next.isOver && (action == .none || action == .leave))
      }
      if next != machine {
        explore(next, isWaiting: !next.hasTurn && !next.isOver, depth: depth - 1, &seen)
      }
    }
  }

  private func apply(_ event: Event, to machine: inout Machine) -> Machine.Action {
    switch event {
    case .enter: return machine.entered(waits: false, .evaluate)
    case .enterWaiting: return machine.entered(waits: true, .evaluate)
    case .arrive: return machine.queueArrived(.evaluate)
    case .satisfied: return machine.evaluated(.join)
    case .failed: return machine.evaluated(.open)
    case .joinedFirst: return machine.joined(hasTurn: true)
    case .joinedLast: return machine.joined(hasTurn: false)
    case .turn: return machine.turnCame()
    case .returned: return machine.turnReturned() ? .none : .none
    case .left:
      machine.turnLeft()
      return .none
    case .pause: return machine.paused() ? .none : .none
    case .resume: return machine.resumed()
    case .end: return machine.ended()
    }
  }
}
