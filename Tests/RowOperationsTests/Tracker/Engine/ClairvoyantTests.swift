import Proofs
import RowOperationsTesting
import Testing

/// The bound of the clairvoyant, held against every schedule of a few loads.
@Suite("The clairvoyant", .timeLimit(.minutes(10)))
struct ClairvoyantTests {
  typealias Load = Clairvoyant.Load

  /// The least blank time of all schedules.
  ///
  /// Blank time never shrinks with a later end. Hence one of the best schedules starts the loads in
  /// some order, each as soon as it is released and a slot is free.
  private static func leastBlank(_ loads: [Load], slots: Int) -> Double {
    func least(_ rest: [Load], _ free: [Double]) -> Double {
      rest.indices.map { index in
        var (rest, free) = (rest, free.sorted())
        let load = rest.remove(at: index)
        free[0] = max(free[0], load.release) + load.time
        return load.blank(until: free[0]) + least(rest, free)
      }
      .min() ?? 0
    }
    return least(loads, Array(repeating: 0, count: slots))
  }

  private static func loads(_ random: inout SeededGenerator) -> [Load] {
    let isEven = Bool.random(using: &random)
    return (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let release = Double.random(in: 0...60, using: &random)
      var time = release
      let visits = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        let start = time + .random(in: 0...40, using: &random)
        time = start + .random(in: 1...90, using: &random)
        return start..<time
      }
      return Load(
        release: release, time: isEven ? 30 : .random(in: 2...70, using: &random), visits: visits)
    }
  }

  @Test("The best schedule of a few loads lies between the bound and the one that is found")
  func staysBelowEverySchedule() {
    var sums = (bound: 0.0, best: 0.0, found: 0.0)
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let loads = Self.loads(&random)
      let slots = Int.random(in: 1...3, using: &random)
      let best = Self.leastBlank(loads, slots: slots)
      // The schedule of a real loader is seldom the best one.
      let clairvoyant = Clairvoyant(loads, slots: slots)
      let blank = clairvoyant.blank(reached: seed % 2 == 0 ? best * 1.2 : nil)
      #expect(blank.least <= best && blank.found >= best * (1 - 1e-9), "seed \(seed)")
      sums.bound += blank.least
      sums.best += best
      sums.found += blank.found
    }
    #expect(sums.bound > 0.97 * sums.best && sums.found < 1.01 * sums.best, "\(sums)")
  }

  @Test("Rows of one screen wait for a slot one after the other")
  func countsTheWaitForSlots() {
    let rows = Array(repeating: Load(release: 0, time: 10, visits: [0..<100]), count: 6)
    for (slots, best) in [(1, 210.0), (2, 120.0), (3, 90.0), (6, 60.0)] {
      let bound = Clairvoyant(rows, slots: slots).blank(reached: 1.5 * best).least
      #expect(bound <= best && bound > 0.98 * best, "\(slots) slots: \(bound)")
    }
  }

  @Test("Slots that idle for a long time do not loosen the bound")
  func ignoresIdleTime() {
    let rows =
      Array(repeating: Load(release: 0, time: 10, visits: [0..<100]), count: 6)
      + [Load(release: 9000, time: 10, visits: [9010..<10_000])]
    let bound = Clairvoyant(rows, slots: 2).blank(reached: 180).least
    #expect(bound <= 120 && bound > 0.98 * 120, "\(bound)")
  }

  @Test("A row that is released too late stays blank")
  func leavesLateRowsBlank() {
    let rows = [
      Load(release: 95, time: 10, visits: [0..<100]), Load(release: 0, time: 10, visits: [20..<50]),
    ]
    let bound = Clairvoyant(rows, slots: 1).blank(reached: 130).least
    #expect(bound <= 100 && bound > 99.99)
  }
}
