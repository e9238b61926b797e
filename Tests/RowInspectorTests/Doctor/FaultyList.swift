import RowInspector
import Testing

@testable import RowOperations

/// A list with a fault, as a script, and the doctor's sentence about it.
struct FaultyList: Sendable, CustomTestStringConvertible {
  let kind: ListFinding.Kind
  let sentence: String
  let script: String
  var configure: @MainActor @Sendable (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }

  var testDescription: String { kind.rawValue }

  /// A script for each of several rows.
  private static func each(_ rows: Range<Int>, _ script: (Int) -> String) -> String {
    rows.map(script).joined(separator: " ")
  }

  static let all = [
    FaultyList(
      kind: .cellsNotDisplayed,
      sentence: "12 cells were bound, and none was displayed in 1.5 s.",
      script: "c[0…11] | +1500ms |"),
    FaultyList(
      kind: .hostsNotDisplayed,
      sentence: "3 views are bound inside 2 cells, and none of these cells was displayed.",
      script: "c9(z) W9(z) | F9 | h0(b,a) h1(c,a) h2(d,e) | +1500ms |"),
    FaultyList(
      kind: .cellsNeverEnded,
      sentence: """
        4 cells came on screen 16 times, and none was reported to leave it.
        """,
      script: "B c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) c3(d) W3(d) | "
        + each(4..<16) { row in
          let cell = ["a", "b", "c", "d"][row % 4]
          return "M F\(row - 4) | c\(row)(\(cell)) W\(row)(\(cell)) |"
        }),
    FaultyList(
      kind: .rowsRemovedOnScreen, sentence: "One cell is on screen with a removed row.",
      script: "cW[0…2] | F0 F1 F2 | -[1] | +1500ms |"),
    FaultyList(
      kind: .suspendedOnScreen,
      sentence: "The tracker has been suspended for 1.5 s, and 3 cells came on screen meanwhile.",
      script: "Z | cW[0…2] | +1500ms |"),
    FaultyList(
      kind: .unseenLoads, sentence: "40 % of 20 loads were for rows that left unseen.",
      script: each(0..<12) { "c\($0)(a) W\($0)(a) | F\($0) | E\($0)(a) |" } + " "
        + each(12..<20) { "c\($0)(a) W\($0)(a) | E\($0)(a) | F\($0) |" }),
    FaultyList(
      kind: .prefetchedInVain, sentence: "100 % of 24 prefetched rows were dropped unseen.",
      script: each(0..<24) { "P[\($0)] | X[\($0)] | F\($0) |" }),
    FaultyList(
      kind: .ignoredCancellation, sentence: "One body ignores cancellation: 12 s for row 0.",
      script: "c0(a) W0(a) | E0(a) | +12000ms |"),
    FaultyList(
      kind: .repeatedLoads,
      sentence: "Retention is too small: 50 % of 12 values had been there before and were dropped.",
      script: each(0..<12) { index in
        let row = index % 6
        return "c\(row)(a) W\(row)(a) | F\(row) | E\(row)(a) |"
      },
      configure: { $0.retention = .count(2) }),
    FaultyList(
      kind: .tooFewSlots,
      sentence: "6 rows on screen waited while all 2 slots were taken, up to 6 s.",
      script: "cW[0…7] | +2000ms F0 F1 | +2000ms F2 F3 | +2000ms F4 F5 | F6 F7 |",
      configure: { $0.slots = UpdateSlots(2) }),
    FaultyList(
      kind: .repeatedFailures,
      sentence: "3 of 3 loads failed with: HTTP 404. Row 0 failed 3 times in a row.",
      script: "c0(a) W0(a) | f0 | E0(a) | W0(a) | f0 | E0(a) | W0(a) | f0 |"),
  ]
}
