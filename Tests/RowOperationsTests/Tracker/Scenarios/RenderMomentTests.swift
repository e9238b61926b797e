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

  @Test("Views in hosts get the moment too")
  func hosts() async throws {
    let rig = TrackerRig()
    let moments = Moments()
    let (host, view) = (SimulatedCell(number: 0), SimulatedCell(number: 1))
    bind(view, to: 2, in: host, rig, moments)
    rig.tracker.willDisplay(host)
    rig.tracker.endPass()
    try await rig.playToTheEnd("F2 |")
    #expect(moments.values == [.update])
  }
}
