import Testing

@testable import AsyncOperations

@Suite("The way through the start gate, as a value")
struct StartGateMachineTests {
  private typealias Machine = StartGate.StateMachine

  private static let all = Machine.Plan(hasConditions: true, hasCategories: true)

  @Test("The way leads through the queue, the conditions and the line")
  func wholeWay() {
    var machine = Machine()
    #expect(machine.entered(waits: true, Self.all) == .bringStarter && machine.isInQueue)
    #expect(machine.queueArrived(Self.all) == .evaluate && machine.isEvaluating)
    #expect(machine.evaluated(isSatisfied: true, Self.all) == .join)
    #expect(machine.joined(hasTurn: false) == .none && machine.isInLine)
    #expect(machine.turnCame() == .open && machine.hasTurn)
    #expect(machine.ended() == .leave && machine.isOver)
  }

  @Test("Steps that an operation does not need are left out")
  func shortWays() {
    var none = Machine()
    #expect(none.entered(waits: false, Machine.Plan()) == .open && none.isOver)
    var conditions = Machine()
    let plan = Machine.Plan(hasConditions: true)
    #expect(conditions.entered(waits: false, plan) == .evaluate)
    #expect(conditions.evaluated(isSatisfied: true, plan) == .open && !conditions.hasTurn)
    var categories = Machine()
    #expect(categories.entered(waits: false, Machine.Plan(hasCategories: true)) == .join)
    #expect(categories.joined(hasTurn: true) == .open)
  }

  @Test("An operation that is to stop, or whose condition fails, passes without a turn")
  func stopped() {
    var atOnce = Machine()
    #expect(atOnce.entered(waits: false, nil) == .open && !atOnce.hasTurn)
    var failed = Machine()
    _ = failed.entered(waits: false, Self.all)
    #expect(failed.evaluated(isSatisfied: false, Self.all) == .open && !failed.hasTurn)
  }

  @Test("A turn that goes back is asked for again; a pause leaves the turn and joins again")
  func withoutTheTurn() {
    var machine = Machine()
    let plan = Machine.Plan(hasCategories: true)
    _ = machine.entered(waits: false, plan)
    _ = machine.joined(hasTurn: true)
    let isReturned = machine.turnReturned()
    #expect(isReturned && machine.isInQueue)
    #expect(machine.queueArrived(plan) == .join)
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
    case returned, pause, resume, end
  }

  @Test(
    "In all sequences of up to ten events, joins and opens alternate, and nothing follows the end")
  func sequences() {
    var seen: Set<Machine> = [Machine()]
    explore(Machine(), isWaiting: true, depth: 10, &seen)
    #expect(seen.count == 7)
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
    case .enter: machine.entered(waits: false, Self.all)
    case .enterWaiting: machine.entered(waits: true, Self.all)
    case .arrive: machine.queueArrived(Self.all)
    case .satisfied: machine.evaluated(isSatisfied: true, Self.all)
    case .failed: machine.evaluated(isSatisfied: false, Self.all)
    case .joinedFirst: machine.joined(hasTurn: true)
    case .joinedLast: machine.joined(hasTurn: false)
    case .turn: machine.turnCame()
    case .returned: machine.turnReturned() ? .none : .none
    case .pause: machine.paused() ? .none : .none
    case .resume: machine.resumed()
    case .end: machine.ended()
    }
  }
}
