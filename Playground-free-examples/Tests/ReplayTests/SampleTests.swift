import Foundation
import RowInspector
import RowOperationsTesting
import Testing

@Suite("The sample recording")
@MainActor
struct SampleTests {
  private let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Replay/sample.recording")

  @Test("plays to its end, and the doctor says that two slots are too few")
  func plays() throws {
    let replay = try ListReplay(contentsOf: url)
    #expect(replay.endCount > 100 && replay.time > .seconds(10))
    #expect(replay.blankTime > .seconds(60))
    #expect(replay.findings.map(\.kind).contains(.tooFewSlots))
  }
}
