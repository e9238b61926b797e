import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The scroll gate over time")
struct ScrollGateTimeTests {
  static let millisecond: Int64 = 1_000_000

  /// The history of a moving list, with times in milliseconds.
  struct History {
    var appearances: [(time: Int64, count: Int)] = []
    var gate: ScrollGate
    var now: Int64 = 0
    var displayedRows: Int

    init(using random: inout SeededGenerator) {
      gate = ScrollGate(policy: .adaptive, quietTime: 1000 * millisecond)
      gate.moved(at: 0)
      gate.loadEnded(after: .random(in: 50...400, using: &random) * millisecond)
      displayedRows = .random(in: 0...12, using: &random)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        now += .random(in: 1...40, using: &random)
        let count = Int.random(in: 0...4, using: &random)
        appearances.append((now, count))
        gate.rowsAppeared(count, at: now * millisecond)
      }
    }

    func admits(_ claim: GateClaim, at time: Int64) -> Bool {
      claim.isAdmitted(by: gate, displayedRows: displayedRows, at: time * millisecond)
    }

    /// The same answer by a full count: the rows of the last 100 ms, or if these are fewer than
    /// three or of one pass, the rows after the pass in which the last three and the last two
    /// passes began.
    func countedAnswer(_ claim: GateClaim, at time: Int64) -> Bool {
      let all = appearances.flatMap { pass in Array(repeating: pass.time, count: pass.count) }
        .filter { $0 > time - 1000 }
      var (count, span) = (all.count { $0 > time - 100 }, Int64(100))
      let passes = appearances.filter { $0.count > 0 && $0.time > time - 1000 }
      if count < 3 || passes.count(where: { $0.time > time - 100 }) < 2 {
        guard let third = all.suffix(3).first, let start = all.last(where: { $0 <= time - 100 }),
          let pass = passes.suffix(2).first
        else { return true }
        let first = min(third, start, pass.time)
        (count, span) = (all.count { $0 > first }, time - first)
      }
      guard count > 0, let loadTime = gate.loadTimes.median.map(Double.init) else { return true }
      let pace = Double(displayedRows) * Double(span) / Double(count)
      let dwell =
        pace < 499.5 ? -499.5 * log(1 - pace / 499.5) * Double(millisecond) : .infinity
      switch claim {
      case .landing: return true
      case .displayed(let since): return dwell - Double(time * millisecond - since) >= loadTime / 2
      case .prefetched: return dwell >= loadTime / 2
      }
    }
  }

  static func claims(of history: History) -> [GateClaim] {
    [.landing, .prefetched]
      + [0, 30, 90].map { .displayed(since: max(history.now - $0, 0) * millisecond) }
  }

  @Test("Each answer agrees with a full count of the last rows", arguments: 0..<100)
  func answers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let history = History(using: &random)
    for claim in Self.claims(of: history) {
      for time in history.now..<history.now + 1050
      where history.admits(claim, at: time) != history.countedAnswer(claim, at: time) {
        Issue.record("\(claim) at \(time) ms, \(history)")
        return
      }
    }
  }

  @Test("Rows count for a second, and passes without rows do not count")
  func appearances() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.moved(at: 0)
    gate.rowsAppeared(1, at: 0)
    gate.rowsAppeared(0, at: 10)
    #expect(gate.appearances.map(\.time) == [0])
    gate.rowsAppeared(1, at: 999_999_999)
    #expect(gate.appearances.map(\.time) == [0, 999_999_999])
    gate.rowsAppeared(0, at: 1_000_000_000)
    #expect(gate.appearances.map(\.time) == [999_999_999])
  }

  @Test("A row that stays for exactly half a load is not held back")
  func halfALoad() {
    var gate = ScrollGate(policy: .adaptive, quietTime: 1)
    gate.moved(at: 0)
    gate.loadEnded(after: 10)
    #expect(!gate.holds(Visit(begin: 0, end: 5)))
    #expect(gate.holds(Visit(begin: 0, end: 4.5)))
  }

}
