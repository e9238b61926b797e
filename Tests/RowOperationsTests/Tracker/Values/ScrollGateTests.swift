import Testing

@testable import RowOperations

@Suite("Scroll gate")
struct ScrollGateTests {
  private static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }

  /// A gate of a moving list, on which 5 of 10 rows appeared in the last 100 ms, so that each row
  /// stays for 200 ms at this pace.
  private static func gate(loadTime: Int64) -> ScrollGate {
    var gate = ScrollGate(policy: .adaptive, quietTime: milliseconds(150))
    gate.moved(1, at: 0)
    for count in [2, 3] { gate.rowsAppeared(count, in: 0, at: 0) }
    gate.loadEnded(after: milliseconds(loadTime))
    return gate
  }

  private static func admits(
    _ gate: ScrollGate, displayedRows: Int = 10, shownFor time: Int64 = 0, at now: Int64 = 0
  ) -> Bool {
    let course = gate.commonCourse(at: milliseconds(now))
    let dwell = course?.time(toPass: Double(displayedRows)) ?? .infinity
    return !gate.holds(Visit(begin: 0, end: dwell - Double(milliseconds(time))))
  }

  @Test("A row with 200 ms on screen at the current pace stays for 255 ms, since lists decelerate")
  func dwell() {
    // A row is held back that leaves before half a load.
    #expect(Self.admits(Self.gate(loadTime: 510)) && !Self.admits(Self.gate(loadTime: 511)))
    let gate = Self.gate(loadTime: 410)
    #expect(Self.admits(gate, shownFor: 50, at: 50) && !Self.admits(gate, shownFor: 51, at: 51))
    let exact = Self.gate(loadTime: 10)
    #expect(!exact.holds(Visit(begin: 0, end: 5e6)) && exact.holds(Visit(begin: 0, end: 4.9e6)))
  }

  @Test("A row stays for good if its dwell reaches the time constant of a fling")
  func staysForGood() {
    let gate = Self.gate(loadTime: 1_000_000)
    #expect(Self.admits(gate, displayedRows: 25) && !Self.admits(gate, displayedRows: 24))
  }

  @Test("Before the first load ends, a load takes as long as one has run, and 50 ms at least")
  func beforeTheFirst() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    #expect(gate.loadTime(age: 0) == Self.milliseconds(50))
    #expect(gate.loadTime(age: Self.milliseconds(71)) == Self.milliseconds(71))
    gate.loadEnded(after: Self.milliseconds(20))
    #expect(gate.loadTime(age: Self.milliseconds(71)) == Self.milliseconds(20))
    gate.loadEnded(after: 0)
    #expect(gate.loadTime(age: 0) == 1)
  }

  @Test("Each list is quiet after its last move, until it settles, in the order of their numbers")
  func quiet() {
    var gate = ScrollGate(policy: .whenSettled, quietTime: 150)
    #expect(gate.quietDeadline == nil && !gate.isMoving)
    for (list, time) in [(2, 1_000), (1, 1_050), (2, 1_100)] as [(ListNumber, Int64)] {
      gate.moved(list, at: time)
    }
    #expect(gate.motions.map(\.list) == [1, 2] && gate.isMoving(2) && !gate.isMoving(3))
    #expect(gate.quietDeadline == 1_200 && gate.holds(Visit(begin: 0, end: 1)))
    #expect(gate.quietList(at: 1_199) == nil && gate.quietList(at: 1_200) == 1)
    gate.settled(1)
    #expect(gate.quietDeadline == 1_250 && gate.isMoving)
    gate.settled(2)
    #expect(gate.quietDeadline == nil && !gate.isMoving)
    #expect(!gate.holds(Visit(begin: 0, end: 1)))
  }
}
