import RowOperationsTesting
import Testing

@testable import AsyncOperations

@Suite("The plan of lanes")
struct LanePlanTests {
  private typealias Plan = LanePlan<Int>

  private static let start = Moment.now
  private static let patience = Duration.seconds(1)

  private func at(_ seconds: Double) -> Moment {
    Self.start.advanced(by: .seconds(seconds))
  }

  private func plan(waiting calls: Int) -> Plan {
    var plan = Plan(patience: Self.patience)
    for call in 0..<calls { _ = plan.requested(call, at: at(0)) }
    return plan
  }

  @Test("One lane makes the calls in order, and ends when no call is left")
  func order() {
    var plan = Plan(patience: Self.patience)
    #expect(plan.requested(0, at: at(0)) == .init(run: 0, lookAfter: Self.patience))
    for call in 1..<5 { #expect(plan.requested(call, at: at(0)) == .init()) }
    for call in 0..<5 { #expect(plan.next(on: 0, at: at(0)) == call) }
    #expect(plan.next(on: 0, at: at(0)) == nil)
    #expect(plan.requested(5, at: at(0.1)) == .init(run: 0))
  }

  @Test("A call that has run for the patience is stuck, so the next call gets another lane")
  func stuck() {
    var plan = plan(waiting: 1)
    _ = plan.next(on: 0, at: at(0))
    #expect(plan.requested(1, at: at(0.9)).run == nil)
    #expect(plan.requested(2, at: at(1)).run == 1)
  }

  @Test("A plan keeps no place for calls that were made")
  func places() {
    var plan = Plan(patience: Self.patience)
    for call in 0..<100 {
      _ = plan.requested(call, at: at(0))
      #expect(plan.next(on: 0, at: at(0)) == call)
    }
    // Only tests need it, so they read private state through a mirror.
    let waiting = Mirror(reflecting: plan).children.first { $0.label == "waiting" }?.value
    #expect((waiting as? [Any])?.isEmpty == true)
  }

  @Test("A lane gives back its last call, to be released outside the lock")
  func returned() {
    var plan = plan(waiting: 2)
    var returned: Int?
    _ = plan.next(on: 0, at: at(0), after: &returned)
    #expect(returned == nil)
    _ = plan.next(on: 0, at: at(0), after: &returned)
    #expect(returned == 0)
    _ = plan.next(on: 0, at: at(0), after: &returned)
    #expect(returned == 1)
  }

  @Test("A call that blocks is reported once, and calls behind it get a fresh lane")
  func blocked() {
    var plan = plan(waiting: 2)
    #expect(plan.next(on: 0, at: at(0)) == 0)
    var action = plan.looked(at: at(0.5))
    #expect(action.run == [] && action.reports.isEmpty && action.lookAfter == .seconds(0.5))
    action = plan.looked(at: at(1))
    #expect(action.run == [1] && action.reports.map(\.name) == ["blocked 0"])
    #expect(plan.next(on: 1, at: at(1)) == 1)
    #expect(plan.next(on: 1, at: at(1.1)) == nil)
    #expect(plan.looked(at: at(2)).reports.isEmpty)
    // The stuck lane takes no further call.
    #expect(plan.requested(2, at: at(3)).run == 1)
    #expect(plan.next(on: 0, at: at(4)) == 2)
  }

  @Test("A call that begins after the last look is looked at when it has run too long")
  func beganLate() {
    var plan = plan(waiting: 1)
    _ = plan.next(on: 0, at: at(0.75))
    var action = plan.looked(at: at(1))
    #expect(action.reports.isEmpty && action.lookAfter == .seconds(0.75))
    action = plan.looked(at: at(1.75))
    #expect(action.reports.map(\.name) == ["blocked 0"] && action.lookAfter == nil)
  }

  @Test("Each call that waits too long behind slow ones gets a lane, and one slow call is named")
  func crowded() {
    var plan = plan(waiting: 21)
    // Three calls of 0.3 s have returned within the first second.
    for call in 0...3 { #expect(plan.next(on: 0, at: at(0.3 * Double(call))) == call) }
    let action = plan.looked(at: at(1))
    #expect(action.run == Array(1...17) && action.reports.map(\.name) == ["crowded 3"])
    for lane in 1...17 { #expect(plan.next(on: lane, at: at(1)) == lane + 3) }
    #expect(plan.next(on: 0, at: at(1.2)) == nil)
  }

  @Test("A lane that starts counts for one late call")
  func starting() {
    var plan = plan(waiting: 4)
    _ = plan.next(on: 0, at: at(0))
    #expect(plan.looked(at: at(1)).run == [1, 2, 3])
    _ = plan.requested(4, at: at(1))
    #expect(plan.looked(at: at(1.5)).run == [])
    #expect(plan.next(on: 2, at: at(1.5)) == 1)
    #expect(plan.looked(at: at(2.1)).run == [4])
  }

  @Test("There are at most 32 lanes; beyond, calls wait, which is reported once")
  func limit() {
    var plan = plan(waiting: 50)
    _ = plan.next(on: 0, at: at(0))
    var action = plan.looked(at: at(1))
    #expect(action.run == Array(1..<32) && action.reports.map(\.name) == ["blocked 0", "full"])
    for lane in 1..<32 { #expect(plan.next(on: lane, at: at(1)) == lane) }
    action = plan.looked(at: at(1.5))
    #expect(action.run == [] && action.reports.isEmpty)
    #expect(plan.looked(at: at(2)).reports.count == 31)
    #expect(plan.requested(50, at: at(2)).run == nil)
    #expect(plan.next(on: 7, at: at(2)) == 32)
    // Once no call waits, the next lack of lanes is reported again.
    for lane in 8..<26 { #expect(plan.next(on: lane, at: at(2)) == lane + 25) }
    #expect(plan.looked(at: at(2.5)).reports.isEmpty)
    #expect(plan.requested(51, at: at(2.5)).run == nil)
    #expect(plan.looked(at: at(3.5)).reports.map(\.name).contains("full"))
  }

  @Test("A look that comes late starts the patience anew, for calls that wait and that run")
  func debugger() {
    var plan = plan(waiting: 2)
    _ = plan.next(on: 0, at: at(0))
    var action = plan.looked(at: at(60))
    #expect(action.run == [] && action.reports.isEmpty && action.lookAfter == Self.patience)
    action = plan.looked(at: at(61))
    #expect(action.run == [1] && action.reports.map(\.name) == ["blocked 0"])
  }

  @Test("A look that is late by no more than the patience counts")
  func lateLook() {
    var plan = plan(waiting: 1)
    _ = plan.next(on: 0, at: at(0))
    #expect(plan.looked(at: at(2)).reports.map(\.name) == ["blocked 0"])
  }

  @Test("The watch ends when nothing waits or runs, and starts again with the next call")
  func watch() {
    var plan = plan(waiting: 1)
    _ = plan.next(on: 0, at: at(0))
    _ = plan.next(on: 0, at: at(0))
    #expect(plan.looked(at: at(1)).lookAfter == nil)
    #expect(plan.requested(1, at: at(5)) == .init(run: 0, lookAfter: Self.patience))
  }

  @Test("In random walks each call is made once, no lane rests while calls wait, and none is late")
  func walks() {
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var walk = Walk(plan: Plan(patience: Self.patience), now: at(0))
      for _ in 0..<300 { walk.step(&generator, "seed \(seed)") }
      walk.finish("seed \(seed)")
    }
  }

  /// A naive shell: lanes that run, each with the call that it makes.
  private struct Walk {
    var plan: Plan
    var now: Moment
    var lanes: [Int: Int?] = [:]
    var look: Moment?
    var requested = 0
    var made: [Int] = []

    mutating func step(_ generator: inout SeededGenerator, _ comment: Comment) {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        let action = plan.requested(requested, at: now)
        requested += 1
        if let lane = action.run { start(lane, comment) }
        if let delay = action.lookAfter {
          #expect(look == nil, comment)
          look = now.advanced(by: delay)
        }
      case 2, 3:
        if let lane = lanes.keys.sorted().randomElement(using: &generator) { move(lane, comment) }
      default:
        let end = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &generator)))
        while let due = look, due <= end { takeLook(at: due, comment) }
        now = end
      }
      #expect(lanes.count <= Plan.limit, comment)
      #expect(requested == made.count || !lanes.isEmpty, comment)
      #expect(look != nil || requested == made.count, comment)
    }

    private mutating func start(_ lane: Int, _ comment: Comment) {
      #expect(lanes[lane] == nil, comment)
      lanes[lane] = .some(nil)
    }

    mutating func move(_ lane: Int, _ comment: Comment) {
      guard let call = plan.next(on: lane, at: now) else {
        lanes[lane] = nil
        #expect(made.count == requested, comment)
        return
      }
      #expect(call == made.count, comment)
      made.append(call)
      lanes[lane] = call
    }

    private mutating func takeLook(at due: Moment, _ comment: Comment) {
      now = max(now, due)
      let action = plan.looked(at: now)
      look = action.lookAfter.map { now.advanced(by: $0) }
      for lane in action.run { start(lane, comment) }
    }

    mutating func finish(_ comment: Comment) {
      while let lane = lanes.keys.min() { move(lane, comment) }
      #expect(made.count == requested, comment)
    }
  }
}

extension LanePlan {
  fileprivate mutating func next(on lane: Int, at now: Instant) -> Call? {
    var returned: Call?
    return next(on: lane, at: now, after: &returned)
  }
}

extension LanePlan.Report {
  fileprivate var name: String {
    switch self {
    case .blocked(let call): "blocked \(call)"
    case .crowded(let call): "crowded \(call)"
    case .full: "full"
    }
  }
}
