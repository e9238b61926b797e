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
}
