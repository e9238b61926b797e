// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Cells that show one row share its load", .timeLimit(.minutes(10)))
@MainActor
struct SharingTests {
  private let rig = TrackerRig()

  @Test("Two cells with one row load it once, and both are rendered")
  func loadedOnce() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) c1(b) W1(b) | F1 |")
    #expect(rig.tracker.metrics.started == 1)
    for cell in 0...1 { #expect(rig.player.content(ofCell: cell)?.phase.kind == .loaded) }
  }

  @Test("The load continues when one of its two cells leaves or shows another row")
  func oneLeaves() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) c1(b) W1(b) | E1(a) | +150ms | c5(a) W5(a) |")
    #expect(rig.recorder.cancelled.isEmpty)
    try await rig.playToTheEnd("F1 |")
    #expect(rig.player.content(ofCell: 1)?.phase.kind == .loaded)
  }

  @Test("The load is cancelled and frees its slot when its last cell leaves")
  func lastLeaves() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("c1(a) W1(a) c1(b) W1(b) c30(c) W30(c) | E1(a) E1(b) |")
    #expect(rig.recorder.cancelled.count == 1)
    #expect(rig.recorder.started.last == 30)
  }

  @Test(
    "A failed row loads again at its next display, not for a second cell")
  func failed() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | f1 | c1(b) W1(b) |")
    #expect(rig.tracker.metrics.started == 1)
    for cell in 0...1 { #expect(rig.player.content(ofCell: cell)?.phase.kind == .failed) }
    try rig.play("E1(a) E1(b) | W1(b) |")
    #expect(rig.tracker.metrics.started == 2)
  }
}
