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
    #expect(replay.starts.count == 138 && replay.endCount == 138)
    #expect(replay.lostEndCount == 0)
    #expect(replay.blankTime > .seconds(140) && replay.blankTime < .seconds(150))
    #expect(replay.findings.map(\.kind) == [.tooFewSlots])
  }
}
