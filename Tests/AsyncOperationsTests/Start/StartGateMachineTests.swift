import Testing

@testable import AsyncOperations

@Suite("The way through the start gate, as a value")
struct StartGateMachineTests {
  private typealias Machine = StartGate.StateMachine

  private final class Key: Sendable {}

  private static let keys = [Key(), Key()]
  private static let first = ObjectIdentifier(keys[0])
  private static let second = ObjectIdentifier(keys[1])
  private static let all = Machine.Plan(hasConditions: true, hasCategories: true)

  @Test("The way leads through the queue, all dependencies, the conditions and the line")
  func wholeWay() {
    var machine = Machine()
    #expect(machine.entered(isHeldUp: true) == .bringStarter && machine.isInQueue)
    #expect(machine.queueArrived() == .readDependencies)
    #expect(machine.dependenciesRead([Self.first, Self.second], Self.all) == .none)
    #expect(machine.awaits(Self.first) && machine.awaits(Self.second))
    #expect(machine.dependencyGone(Self.first, Self.all) == .none)
    #expect(machine.dependencyGone(Self.first, Self.all) == .none)
    #expect(machine.dependencyGone(Self.second, Self.all) == .evaluate)
    #expect(machine.evaluated(isSatisfied: true, Self.all) == .join)
    #expect(machine.joined(hasTurn: false) == .none && machine.isInLine)
    #expect(machine.turnCame() == .open && machine.hasTurn)
    #expect(machine.finished() == .keepTurn && machine.hasTurn)
    #expect(machine.workEnded() == .leave && machine.isOver)
  }

  @Test("Steps that an operation does not need are left out")
  func shortWays() {
    var none = Machine()
    #expect(none.entered(isHeldUp: false) == .readDependencies)
    #expect(none.dependenciesRead([], Machine.Plan()) == .open)
    #expect(none.finished() == .none)
    var conditions = Machine()
    _ = conditions.entered(isHeldUp: false)
    #expect(conditions.dependenciesRead([], Machine.Plan(hasConditions: true)) == .evaluate)
    #expect(conditions.evaluated(isSatisfied: true, Machine.Plan(hasConditions: true)) == .open)
    var categories = Machine()
    _ = categories.entered(isHeldUp: false)
    #expect(categories.dependenciesRead([], Machine.Plan(hasCategories: true)) == .join)
    #expect(categories.joined(hasTurn: true) == .open)
  }

  @Test("An operation that is to stop, or whose condition fails, passes without a turn")
  func stopped() {
    var atOnce = Machine()
    _ = atOnce.entered(isHeldUp: false)
    #expect(atOnce.dependenciesRead([], nil) == .open && !atOnce.hasTurn)
    var failed = Machine()
    _ = failed.entered(isHeldUp: false)
    _ = failed.dependenciesRead([], Self.all)
    #expect(failed.evaluated(isSatisfied: false, Self.all) == .open && !failed.hasTurn)
    #expect(failed.finished() == .none)
  }

  @Test("A dependency that is added while others are awaited is awaited too")
  func added() {
    var machine = Machine()
    #expect(machine.dependencyAdded(Self.second) == false)
    _ = machine.entered(isHeldUp: false)
    _ = machine.dependenciesRead([Self.first], Self.all)
    #expect(machine.dependencyAdded(Self.second) == true)
    #expect(machine.dependencyGone(Self.first, Self.all) == .none)
    #expect(machine.dependencyGone(Self.second, Self.all) == .evaluate)
    #expect(machine.dependencyAdded(Self.first) == false)
  }

  @Test("A turn that comes before the join has returned counts, and a later join leaves the line")
  func races() {
    var early = Machine()
    _ = early.entered(isHeldUp: false)
    _ = early.dependenciesRead([], Machine.Plan(hasCategories: true))
    #expect(early.turnCame() == .open && early.joined(hasTurn: false) == .none)
    var gone = Machine()
    _ = gone.entered(isHeldUp: false)
    _ = gone.dependenciesRead([], Machine.Plan(hasCategories: true))
    #expect(gone.abandoned() == .leave)
    #expect(gone.joined(hasTurn: true) == .leave)
  }

  private enum Event: CaseIterable {
    case enter, enterHeldUp, arrive, readNone, readTwo, add, endFirst, endSecond, satisfied, failed
    case joinedFirst, joinedLast, turn, abandon, finish, workEnds
  }

  /// The rules that hold after every event.
  private struct Facts {
    var hasEntered = false
    var opens = 0
    var leaves = 0
    var evaluations = 0
    var joins = 0
    var keeps = 0
  }

  @Test("In all sequences of up to ten events that change it, each step is taken once, in order")
  func sequences() {
    var count = 0
    explore(Machine(), Facts(), depth: 10, &count)
    #expect(count > 150)
  }

  private func explore(_ machine: Machine, _ facts: Facts, depth: Int, _ count: inout Int) {
    count += 1
    guard depth > 0 else { return }
    for event in Event.allCases {
      var (next, facts) = (machine, facts)
      let wasOver = machine.isOver
      let wasPast = wasOver || machine.hasTurn
      let isFault = apply(event, to: &next, &facts, wasOver: wasOver, wasPast: wasPast)
      if isFault || facts.evaluations > 1 || facts.joins > 1 || facts.opens > 1 || facts.keeps > 1 {
        Issue.record("\(event) after \(machine)")
        continue
      }
      // The machine did not change: longer sequences find nothing new.
      if next == machine { continue }
      explore(next, facts, depth: depth - 1, &count)
    }
  }

  private func apply(
    _ event: Event, to machine: inout Machine, _ facts: inout Facts, wasOver: Bool, wasPast: Bool
  ) -> Bool {
    var action = Machine.Action.none
    var end = Machine.EndAction.none
    switch event {
    case .enter: action = machine.entered(isHeldUp: false)
    case .enterHeldUp: action = machine.entered(isHeldUp: true)
    case .arrive: action = machine.queueArrived()
    case .readNone: action = machine.dependenciesRead([], Self.all)
    case .readTwo: action = machine.dependenciesRead([Self.first], Self.all)
    case .add: _ = machine.dependencyAdded(Self.second)
    case .endFirst: action = machine.dependencyGone(Self.first, Self.all)
    case .endSecond: action = machine.dependencyGone(Self.second, Self.all)
    case .satisfied: action = machine.evaluated(isSatisfied: true, Self.all)
    case .failed: action = machine.evaluated(isSatisfied: false, Self.all)
    case .joinedFirst, .joinedLast:
      let joined = machine.joined(hasTurn: event == .joinedFirst)
      if joined == .open { action = .open }
      if joined == .leave, !wasOver { return true }
    case .turn: action = machine.turnCame()
    case .abandon: end = machine.abandoned()
    case .finish: end = machine.finished()
    case .workEnds: end = machine.workEnded()
    }
    if action == .evaluate { facts.evaluations += 1 }
    if action == .join { facts.joins += 1 }
    if action == .open { facts.opens += 1 }
    if end == .leave { facts.leaves += 1 }
    if end == .keepTurn { facts.keeps += 1 }
    // Conditions before the line, and the line before the turn.
    if action == .join, facts.evaluations == 0 { return true }
    if machine.hasTurn, facts.joins == 0 { return true }
    // Nothing happens once the operation is past the gate or gone.
    if wasPast, action != .none { return true }
    return wasOver && (end != .none || !machine.isOver)
  }
}
