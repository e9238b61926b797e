import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Urgency")
struct UrgencyTests {
  static let load = 100.0

  /// The time for which a row is blank whose load starts after a delay.
  static func blank(_ visit: Visit, startedAfter delay: Double) -> Double {
    max(min(delay + load, visit.end) - visit.begin, 0)
  }

  @Test("Two loads of one length leave the least blank time if the more urgent one goes first")
  func exchange() {
    var random = SeededGenerator(seed: 38)
    let wait = Wait(load: Self.load, due: 1, slots: 1)
    var differences = 0
    for _ in 0..<10_000 {
      let visits = (0..<2).map { _ in
        let begin = Double(Int.random(in: 0...300, using: &random))
        let stays = Int.random(in: 0..<4, using: &random) == 0
        return Visit(
          begin: begin,
          end: stays ? .infinity : begin + Double(Int.random(in: 1...400, using: &random)))
      }
      let urgencies = visits.map { wait.urgency(of: $0) }
      let (first, second) = urgencies[0] >= urgencies[1] ? (0, 1) : (1, 0)
      let chosen =
        Self.blank(visits[first], startedAfter: 0)
        + Self.blank(visits[second], startedAfter: Self.load)
      let exchanged =
        Self.blank(visits[second], startedAfter: 0)
        + Self.blank(visits[first], startedAfter: Self.load)
      // Rows that lose nothing may go in any order.
      if max(urgencies[0], urgencies[1]) > .zero { #expect(chosen <= exchanged, "\(visits)") }
      if chosen != exchanged { differences += 1 }
    }
    #expect(differences > 1_000)
  }

  @Test("Rows that are on screen before a load ends, and stay, are equally urgent")
  func staying() {
    let wait = Wait(load: 0.1, due: 7, slots: 2)
    #expect(wait.wait == 0.1 * 4)
    #expect(wait.urgency(of: .resting(isDisplayed: true)) == .highest)
    #expect(wait.urgency(of: Visit(begin: 0.1, end: 0.5)) == .highest)
    #expect(wait.urgency(of: Visit(begin: 0.11, end: 0.5)) < .highest)
    #expect(wait.urgency(of: Visit(begin: 0.1, end: 0.49)) < .highest)
    // A sum that is not exact in binary.
    let inexact = Wait(load: 0.1, due: 2, slots: 1)
    #expect(inexact.urgency(of: Visit(begin: 0, end: inexact.wait + inexact.load)) == .highest)
  }

  @Test("A row that leaves before its load ends loses nothing by waiting")
  func leaving() {
    let wait = Wait(load: Self.load, due: 1, slots: 1)
    #expect(wait.urgency(of: Visit(begin: 0, end: 100)) == .zero)
    #expect(wait.urgency(of: Visit(begin: 0, end: 101)) > .zero)
    #expect(wait.urgency(of: Visit(begin: 0, end: 99)) < .zero)
  }

  @Test("Of rows that are not due, the next one is the most urgent")
  func notDue() {
    let wait = Wait(load: Self.load, due: 1, slots: 1)
    let urgencies = [199.0, 200, 201, 500, .infinity].map {
      wait.urgency(of: Visit(begin: $0, end: .infinity))
    }
    #expect(urgencies[0] > .zero && urgencies[1] == .zero && urgencies[2] < .zero)
    #expect(urgencies == urgencies.sorted(by: >) && urgencies.last == .lowest)
    #expect(wait.urgency(of: .away) == .lowest)
  }

  @Test("The wait is the load time once for each set of due rows that the slots take")
  func waits() {
    #expect(Wait(load: 10, due: 0, slots: 4).wait == 10)
    #expect(Wait(load: 10, due: 4, slots: 4).wait == 10)
    #expect(Wait(load: 10, due: 5, slots: 4).wait == 20)
    #expect(Wait(load: 10, due: 12, slots: 4).wait == 30)
  }

  @Test("What a prefetch has run counts for what it loses")
  func elapsed() {
    let wait = Wait(load: 100, due: 1, slots: 1)
    let visit = Visit(begin: 20, end: 1_000)
    #expect(wait.urgency(of: visit, elapsed: 40) == Urgency(share: 1.4))
    #expect(wait.urgency(of: visit, elapsed: 90) == Urgency(share: 1.8))
    #expect(wait.urgency(of: visit, elapsed: 200) == Urgency(share: 1.8))
  }

  @Test("The first visit counts, then the longest, then one at rest")
  func visits() {
    let ascending = [
      Visit.resting(isDisplayed: true), Visit(begin: 0, end: .infinity), Visit(begin: 0, end: 2),
      Visit(begin: 1, end: 2), Visit.resting(isDisplayed: false), Visit.away,
    ]
    for (index, visit) in ascending.enumerated() {
      for (other, later) in ascending.enumerated() {
        #expect(visit.comesBefore(later) == (index < other), "\(visit), \(later)")
      }
    }
  }
}

@Suite("The course of a list")
struct CourseTests {
  @Test("A list passes its rows as its speed falls, frame by frame")
  func integral() {
    let way = 40.0
    let course = Course(distance: way)
    var (passed, time) = (0.0, 0.0)
    let step = 10_000.0
    for row in 1..<40 {
      // The speed is the way that is left over the time constant.
      while passed < Double(row) {
        passed += (way - passed) / Course.timeConstant * step
        time += step
      }
      #expect(abs(course.time(toPass: Double(row)) / time - 1) < 1e-3)
    }
  }

  @Test("Rows at or beyond the end of the way never come, and rows on screen are there")
  func ends() {
    let course = Course(distance: 12)
    #expect(course.time(toPass: 12) == .infinity && course.time(toPass: 13) == .infinity)
    #expect(course.time(toPass: 0) == 0 && course.time(toPass: -3) == 0)
    #expect(Course(distance: -1).time(toPass: 1) == .infinity)
    #expect(Course(pace: 20 / 1e9).distance == 20 * 0.4995)
  }
}
