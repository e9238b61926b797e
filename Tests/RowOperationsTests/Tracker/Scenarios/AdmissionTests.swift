// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The order of admissions while a list moves")
@MainActor
struct AdmissionTests {
  /// A moving list with six rows on screen, of which row 3 has the slot.
  ///
  /// The last three rows appeared in two passes, so that a row stays for 255 ms at this pace.
  private func moving(
    loads milliseconds: Int, policy: ScrollPolicy = .immediate
  ) async throws -> TrackerRig {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(1)
      $0.scrollPolicy = policy
    }
    let load = "+\(milliseconds)ms"
    try await rig.playToTheEnd("cW[0…2] | \(load) F0 | \(load) F1 | \(load) F2 |")
    try await rig.playToTheEnd("B M c3(d) W3(d) | c4(e) W4(e) c5(f) W5(f) |")
    #expect(rig.rows(in: .loading) == [3])
    return rig
  }

  @Test("Rows that come on screen after two loads do not count in the wait of a row that leaves")
  func due() async throws {
    let rig = try await moving(loads: 100)
    try await rig.playToTheEnd("P[10…12] | +10ms F3 |")
    #expect(rig.rows(in: .loading) == [4] && rig.violations == [])
  }

  @Test("A row is held back once it leaves before half a load could end", arguments: [54, 56])
  func age(milliseconds: Int) async throws {
    let rig = try await moving(loads: 400, policy: .adaptive)
    try await rig.playToTheEnd("+\(milliseconds)ms M F3 |")
    #expect(rig.rows(in: .loading) == (milliseconds < 55 ? [4] : []))
    #expect(rig.violations == [])
  }
}
