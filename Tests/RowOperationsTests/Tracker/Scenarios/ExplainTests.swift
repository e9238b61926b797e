// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Explanations of blank rows", .timeLimit(.minutes(10)))
@MainActor
struct ExplainTests {
  @Test("The explanation describes an unknown row, a row off screen and a loaded row")
  func states() async throws {
    let rig = TrackerRig()
    #expect(
      rig.tracker.explain(1)
        == "Row 1 is not known: no cell is bound to it, and it is not prefetched.")
    try rig.play("c1(a) |")
    #expect(
      rig.tracker.explain(1)
        == "Row 1 is not needed: no cell bound to it is on screen, or willDisplay is not forwarded."
    )
    try await rig.playToTheEnd("W1(a) | +120ms")
    #expect(rig.tracker.explain(1) == "Row 1 has been loading for 120 ms in stage fetch.")
    try await rig.playToTheEnd("F1 |")
    #expect(rig.tracker.explain(1) == "Row 1 is loaded.")
    try await rig.playToTheEnd("U(a) | ![1] |")
    #expect(rig.tracker.explain(1) == "Row 1 is not needed: no cell is bound to it.")
    try await rig.playToTheEnd("c1(a) |")
    #expect(rig.tracker.explain(1).hasPrefix("Row 1 shows an older value and has been loading for"))
  }

  @Test("The explanation describes a removed row with a cell on screen")
  func removed() async throws {
    for step in ["-[1]", "-*"] {
      let rig = TrackerRig()
      try await rig.playToTheEnd("c1(a) W1(a) | F1 | \(step) |")
      #expect(rig.tracker.explain(1) == "Row 1 is unbound since remove: bind its cell again.")
      try await rig.playToTheEnd("c2(a) |")
      #expect(rig.tracker.explain(1).contains("is not known"), "its cell shows another row")
      try await rig.playToTheEnd("U(a) |")
      #expect(rig.tracker.explain(1).contains("is not known"), "another row left its cell")
    }
  }

  @Test("The explanation describes a removed row whose view has left the screen in its host")
  func removedView() async throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) h2(b,a) | -[2] |")
    #expect(rig.tracker.explain(2) == "Row 2 is unbound since remove: bind its cell again.")
    try rig.play("E1(a) |")
    #expect(rig.tracker.explain(2).contains("is not known"), "its view is off screen")
    try rig.play("W1(a) |")
    #expect(rig.tracker.explain(2).contains("has been loading"), "its view binds it anew")
    #expect(rig.violations == [])
  }

  @Test("The explanation describes a row before its turn and a deleted row")
  func untruths() async throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a)")
    #expect(rig.tracker.explain(1) == "Row 1 waits for the next turn of the main queue.")
    // A header on screen that is bound to no row.
    try rig.play("| W9(h) -[1] c2(a) |")
    #expect(rig.tracker.explain(1).contains("is not known"))
  }

  @Test("The explanation describes a row that the scroll policy holds back, with its times")
  func heldBack() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c0(z) W0(z) | +310ms F0 | E0(z) | B |")
    // Three rows in a tenth of a second, two of them on screen, so that each stays for 66 ms.
    let fling = (1...6).map { row in
      "M c\(row) W\(row) \(row > 2 ? "E\(row - 2)" : "") | +33ms"
    }
    try rig.play(fling.joined(separator: " "))
    let text = rig.tracker.explain(6)
    #expect(text.hasPrefix("Row 6 waits, held back: on screen for "), "\(text)")
    #expect(text.hasSuffix(" ms, load 310 ms."), "\(text)")
    let settled = TrackerRig { $0.scrollPolicy = .whenSettled }
    try settled.play("B c1(a) W1(a) |")
    #expect(settled.tracker.explain(1) == "Row 1 waits, held back: the list moves.")
  }

  @Test("The explanation describes a wait for a slot, the place in line and the slots' holders")
  func slots() async throws {
    let gate = LoadGate<Int, Int>(stopsWhenCancelled: false)
    let clock = ManualClock()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(1)
    let tracker = DisplayTracker(configuration: configuration) { context in
      try await context.stage(.fetch) { try await gate.load(context) }
    }
    let cells = (0..<5).map { SimulatedCell(number: $0) }
    func show(_ row: Int, in cell: Int) {
      tracker.bind(cells[cell], to: row) { _, _ in }
      tracker.willDisplay(cells[cell])
      tracker.endPass()
    }
    // Two loads ignore their cancellation; one of them holds no slot.
    for row in [17, 18] {
      show(row, in: 0)
      await gate.wait { $0.waiting.contains { $0.row == row } }
      tracker.setValue(0, for: row)
      tracker.endPass()
    }
    clock.advance(by: .seconds(12))
    show(1, in: 1)
    show(2, in: 2)
    show(3, in: 3)
    #expect(
      tracker.explain(3)
        == "Row 3 waits: third in line, row 1 on screen gains more; "
        + "slot 1 held for 12 s by cancelled row 17 in stage fetch.")
    gate.openAll { _ in 0 }
    await tracker.waitUntil { $0.explain(1).hasPrefix("Row 1 has been loading for 0 ms") }
    clock.advance(by: .milliseconds(1_250))
    await gate.wait { $0.waiting.contains { $0.row == 1 } }
    #expect(
      tracker.explain(2)
        == "Row 2 waits: first in line; slot 1 held for 1.2 s by row 1 in stage fetch.")
    gate.openAll { _ in 0 }
    while tracker.displayedRows.contains(where: { tracker.phase(of: $0).value == nil }) {
      gate.openAll { _ in 0 }
      await Task.yield()
    }
    withExtendedLifetime(cells) {}
  }

  @Test("The explanation describes a prefetched row and a row of a suspended tracker")
  func otherReasons() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try await rig.playToTheEnd("P[5…7] |")
    #expect(
      rig.tracker.explain(6)
        == "Row 6 waits: first in line; slot 1 held for 0 ms by row 5 in stage fetch.")
    #expect(
      rig.tracker.explain(7)
        == "Row 7 waits: second in line, row 6 gains more; slot 1 held for 0 ms by row 5 in stage fetch."
    )
    try rig.play("Z c1(a) W1(a) |")
    #expect(rig.tracker.explain(1) == "Row 1 waits: the tracker is suspended.")
  }

  @Test("Times are in milliseconds below one second, and have tenths below ten seconds")
  func times() {
    let times: [Int64] = [
      -5, 999_999_999, 1_000_000_000, 1_290_000_000, 9_990_000_000, 10_500_000_000,
    ]
    #expect(times.map(\.text) == ["0 ms", "999 ms", "1 s", "1.2 s", "9.9 s", "10 s"])
  }

  @Test("The explanation of a failed row has its error and its next attempt")
  func failures() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
    #expect(
      rig.tracker.explain(1)
        == "Row 1 has failed, and loads again on its next display: Failure(row: 1).")
    try await rig.playToTheEnd("E1(a) | W1(a) | f1 | E1(a) | W1(a) | f1 |")
    #expect(
      rig.tracker.explain(1)
        == "Row 1 has failed and was given up, call retry(_:), or display it again in 30 s: "
        + "Failure(row: 1).")
    let strict = TrackerRig { $0.retry = .never }
    try await strict.playToTheEnd("c1(a) W1(a) | f1 |")
    #expect(
      strict.tracker.explain(1)
        == "Row 1 has failed and was given up, call retry(_:): Failure(row: 1).")
    let patient = TrackerRig { $0.retry = .backoff(.constant(.seconds(30), limit: 3)) }
    try await patient.playToTheEnd("c1(a) W1(a) | f1 | +500ms")
    #expect(
      patient.tracker.explain(1) == "Row 1 has failed and loads again in 29 s: Failure(row: 1).")
  }
}
