// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

/// One of forty event scripts of real lists, and the state that the tracker must reach.
///
/// Several texts of one script are variants of different lists.
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

  static let all: [Self] = [displays, prefetches, reuses, updates, scrolls, hosts].flatMap(\.self)

  /// Enough slots for all rows, so that every claimed row loads.
  @MainActor static func roomy(_ configuration: inout Configuration) {
    configuration.slots = UpdateSlots(100)
    configuration.scrollPolicy = .immediate
  }

  // MARK: First layout and plain scrolling

  private static let displays: [Self] = [
    ListScript(
      1, "the first layout displays ten rows and prefetches ten",
      "cW[0…9] P[10…19] |", "c[0…9] W[0…9] P[10…19] |", "cW[0…9] | P[10…19] |"
    ) { rig in
      #expect(rig.displayed == Set(0...9))
      #expect(rig.rows(in: .loading) == Set(0...3))
      #expect(rig.waitingByPriority == Array(4...19))
    },
    ListScript(
      2, "a first prefetch at the first scroll leads to the same state",
      "cW[0…9] | B P[10…19] M |", "cW[0…9] | B M P[10…19] S |"
    ) { rig in
      #expect(rig.displayed == Set(0...9))
      #expect(rig.rows(in: .loading) == Set(0...3))
      #expect(rig.rows(in: .waiting) == Set(4...19))
    },
    ListScript(
      3, "a prefetched row that is displayed keeps its load",
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
      4, "a list that scrolls up loads rows in the order of the prefetch",
      "cW[10…19] | c9 W9 P[8,7,6,5] E19 |", "cW[10…19] | c9 W9 E19 P[8…5] |"
    ) { rig in
      #expect(rig.waitingByPriority.suffix(4) == [8, 7, 6, 5])
    },
  ]

  // MARK: Prefetching

  private static let prefetches: [Self] = [
    ListScript(
      5, "a cancel of some prefetched rows cancels only those rows", "P[20…29] X[25…29] |",
      "P[20…29] | X[25…29] X[25,26] | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.rows(in: .loading) == Set(20...24))
    },
    ListScript(
      6, "without a cancel the oldest prefetched rows lose their claims",
      "P[20…29] | P[9…0] | +150ms |",
      configure: {
        roomy(&$0)
        $0.prefetchWindow.limit = 10
      }
    ) { rig in
      #expect(rig.rows(in: .loading) == Set(0...9))
    },
    ListScript(
      7, "repeated prefetches of a row change nothing", "P[20] P[20] X[20] P[20] |",
      "P[20] | P[20] | X[20] P[20] | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.starts(of: 20) == 1)
      #expect(rig.rows(in: .loading) == [20])
    },
    ListScript(8, "a cancel of a row that was not prefetched is ignored", "X[50] |") { rig in
      #expect(rig.recorder.started.isEmpty)
      #expect(rig.phase(of: 50) == .waiting && !rig.isWaiting(50))
    },
    ListScript(
      9, "a cancelled prefetch does not affect a displayed row", "P[20] c20 W20 X[20] |",
      "P[20] | c20 W20 X[20] | +150ms |", "P[20] | c20 W20 | X[20] | +150ms |"
    ) { rig in
      #expect(rig.starts(of: 20) == 1)
      #expect(rig.rows(in: .loading) == [20])
    },
    ListScript(
      10, "a prefetch of a displayed row does not demote it", "cW[0…7] | P[20] | P[7,6] |",
      "cW[0…7] P[20] P[7,6] |"
    ) { rig in
      #expect(rig.waitingByPriority == [4, 5, 6, 7, 20])
    },
  ]

  // MARK: Preparing and reusing cells

  private static let reuses: [Self] = [
    ListScript(11, "a prepared row does not load", "c20 |", "c20 | c21 |") { rig in
      #expect(rig.recorder.started.isEmpty)
      #expect(rig.displayed.isEmpty)
    },
    ListScript(
      12, "a prepared cell that is bound to another row drops the first row",
      "c20(a) | c31(a) W31(a) |", "c20(a) W20(a) E20(a) c31(a) W31(a) |"
    ) { rig in
      #expect(rig.displayed == [31])
      #expect(rig.recorder.started == [31])
      #expect(rig.player.content(ofCell: 0)?.row == 31)
    },
    ListScript(
      13, "a row that is displayed again without a call for a cell loads again",
      "c5(a) W5(a) | E5(a) | +150ms | W5(a) |"
    ) { rig in
      #expect(rig.starts(of: 5) == 2)
      #expect(rig.rows(in: .loading) == [5])
    },
    ListScript(
      14, "a row that comes back within the grace keeps its load",
      "c0(a) W0(a) | E0(a) | +100ms W0(a) | +100ms |", "c0(a) W0(a) | E0(a) W0(a) | +200ms |"
    ) { rig in
      #expect(rig.starts(of: 0) == 1)
      #expect(rig.recorder.cancelled.isEmpty)
      #expect(rig.rows(in: .loading) == [0])
    },
    ListScript(
      15, "a reloaded row has a new cell, and the old cell can end twice",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) E2(a) | +150ms |",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) | E2(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.rows(in: .loading) == [2])
    },
    ListScript(
      16, "reconcile repairs an end that was reported for the wrong cell",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) E2(b) | R(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.rows(in: .loading) == [2])
    },
    ListScript(
      17, "a reconfigured row is rendered again and keeps its load", "c2(a) W2(a) | c2(a) |"
    ) { rig in
      #expect(rig.starts(of: 2) == 1)
      #expect(rig.displayed == [2])
      #expect(rig.player.content(ofCell: 0)?.phase.isPending == true)
    },
    ListScript(18, "a reconfigured row without a cell causes no event", "c2(a) W2(a) | |") {
      #expect($0.recorder.started == [2])
    },
  ]

  // MARK: Changes of the model

  private static let updates: [Self] = [
    ListScript(
      19, "a reload that ends old cells first keeps the loads of rows that stay",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | E0(a) E1(b) E2(c) c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) |",
      check: reloaded),
    ListScript(
      20, "a reload that ends old cells last, at old indices, keeps loads of rows that stay",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) E0(a) E1(b) E2(c) |",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) c2(e) W2(e) c7(f) W7(f) E2(c) E1(b) E0(a) |",
      check: reloaded),
    ListScript(
      21, "cells leave with indices out of bounds after a reload to fewer rows",
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
      23, "each load ends once when all rows are deleted",
      "c0(a) W0(a) c1(b) W1(b) | -[0,1] | E0(a) E1(b) |",
      "c0(a) W0(a) c1(b) W1(b) | -* E0(a) E1(b) |",
      "c0(a) W0(a) c1(b) W1(b) | -[0,1] | +1000ms | E0(a) E1(b) | |"
    ) { rig in
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled.sorted() == [0, 1])
    },
    ListScript(
      24, "an insertion above does not affect the rows that shift",
      "c0(a) W0(a) c1(b) W1(b) | c9(c) W9(c) E2(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [0, 9])
      #expect(rig.starts(of: 0) == 1)
    },
    ListScript(
      25, "a moved row stays displayed", "c2(a) W2(a) | |",
      "c2(a) W2(a) | c2(b) W2(b) E2(a) | +150ms |", "c2(a) W2(a) | E2(a) c2(b) W2(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [2])
      #expect(rig.starts(of: 2) == 1)
    },
    ListScript(
      26, "a snapshot without animation acts like a reload",
      "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | c0(d) W0(d) E1(b) c2(e) W2(e) E2(c) c7(f) W7(f) E0(a) |",
      check: reloaded),
    ListScript(
      27, "a snapshot drops prefetched rows that it no longer has",
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

  // MARK: Jumps, flings, missing ends

  private static let scrolls: [Self] = [
    ListScript(
      28, "a jump loads no rows in between", "cW[0…3] | cW[500…503] E[0…3] | +150ms |",
      "cW[0…3] | E[0…3] cW[500…503] | +150ms |"
    ) { rig in
      #expect(Set(rig.recorder.started) == Set([0, 1, 2, 3, 500, 501, 502, 503]))
      #expect(rig.rows(in: .loading) == Set(500...503))
    },
    ListScript(
      29, "rows that an animated jump passes keep no load",
      "c0 W0 | c100 W100 E0 | c200 W200 E100 | c300 W300 E200 | +150ms |", configure: roomy
    ) { rig in
      #expect(rig.displayed == [300])
      #expect(rig.rows(in: .loading) == [300])
    },
    ListScript(
      30, "rows on screen load while the speed of a fling is unknown",
      "B L[100…103] M c20 W20 | M c21 W21 E20 |", "cW[0…3] | B L[100…103] M cW[20…23] E[0…3] |",
      configure: { $0.scrollPolicy = .immediate }
    ) { rig in
      #expect(rig.rows(in: .loading).isSuperset(of: rig.displayed))
    },
    ListScript(
      31, "a fling that a finger stops without a report settles after the quiet time",
      "B M c0 W0 | +100ms | +50ms |", "B L[9] M c0 W0 | +150ms |",
      configure: { $0.scrollPolicy = .whenSettled }
    ) { rig in
      #expect(rig.recorder.started == [0])
    },
    ListScript(
      32, "an animation without a move settles after the quiet time", "B | c0 W0 | +150ms |",
      configure: { $0.scrollPolicy = .whenSettled }
    ) { rig in
      #expect(rig.recorder.started == [0])
    },
    ListScript(
      33, "a covered list starts no load, and continues when it comes back",
      "c0(a) W0(a) P[9] | Z c1(b) W1(b) P[8] | X[8] z R(a,b) |"
    ) { rig in
      #expect(rig.recorder.started == [0, 9, 1])
      #expect(rig.displayed == [0, 1])
    },
    ListScript(
      34, "cells that are deallocated without an end stop being displayed",
      "c0(a) W0(a) c1(b) W1(b) P[9] | D(a) | +150ms |",
      "c0(a) W0(a) c1(b) W1(b) P[9] | D(a) | E0(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [1])
      #expect(rig.rows(in: .loading) == [1, 9])
    },
    ListScript(
      34, "a deallocated list ends the displays of all its cells",
      "c0(a) W0(a) c1(b) W1(b) | D(a) D(b) | +150ms |",
      "c0(a) W0(a) c1(b) W1(b) | D(a) D(b) | E0(a) E1(b) | +150ms |"
    ) { rig in
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled.sorted() == [0, 1])
    },
  ]

  // MARK: Layouts and other hosts

  private static let hosts: [Self] = [
    ListScript(
      35, "a layout outside the window does not count twice",
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
      37, "rows that come and go within a pass never load", "cW[0…20] E[12…20] |",
      configure: roomy
    ) { rig in
      #expect(Set(rig.recorder.started) == Set(0...11))
      #expect(rig.displayed == Set(0...11))
    },
    ListScript(
      38, "a SwiftUI row that appears repeatedly and never disappears loads once",
      "c5(a) W5(a) W5(a) | W5(a) c5(b) W5(b) | D(a) D(b) | +150ms |"
    ) { rig in
      #expect(rig.starts(of: 5) == 1)
      #expect(rig.displayed.isEmpty)
      #expect(rig.recorder.cancelled == [5])
    },
    ListScript(
      39, "a removed row view ends with the row -1",
      "c3(a) W3(a) c4(b) W4(b) | E-1(a) | +150ms |"
    ) { rig in
      #expect(rig.displayed == [4])
      #expect(rig.rows(in: .loading) == [4])
    },
    ListScript(
      40, "a GTK list binds 205 rows, shows six, and unbinds and binds items at once",
      "c[0…204] W[0…5] | U(a) c205(a) E205(a) | E1(b) U(b) c1(b) W1(b) |", configure: roomy
    ) { rig in
      #expect(rig.displayed == Set(1...5))
      #expect(Set(rig.recorder.started) == Set(0...5))
      #expect(rig.starts(of: 1) == 1)
    },
  ]
}
