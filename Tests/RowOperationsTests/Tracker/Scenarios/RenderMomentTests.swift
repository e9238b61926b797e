// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Moments of renders")
@MainActor
struct RenderMomentTests {
  private final class Moments {
    var all: [RenderMoment] = []
    var values: [RenderMoment] = []
  }

  private func bind(
    _ cell: SimulatedCell, to row: Int?, in host: AnyObject? = nil, _ rig: TrackerRig,
    _ moments: Moments
  ) {
    rig.tracker.bind(cell, to: row, in: host) { _, phase, moment in
      moments.all.append(moment)
      if phase.value != nil { moments.values.append(moment) }
    }
  }

  @Test("A loaded value is rendered later, and a kept value during the bind")
  func moments() async throws {
    let rig = TrackerRig()
    let moments = Moments()
    let (cell, other) = (SimulatedCell(number: 0), SimulatedCell(number: 1))
    bind(cell, to: 1, rig, moments)
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    try await rig.playToTheEnd("F1 |")
    #expect(moments.all.first == .binding)
    #expect(moments.values == [.update])
    bind(other, to: 1, rig, moments)
    #expect(moments.values == [.update, .binding])
    bind(cell, to: nil, rig, moments)
    #expect(moments.all.last == .binding)
    #expect(rig.violations == [])
  }

  @Test("A cell that leaves the screen is rendered once more, and again when it comes back")
  func leaving() async throws {
    let rig = TrackerRig()
    let moments = Moments()
    let cell = SimulatedCell(number: 0)
    bind(cell, to: 1, rig, moments)
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    try await rig.playToTheEnd("F1 |")
    moments.all = []
    rig.tracker.didEndDisplaying(cell)
    #expect(moments.all == [], "the turn has not ended")
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(moments.all == [.leaving])
    #expect(moments.values.last == .leaving)
    rig.tracker.willDisplay(cell)
    #expect(moments.all == [.leaving, .update])
    #expect(rig.violations == [])
  }

  @Test("A cell that bounces, is bound anew, is covered or goes is not rendered as leaving")
  func staying() throws {
    let rig = TrackerRig()
    let moments = Moments()
    let cells = (0..<5).map { SimulatedCell(number: $0) }
    for (row, cell) in cells.enumerated() {
      bind(cell, to: row, rig, moments)
      rig.tracker.willDisplay(cell)
    }
    rig.tracker.endPass()
    for cell in cells { rig.tracker.didEndDisplaying(cell) }
    rig.tracker.willDisplay(cells[0])
    bind(cells[1], to: 7, rig, moments)
    rig.tracker.unbind(cells[2])
    rig.tracker.cover(cells[3])
    rig.tracker.remove([4])
    rig.tracker.endPass()
    #expect(!moments.all.contains(.leaving))
    rig.tracker.didEndDisplaying(cells[3])
    rig.tracker.endPass()
    #expect(!moments.all.contains(.leaving), "it left a covered list")
    #expect(rig.violations == [])
  }

  @Test("A cell that is bound to another row and then leaves shows nothing that it must stop")
  func reused() throws {
    let rig = TrackerRig()
    let moments = Moments()
    let (reused, refreshed) = (SimulatedCell(number: 0), SimulatedCell(number: 1))
    for (row, cell) in [reused, refreshed].enumerated() {
      bind(cell, to: row, rig, moments)
      rig.tracker.willDisplay(cell)
    }
    rig.tracker.endPass()
    bind(reused, to: 7, rig, moments)
    rig.tracker.didEndDisplaying(reused)
    rig.tracker.endPass()
    #expect(!moments.all.contains(.leaving))
    bind(refreshed, to: 1, rig, moments)
    rig.tracker.didEndDisplaying(refreshed)
    rig.tracker.endPass()
    #expect(moments.all.last == .leaving, "it still plays its row")
    #expect(rig.violations == [])
  }

  @Test("A view leaves with its host")
  func leavingHosts() throws {
    let rig = TrackerRig()
    let moments = Moments()
    let (host, view) = (SimulatedCell(number: 0), SimulatedCell(number: 1))
    bind(view, to: 2, in: host, rig, moments)
    rig.tracker.willDisplay(host)
    rig.tracker.endPass()
    rig.tracker.didEndDisplaying(host)
    rig.tracker.endPass()
    #expect(moments.all.last == .leaving)
  }
}
