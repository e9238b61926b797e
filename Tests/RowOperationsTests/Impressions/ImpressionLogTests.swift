import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Impressions: the log")
struct ImpressionLogTests {
  /// One event of a list or an app; each wait is one unit of time.
  enum Step: Hashable {
    case display(Int)
    case end(Int)
    case cover
    case uncover
    case pass
    case wait
    case forget(Int)
    case forgetAll
    /// Too little of the row is in sight from now on.
    case low(Int)
    case enough(Int)
  }

  static let time: Int64 = 2

  // MARK: The naive model

  /// Goes through one row's whole history again at the end of each pass.
  struct Model {
    private var history: [(step: Step, time: Int64)] = []
    private var now: Int64 = 0

    /// - Returns: The rows that are seen in a pass that ends.
    mutating func take(_ step: Step) -> [Int] {
      if step == .wait { now += 1 }
      history.append((step, now))
      guard step == .pass else { return [] }
      return (0..<3).filter { impressions(of: $0).last == history.count - 1 }
    }

    /// Whether a row is on screen or has been seen.
    func knows(_ row: Int) -> Bool {
      let displays = history.reduce(0) { count, event in
        event.step == .display(row) ? count + 1 : event.step == .end(row) ? count - 1 : count
      }
      let forgotten =
        history.lastIndex { $0.step == .forget(row) || $0.step == .forgetAll } ?? -1
      return displays > 0 || impressions(of: row).contains { $0 > forgotten }
    }

    /// The places in the history at which a row was reported.
    private func impressions(of row: Int) -> [Int] {
      var reports: [Int] = []
      var (displays, start, end) = (0, Int64?.none, Int64?.none)
      var (isCovered, isSeen, isDue, isLow) = (false, false, false, false)
      for (place, (step, time)) in history.enumerated() {
        switch step {
        case .display(row):
          displays += 1
          if displays == 1, !isCovered, !isLow { start = start ?? time }
          end = nil
        case .end(row):
          displays -= 1
          if displays == 0 { end = time }
        case .cover where !isCovered:
          isCovered = true
          if let start, !isSeen, (end ?? time) - start >= ImpressionLogTests.time {
            (isSeen, isDue) = (true, true)
          }
          start = nil
        case .uncover where isCovered:
          isCovered = false
          start = displays > 0 && !isLow ? time : nil
        case .pass:
          if let start, !isSeen, (end ?? time) - start >= ImpressionLogTests.time {
            (isSeen, isDue) = (true, true)
          }
          if isDue { reports.append(place) }
          isDue = false
          if displays == 0 { (start, isLow) = (nil, false) }
        case .low(row) where !isSeen && start != nil:
          if let start, time - start >= ImpressionLogTests.time {
            (isSeen, isDue) = (true, true)
          } else {
            isLow = true
          }
          start = nil
        case .enough(row) where isLow:
          isLow = false
          start = isCovered ? nil : time
        case .forget(row), .forgetAll:
          (isSeen, isDue, isLow) = (false, false, false)
          start = displays > 0 && !isCovered ? time : nil
        case .display, .end, .cover, .uncover, .wait, .forget, .low, .enough: break
        }
      }
      return reports
    }
  }

  // MARK: The subject

  /// A log, and what it has been told.
  struct Subject {
    var log = ImpressionLog<Int>(time: ImpressionLogTests.time)
    private(set) var displays: [Int: Int] = [:]
    private(set) var now: Int64 = 0

    /// - Returns: The rows that are seen in a pass that ends.
    mutating func take(_ step: Step, isMissed: Bool) -> [Int] {
      switch step {
      case .display(let row): displays[row, default: 0] += 1
      case .end(let row): displays[row, default: 0] -= 1
      case .wait: now += 1
      case .cover, .uncover, .pass, .forget, .forgetAll, .low, .enough: break
      }
      return isMissed ? [] : pass(on: step)
    }

    private mutating func pass(on step: Step) -> [Int] {
      switch step {
      case .display(let row): log.displayed(row, at: now)
      case .end(let row): log.endedDisplaying(row, at: now)
      case .cover: log.covered(at: now)
      case .uncover: log.uncovered(at: now)
      case .wait: break
      case .forget(let row): _ = log.forget([row], at: now)
      case .forgetAll: _ = log.forgetAll(at: now)
      case .low(let row): log.sightChanged(of: row, isEnough: false, at: now)
      case .enough(let row): log.sightChanged(of: row, isEnough: true, at: now)
      case .pass: return log.passEnded(at: now).seen.sorted()
      }
      return []
    }
  }

  /// The first difference between a log and the model.
  ///
  /// An end without a display is skipped, and so is a share of a row that no cell shows.
  /// - Parameter missed: A step that the log does not receive.
  static func complaint(_ steps: [Step], missed: Step? = nil) -> String? {
    var (subject, model) = (Subject(), Model())
    for step in steps {
      switch step {
      case .end(let row), .low(let row), .enough(let row):
        if subject.displays[row, default: 0] == 0 { continue }
      case .display, .cover, .uncover, .pass, .wait, .forget, .forgetAll: break
      }
      let (seen, expected) = (subject.take(step, isMissed: step == missed), model.take(step))
      if seen != expected { return "\(seen) are seen, not \(expected)" }
      guard step == .pass else { continue }
      let deadline = subject.log.nextDeadline
      if deadline.map({ $0 <= subject.now }) ?? false { return "the deadline has passed" }
      let known = Set((0..<3).filter(model.knows))
      if subject.log.rows != known { return "the log holds \(subject.log.rows), not \(known)" }
    }
    return nil
  }

  static let alphabet: [Step] = [.display(0), .end(0), .cover, .uncover, .pass, .wait, .forget(0)]

  @Test("The log agrees with the model on all short sequences of one row's events")
  func all() {
    let complaint = ModelTrial.allSequences(of: Self.alphabet, length: 6) { Self.complaint($0) }
    #expect(complaint == nil)
  }

  @Test("The log agrees with the model on all short sequences after a row was on screen")
  func allLater() {
    let begin: [Step] = [.display(0), .display(1), .pass, .wait]
    let alphabet = Self.alphabet + [.end(1), .display(1), .forgetAll, .low(0), .enough(0)]
    let complaint = ModelTrial.allSequences(of: alphabet, length: 4) { steps in
      Self.complaint(begin + steps + [.wait, .pass])
    }
    #expect(complaint == nil)
  }

  static func step(using random: inout SeededGenerator) -> Step {
    let row = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5: return .display(row)
    case 5..<10: return .end(row)
    case 10: return .cover
    case 11: return .uncover
    case 12..<15: return .pass
    case 15..<18: return .wait
    case 18: return .forget(row)
    case 20, 21: return .low(row)
    case 22, 23: return .enough(row)
    default: return .forgetAll
    }
  }

  @Test("The log agrees with the model on long random sequences")
  func random() {
    #expect(ModelTrial.randomWalks(operation: Self.step) { Self.complaint($0) } == nil)
  }

  @Test(
    "The check detects a log that misses an event",
    arguments: [Step.cover, .uncover, .forget(0), .end(0), .forgetAll, .low(0), .enough(0)])
  func broken(missed: Step) {
    let complaint = ModelTrial.randomWalks(operation: Self.step) { steps in
      Self.complaint(steps, missed: missed)
    }
    #expect(complaint != nil)
  }

  // MARK: Beyond the model

  @Test("Rows that are due in one pass are reported in the order in which their stays began")
  func order() {
    var log = ImpressionLog<String>(time: 10)
    for (time, row) in ["a", "b", "c"].enumerated() { log.displayed(row, at: Int64(time)) }
    #expect(log.passEnded(at: 5).seen == [] && log.nextDeadline == 10)
    log.endedDisplaying("b", at: 20)
    let pass = log.passEnded(at: 20)
    #expect(pass.seen == ["a", "b", "c"] && pass.left == ["b"])
    #expect(log.nextDeadline == nil)
  }

  @Test("That order holds for rows that leave sight in the pass, before and beside others")
  func orderOfShares() {
    let rows = (0..<40).map { $0 * 7 % 40 }
    var log = ImpressionLog<Int>(time: 5)
    for row in rows { log.displayed(row, at: 0) }
    for row in log.unseen where row >= 20 { log.sightChanged(of: row, isEnough: false, at: 9) }
    #expect(log.passEnded(at: 9).seen == rows)
  }

  @Test("A large log gives its memory back when it forgets its last row")
  func memory() {
    var log = ImpressionLog<Int>(time: 10)
    for row in 0..<1_100 { log.displayed(row, at: 0) }
    #expect(log.passEnded(at: 10).seen.count == 1_100)
    for row in 0..<1_100 { log.endedDisplaying(row, at: 12) }
    #expect(log.passEnded(at: 12).left.count == 1_100)
    #expect(log.forgetAll(at: 12).count == 1_100)
    #expect(log.rows.isEmpty && log.seen.capacity == 0)
  }

  // MARK: Renames

  private func log(_ steps: (inout ImpressionLog<Int>) -> Void) -> ImpressionLog<Int> {
    var log = ImpressionLog<Int>(time: 10)
    steps(&log)
    return log
  }

  @Test("The stay of a renamed row goes on, and ends with its last cell")
  func rename() {
    var log = log {
      $0.displayed(1, at: 0)
      _ = $0.rename(1, to: 9)
    }
    #expect(log.passEnded(at: 9).seen == [] && log.nextDeadline == 10)
    #expect(log.passEnded(at: 10).seen == [9] && log.rows == [9])
    log.endedDisplaying(9, at: 11)
    #expect(log.passEnded(at: 11).left == [9])
  }

  @Test("Of two stays the earlier one counts, whichever row has it", arguments: [(1, 2), (2, 1)])
  func renameToKnown(old: Int, new: Int) {
    var log = log {
      $0.displayed(1, at: 0)
      $0.displayed(3, at: 1)
      $0.displayed(2, at: 4)
      _ = $0.rename(old, to: new)
      $0.endedDisplaying(new, at: 5)
    }
    #expect(log.passEnded(at: 9).seen == [])
    #expect(log.passEnded(at: 11).seen == [new, 3], "in the order of stays")
    #expect(log.passEnded(at: 30).seen == [])
  }

  @Test("A row that left in this pass goes on if the other one is on screen, else it has left")
  func renameOfLeft() {
    var log = log {
      $0.displayed(1, at: 0)
      $0.displayed(2, at: 2)
      $0.endedDisplaying(1, at: 5)
      _ = $0.rename(1, to: 2)
    }
    #expect(log.passEnded(at: 10).seen == [2])
    var gone = self.log {
      $0.displayed(1, at: 0)
      $0.displayed(2, at: 0)
      $0.endedDisplaying(1, at: 5)
      $0.endedDisplaying(2, at: 4)
      _ = $0.rename(1, to: 2)
    }
    let pass = gone.passEnded(at: 20)
    #expect(pass.seen == [] && pass.left == [2])
  }

  @Test("An impression of one is that of both, also one that is still to be reported")
  func renameOfSeen() {
    for (old, new) in [(1, 2), (2, 1)] {
      var log = log {
        $0.displayed(1, at: 0)
        _ = $0.passEnded(at: 10)
        $0.displayed(2, at: 11)
        _ = $0.rename(old, to: new)
      }
      #expect(log.passEnded(at: 50).seen == [] && log.seen == [new])
    }
    var due = log {
      $0.displayed(1, at: 0)
      $0.covered(at: 10)
      _ = $0.rename(1, to: 2)
    }
    #expect(due.passEnded(at: 10).seen == [2])
    var seen = log {
      $0.displayed(2, at: 0)
      _ = $0.passEnded(at: 10)
      $0.displayed(1, at: 10)
      $0.covered(at: 20)
      _ = $0.rename(1, to: 2)
    }
    #expect(seen.passEnded(at: 20).seen == [])
  }

  @Test("The time of a renamed row counts if enough of either is in sight")
  func renameOfLow() {
    for isLow in [[true, false], [false, true], [true, true]] {
      var log = log {
        for row in [1, 2] {
          $0.displayed(row, at: 0)
          $0.sightChanged(of: row, isEnough: !isLow[row - 1], at: 0)
        }
        _ = $0.rename(1, to: 2)
      }
      #expect(log.passEnded(at: 10).seen == (isLow == [true, true] ? [] : [2]))
    }
  }

  @Test("A rename returns what it releases")
  func renameReleases() {
    var log = log {
      $0.displayed(1, at: 0)
      _ = $0.passEnded(at: 10)
    }
    let gone = log.rename(1, to: 2)
    #expect(gone.compactMap { $0 as? Int } == [1, 1] && log.rows == [2])
    #expect(log.rename(1, to: 2).compactMap { $0 as? Int } == [])
  }
}
