import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Scroll gate")
struct ScrollGateTests {
  static let policies: [ScrollGate.Policy] = [.immediate, .whenSettled, .adaptive]
  static let claims: [GateClaim] = [.landing, .displayed(since: 0), .prefetched]

  static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }

  /// A gate of a moving list, on which 5 of 10 rows appeared in the last 100 ms, so that each row
  /// stays for 200 ms.
  static func gate(
    _ policy: ScrollGate.Policy = .adaptive, loadTime: Int64? = nil
  ) -> ScrollGate {
    var gate = ScrollGate(policy: policy, quietTime: milliseconds(150))
    gate.moved(at: 0)
    gate.rowsAppeared(2, at: 0)
    gate.rowsAppeared(3, at: 0)
    if let loadTime { gate.loadEnded(after: milliseconds(loadTime)) }
    return gate
  }

  static func admits(
    _ gate: ScrollGate, _ claim: GateClaim, displayedRows: Int = 10, at now: Int64 = 0
  ) -> Bool {
    claim.isAdmitted(by: gate, displayedRows: displayedRows, at: milliseconds(now))
  }

  // MARK: Policies

  @Test("At rest every policy admits all rows", arguments: policies)
  func atRest(policy: ScrollGate.Policy) {
    var gate = Self.gate(policy, loadTime: 10_000)
    gate.settled()
    for claim in Self.claims { #expect(Self.admits(gate, claim)) }
    let never = ScrollGate(policy: policy, quietTime: 1)
    for claim in Self.claims { #expect(Self.admits(never, claim)) }
  }

  @Test("The immediate policy admits all rows of a moving list")
  func immediate() {
    for claim in Self.claims {
      #expect(Self.admits(Self.gate(.immediate, loadTime: 10_000), claim))
    }
  }

  @Test("The whenSettled policy admits no row of a moving list")
  func whenSettled() {
    for claim in Self.claims { #expect(!Self.admits(Self.gate(.whenSettled), claim)) }
  }

  @Test("The adaptive policy admits landing rows for any load time")
  func landing() {
    let gate = Self.gate(loadTime: 10_000)
    #expect(Self.admits(gate, .landing))
    #expect(!Self.admits(gate, .displayed(since: 0)))
    #expect(!Self.admits(gate, .prefetched))
  }

  @Test("Without history the adaptive policy admits all rows")
  func noHistory() {
    for claim in Self.claims { #expect(Self.admits(Self.gate(), claim)) }
    #expect(Self.admits(Self.gate(), .prefetched, displayedRows: 0))
  }

  @Test("The adaptive policy admits all rows while no row appears")
  func noAppearances() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.moved(at: 0)
    gate.rowsAppeared(0, at: 0)
    gate.loadEnded(after: Self.milliseconds(10_000))
    for claim in Self.claims { #expect(Self.admits(gate, claim)) }
  }

  @Test("A list that has jumped rests, until a second pass gives a pace")
  func jump() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.loadEnded(after: Self.milliseconds(10_000))
    gate.moved(at: 0)
    gate.rowsAppeared(10, at: 0)
    for claim in Self.claims { #expect(Self.admits(gate, claim)) }
    for claim in Self.claims { #expect(Self.admits(gate, claim, at: 99)) }
    gate.rowsAppeared(1, at: Self.milliseconds(99))
    #expect(!Self.admits(gate, .prefetched, at: 99))
    // Later the last pass is again alone in the window: a row in 99 ms.
    #expect(!Self.admits(gate, .prefetched, displayedRows: 4, at: 100))
    #expect(Self.admits(gate, .prefetched, displayedRows: 6, at: 100))
  }

  // MARK: Little's law

  @Test("A row with 200 ms on screen at the current pace stays for 255 ms, since lists decelerate")
  func dwellOfPrefetched() {
    // A row is held back that leaves before half a load.
    #expect(Self.admits(Self.gate(loadTime: 510), .prefetched))
    #expect(!Self.admits(Self.gate(loadTime: 511), .prefetched))
  }

  @Test("A row stays for good if its dwell reaches the time constant of a fling")
  func staysForGood() {
    let gate = Self.gate(loadTime: 1_000_000)
    #expect(Self.admits(gate, .prefetched, displayedRows: 25))
    #expect(!Self.admits(gate, .prefetched, displayedRows: 24))
  }

  @Test("The dwell of a displayed row is reduced by its time on screen so far")
  func dwellOfDisplayed() {
    let gate = Self.gate(loadTime: 410)
    #expect(Self.admits(gate, .displayed(since: 0), at: 0))
    #expect(Self.admits(gate, .displayed(since: 0), at: 50))
    #expect(!Self.admits(gate, .displayed(since: 0), at: 51))
    #expect(Self.admits(gate, .displayed(since: Self.milliseconds(1)), at: 51))
  }

  @Test("Rows stay longer with more rows on screen and with fewer appearing rows")
  func dwell() {
    let gate = Self.gate(loadTime: 300)
    #expect(!Self.admits(gate, .prefetched, displayedRows: 6))  // 120 milliseconds, then 137
    #expect(Self.admits(gate, .prefetched, displayedRows: 7))  // 140 milliseconds, then 164
    var faster = gate
    faster.rowsAppeared(3, at: Self.milliseconds(10))  // 10 rows, 8 in 100 milliseconds: 144
    #expect(!Self.admits(faster, .prefetched, at: 10))
  }

  @Test("Rows count as having appeared for 100 milliseconds")
  func window() {
    var gate = Self.gate(loadTime: 600)
    gate.rowsAppeared(3, at: Self.milliseconds(60))
    // 10 rows: 8 in 100 milliseconds make 144, 3 make 550.
    #expect(!Self.admits(gate, .prefetched, at: 60))
    #expect(!Self.admits(gate, .prefetched, at: 99))
    #expect(Self.admits(gate, .prefetched, at: 100))
  }

  @Test("Two tall cells on screen give a long dwell")
  func tallCells() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.loadEnded(after: Self.milliseconds(1600))
    gate.moved(at: 0)
    // A row every 400 ms, so that each row stays for 800 ms at this pace.
    for row in 0..<5 as Range<Int64> {
      gate.rowsAppeared(1, at: Self.milliseconds(row * 400 + 10))
      #expect(Self.admits(gate, .prefetched, displayedRows: 2, at: row * 400 + 10))
      #expect(Self.admits(gate, .prefetched, displayedRows: 2, at: row * 400 + 99))
    }
  }

  @Test("Rows that came on screen before the list moved do not count")
  func beforeTheMove() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.loadEnded(after: Self.milliseconds(300))
    gate.rowsAppeared(10, at: 0)
    gate.moved(at: Self.milliseconds(10))
    #expect(Self.admits(gate, .prefetched, at: 10))
  }

  // MARK: Load times

  @Test("The load time is the median of the last fifteen loads")
  func median() {
    var times = LoadTimes()
    #expect(times.median == nil)
    var all: [Int64] = []
    var random = SeededGenerator(seed: 15)
    for _ in 0..<1000 {
      all.append(.random(in: 0..<20, using: &random))
      times.add(all[all.count - 1])
      let last = all.suffix(15)
      #expect(times.recent == Array(last) && times.median == last.sorted()[(last.count - 1) / 2])
    }
  }

  @Test("One load of ten seconds among loads of 100 ms holds no row back")
  func outlier() {
    var gate = Self.gate()
    for _ in 0..<3 { gate.loadEnded(after: Self.milliseconds(100)) }
    gate.loadEnded(after: Self.milliseconds(10_000))
    for claim in Self.claims { #expect(Self.admits(gate, claim)) }
  }

  @Test("Before the first load ends, a load takes as long as one has run, and 50 ms at least")
  func beforeTheFirst() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    #expect(gate.loadTime(age: 0) == Self.milliseconds(50))
    #expect(gate.loadTime(age: Self.milliseconds(71)) == Self.milliseconds(71))
    gate.loadEnded(after: Self.milliseconds(20))
    #expect(gate.loadTime(age: Self.milliseconds(71)) == Self.milliseconds(20))
  }

  // MARK: Motion

  @Test("The quiet time restarts with each move and ends when the list settles")
  func quiet() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 150)
    #expect(gate.quietDeadline == nil)
    gate.moved(at: 1000)
    #expect(gate.quietDeadline == 1150)
    gate.moved(at: 1100)
    #expect(gate.quietDeadline == 1250)
    #expect(gate.isMoving)
    gate.settled()
    #expect(gate.quietDeadline == nil)
    #expect(!gate.isMoving)
  }
}

/// A claim in the form in which the gate receives it.
enum GateClaim {
  case landing
  case displayed(since: Int64)
  case prefetched

  func isAdmitted(by gate: ScrollGate, displayedRows: Int, at now: Int64) -> Bool {
    let dwell = gate.course(at: now)?.time(toPass: Double(displayedRows)) ?? .infinity
    return switch self {
    case .landing: !gate.holds(Visit(begin: 0, end: .infinity))
    case .prefetched: !gate.holds(Visit(begin: 0, end: dwell))
    case .displayed(let since): !gate.holds(Visit(begin: 0, end: dwell - Double(now - since)))
    }
  }
}

/// The gate of a single list.
extension ScrollGate {
  mutating func moved(at now: Int64) { moved(.unnumbered, at: now) }

  mutating func settled() { settled(.unnumbered) }

  mutating func rowsAppeared(_ count: Int, at now: Int64) {
    if let index = index(of: .unnumbered) { rowsAppeared(count, in: index, at: now) }
  }

  func course(at now: Int64) -> Course? { commonCourse(at: now) }

  var appearances: [(time: Int64, count: Int)] { motions.flatMap(\.appearances) }
}
