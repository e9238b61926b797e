import RowOperationsTesting
import Testing

@testable import RowOperations

/// What real lists do, as data: one of the forty known scripts, and what the tracker makes of it.
///
/// Several texts of one script are the ways in which lists differ there.
struct ListScript: Sendable, CustomTestStringConvertible {
  typealias Configuration = TrackerConfiguration<Int, TrackerRig.Loaded>

  let number: Int
  let title: String
  let texts: [String]
  let configure: @MainActor @Sendable (inout Configuration) -> Void
  let check: @MainActor @Sendable (TrackerRig) -> Void

  init(
    _ number: Int, _ title: String, _ texts: String...,
    configure: @escaping @MainActor @Sendable (inout Configuration) -> Void = { _ in },
    check: @escaping @MainActor @Sendable (TrackerRig) -> Void
  ) {
    self.number = number
    self.title = title
    self.texts = texts
    self.configure = configure
    self.check = check
  }

  var testDescription: String { "\(number): \(title)" }

  static let all = displays + prefetches + reuses + updates + scrolls + hosts

  /// Slots for everybody, so that being loaded and being claimed are the same.
  @MainActor static func roomy(_ configuration: inout Configuration) {
    configuration.slots = UpdateSlots(100)
    configuration.scrollPolicy = .immediate
  }

  // MARK: First layout and plain scrolling

  private static let displays = [
    ListScript(
      1, "ten rows are displayed and ten prefetched at first layout",
      "cW[0…9] P[10…19] |", "c[0…9] W[0…9] P[10…19] |", "cW[0…9] | P[10…19] |"
    ) { rig in
      #expect(rig.displayed == Set(0...9))
      #expect(rig.rows(in: .loading) == Set(0...3))
      #expect(rig.waitingByPriority == Array(4...19))
    },
    ListScript(
      2, "the first prefetch comes with the first scroll: the same end state",
      "cW[0…9] | B P[10…19] M |", "cW[0…9] | B M P[10…19] S |"
    ) { rig in
      #expect(rig.displayed == Set(0...9))
      #expect(rig.rows(in: .loading) == Set(0...3))
      #expect(rig.rows(in: .waiting) == Set(4...19))
    },
    ListScript(
      3, "a prefetched row that is displayed is promoted, not restarted",
      "cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0 |",
      "cW[0…9] P[10…19] | c10(k) | W10(k) E0 P[20] |",
      configure: roomy
    ) { rig in
      #expect(rig.displayed == Set(1...10))
      #expect(rig.starts(of: 10) == 1)
      #expect(rig.rows(in: .loading) == Set(0...20))
      rig.clock.advance(by: .milliseconds(150))
      rig.tracker.endPass()
      #expect(rig.rows(in: .loading) == Set(1...20))
    },
    ListScript(
      4, "scrolling up, the order of the prefetch is the priority",
      "cW[10…19] | c9 W9 P[8,7,6,5] E19 |", "cW[10…19] | c9 W9 E19 P[8…5] |"
    ) { rig in
      #expect(rig.waitingByPriority.suffix(4) == [8, 7, 6, 5])
    },
  ]

  // MARK: Prefetching

  private static let prefetches = [
    ListScript(
      5, "cancelling a part of the prefetched rows cancels only those", "P[20…29] X[25…29] |",
      "P[20…29] | X[25…29] X[25,26] | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.rows(in: .loading) == Set(20...24))
    },
    ListScript(
      6, "after a turn without a cancel, far rows are let go of by age",
      "P[20…29] | P[9…0] | +150ms |",
      configure: {
        roomy(&$0)
        $0.prefetchLimit = 10
      }
    ) { rig in
      #expect(rig.rows(in: .loading) == Set(0...9))
    },
    ListScript(
      7, "prefetching again and again changes nothing", "P[20] P[20] X[20] P[20] |",
      "P[20] | P[20] | X[20] P[20] | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.starts(of: 20) == 1)
      #expect(rig.rows(in: .loading) == [20])
    },
    ListScript(8, "cancelling what was never prefetched is ignored", "X[50] |") { rig in
      #expect(rig.recorder.started.isEmpty)
      #expect(rig.phase(of: 50) == .waiting && !rig.isWaiting(50))
    },
    ListScript(
      9, "a cancelled prefetch leaves a displayed row alone", "P[20] c20 W20 X[20] |",
      "P[20] | c20 W20 X[20] | +150ms |", "P[20] | c20 W20 | X[20] | +150ms |"
    ) { rig in
      #expect(rig.starts(of: 20) == 1)
      #expect(rig.rows(in: .loading) == [20])
    },
    ListScript(
      10, "prefetching a displayed row does not demote it", "cW[0…7] | P[20] | P[7,6] |",
      "cW[0…7] P[20] P[7,6] |"
    ) { rig in
      #expect(rig.waitingByPriority == [4, 5, 6, 7, 20])
    },
  ]

  // MARK: Preparing and reusing cells

  private static let reuses = [
    ListScript(11, "a prepared row is not started", "c20 |", "c20 | c21 |") { rig in
      #expect(rig.recorder.started.isEmpty)
      #expect(rig.displayed.isEmpty)
    },
    ListScript(
      12, "a prepared cell that is used for another row drops the first",
      "c20(a) | c31(a) W31(a) |", "c20(a) W20(a) E20(a) c31(a) W31(a) |"
    ) { rig in
      #expect(rig.displayed == [31])
      #expect(rig.recorder.started == [31])
      #expect(rig.player.content(ofCell: 0)?.row == 31)
    },
    ListScript(
      13, "a row that is displayed again without being asked for starts again",
      "c5(a) W5(a) | E5(a) | +150ms | W5(a) |"
    ) { rig in
      #expect(rig.starts(of: 5) == 2)
      #expect(rig.rows(in: .loading) == [5])
    },
    ListScript(
      14, "a row that comes back within its grace keeps its load",
      "c0(a) W0(a) | E0(a) | +100ms W0(a) | +100ms |", "c0(a) W0(a) | E0(a) W0(a) | +200ms |"
    ) { rig in
      #expect(rig.starts(of: 0) == 1)
      #expect(rig.recorder.cancelled.isEmpty)
      #expect(rig.rows(in: .loading) == [0])
    },
    ListScript(
      15, "a reloaded row has a new cell, and its old one may end twice",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) E2(a) | +150ms |",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) | E2(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.rows(in: .loading) == [2])
    },
    ListScript(
      16, "an end of the wrong cell is repaired by reconciling",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) E2(b) | R(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.rows(in: .loading) == [2])
    },
    ListScript(
      17, "a reconfigured row is rendered again and nothing restarts", "c2(a) W2(a) | c2(a) |"
    ) { rig in
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.displayed == [2])
      #expect(rig.player.content(ofCell: 0)?.phase.isPending == true)
    },
    ListScript(18, "reconfiguring a row without a cell is nothing at all", "c2(a) W2(a) | |") {
      #expect($0.recorder.started == [2])
    },
  ]

  // MARK: Changes of the model

  private static let updates = [
    ListScript(
      19, "reloaded, old cells leave first: rows that stay keep their loads",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | E0(a) E1(b) E2(c) c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) |",
      check: reloaded),
    ListScript(
      20, "reloaded, old cells leave last with old indices: rows that stay keep their loads",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) E0(a) E1(b) E2(c) |",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) E2(c) E1(b) E0(a) |",
      check: reloaded),
    ListScript(
      21, "reloaded to fewer rows, cells leave with indices out of bounds",
      "c0(a) W0(a) c1(b) W1(b) | c0(c) W0(c) E98(a) E99(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [0])
      #expect(rig.starts(of: 0) == 1)
      #expect(rig.rows(in: .loading) == [0])
    },
    ListScript(
      22, "a deleted row's cell leaves with its neighbour's index",
      "c3(a) W3(a) c4(b) W4(b) | -[3] c5(c) W5(c) E4(a) | +150ms |",
      "c3(a) W3(a) c4(b) W4(b) | c5(c) W5(c) E4(a) -[3] | +150ms |"
    ) { rig in
      #expect(rig.displayed == [4, 5])
      #expect(rig.rows(in: .loading) == [4, 5])
      #expect(rig.recorder.cancelled == [3])
    },
    ListScript(
      23, "all rows deleted: each load ends once",
      "c0(a) W0(a) c1(b) W1(b) | -[0,1] | E0(a) E1(b) |",
      "c0(a) W0(a) c1(b) W1(b) | -* E0(a) E1(b) |",
      "c0(a) W0(a) c1(b) W1(b) | -[0,1] | +1000ms | E0(a) E1(b) | |"
    ) { rig in
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled.sorted() == [0, 1])
    },
    ListScript(
      24, "a row is inserted above: rows that shift are left alone",
      "c0(a) W0(a) c1(b) W1(b) | c9(c) W9(c) E2(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [0, 9])
      #expect(rig.starts(of: 0) == 1)
    },
    ListScript(
      25, "a moved row is displayed throughout", "c2(a) W2(a) | |",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) | +150ms |", "c2(a) W2(a) | E2(a) c2(b) W2(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
    },
    ListScript(
      26, "a snapshot is applied without animation: as a reload",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) E1(b) c2(e) W2(e) E2(c) c7(f) W7(f) E0(a) |",
      check: reloaded),
    ListScript(
      27, "a snapshot with prefetched rows: those that are gone are dropped",
      "P[10…14] | -[12] | +150ms |", "P[10…14] -[12] |", configure: roomy
    ) { rig in
      #expect(rig.rows(in: .loading) == [10, 11, 13, 14])
    },
  ]

  @MainActor private static func reloaded(_ rig: TrackerRig) {
    #expect(rig.displayed == [0, 2, 7])
    #expect(rig.starts(of: 0) == 1)
    #expect(rig.starts(of: 2) == 1)
    #expect(rig.recorder.cancelled.isEmpty)
    rig.clock.advance(by: .milliseconds(150))
    rig.tracker.endPass()
    #expect(rig.rows(in: .loading) == [0, 2, 7])
    #expect(rig.recorder.cancelled == [1])
  }

  // MARK: Jumps, flings, ends that do not come

  private static let scrolls = [
    ListScript(
      28, "a jump loads nothing in between", "cW[0…3] | cW[500…503] E[0…3] | +150ms |",
      "cW[0…3] | E[0…3] cW[500…503] | +150ms |"
    ) { rig in
      #expect(Set(rig.recorder.started) == Set([0, 1, 2, 3, 500, 501, 502, 503]))
      #expect(rig.rows(in: .loading) == Set(500...503))
    },
    ListScript(
      29, "rows that an animated jump passes cause no lasting work",
      "c0 W0 | c100 W100 E0 | c200 W200 E100 | c300 W300 E200 | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.displayed == [300])
      #expect(rig.rows(in: .loading) == [300])
    },
    ListScript(
      30, "the rows that a fling lands on are loaded first",
      "B L[100…103] M c20 W20 | M c21 W21 E20 |", "cW[0…3] | B L[100…103] M cW[20…23] E[0…3] |",
      configure: { $0.scrollPolicy = .immediate }
    ) { rig in
      #expect(rig.recorder.started.suffix(4) == [100, 101, 102, 103])
      #expect(rig.rows(in: .loading) == Set(100...103))
    },
    ListScript(
      31, "a fling that a finger stops without a word has settled after a while",
      "B M c0 W0 | +100ms | +50ms |", "B L[9] M c0 W0 | +150ms |",
      configure: { $0.scrollPolicy = .whenSettled }
    ) { rig in
      #expect(rig.recorder.started == [0])
    },
    ListScript(
      32, "an animation that goes nowhere does not stay a scroll", "B | c0 W0 | +150ms |",
      configure: { $0.scrollPolicy = .whenSettled }
    ) { rig in
      #expect(rig.recorder.started == [0])
    },
    ListScript(
      33, "a covered list starts nothing, and goes on when it is back",
      "c0(a) W0(a) P[9] | Z c1(b) W1(b) P[8] | X[8] z R(a,b) |"
    ) { rig in
      #expect(rig.recorder.started == [0, 9, 1])
      #expect(rig.displayed == [0, 1])
    },
    ListScript(
      34, "cells that are deallocated without a word end their displays",
      "c0(a) W0(a) c1(b) W1(b) P[9] | D(a) | +150ms |",
      "c0(a) W0(a) c1(b) W1(b) P[9] | D(a) | E0(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [1])
      #expect(rig.rows(in: .loading) == [1, 9])
    },
    ListScript(
      34, "a list that is torn down ends the displays of all its cells",
      "c0(a) W0(a) c1(b) W1(b) | D(a) D(b) | +150ms |",
      "c0(a) W0(a) c1(b) W1(b) | D(a) D(b) | E0(a) E1(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled.sorted() == [0, 1])
    },
  ]

  // MARK: Layouts and other hosts

  private static let hosts = [
    ListScript(
      35, "a layout off the window is not counted twice",
      "c0(a) W0(a) c1(b) W1(b) | E0(a) E1(b) c0(c) W0(c) c1(d) W1(d) | E0(c) E1(d) | +150ms |"
    ) { rig in
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.started == [0, 1])
      #expect(rig.recorder.cancelled.sorted() == [0, 1])
    },
    ListScript(
      36, "a rotation changes only the difference",
      "c0(a) W0(a) c1(b) W1(b) | c2(c) W2(c) | E2(c) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [0, 1])
      #expect(rig.recorder.started == [0, 1, 2])
      #expect(rig.rows(in: .loading) == [0, 1])
    },
    ListScript(
      37, "rows that come and go within a pass are never started", "cW[0…20] E[12…20] |",
      configure: roomy
    ) { rig in
      #expect(Set(rig.recorder.started) == Set(0...11))
      #expect(rig.displayed == Set(0...11))
    },
    ListScript(
      38, "a SwiftUI row appears again and again, and never disappears",
      "c5(a) W5(a) W5(a) | W5(a) c5(b) W5(b) | D(a) D(b) | +150ms |"
    ) { rig in
      #expect(rig.starts(of: 5) == 1)
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled == [5])
    },
    ListScript(
      39, "a removed row view is told with the row -1",
      "c3(a) W3(a) c4(b) W4(b) | E-1(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [4])
      #expect(rig.rows(in: .loading) == [4])
    },
    ListScript(
      40, "GTK binds 205 rows and shows six; items are bound anew back to back",
      "c[0…204] W[0…5] | U(a) c205(a) E205(a) | E1(b) U(b) c1(b) W1(b) |", configure: roomy
    ) { rig in
      #expect(rig.displayed == Set(1...5))
      #expect(Set(rig.recorder.started) == Set(0...5))
      #expect(rig.starts(of: 1) == 1)
    },
  ]
}
