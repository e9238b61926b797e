import Console
import Foundation
import RowInspector
import RowOperationsTesting
import Testing

@testable import replay

@Suite("replay")
@MainActor
struct ReplayTests {
  private let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Replay/sample.recording")

  @Test("The sample plays to its end, and the doctor says that two slots are too few")
  func sample() throws {
    let replay = try ListReplay(contentsOf: url)
    #expect(replay.endCount > 100 && replay.time > .seconds(10))
    #expect(replay.blankTime > .seconds(60))
    #expect(replay.findings.map(\.kind).contains(.tooFewSlots))
  }

  @Test("Given slots take the place of those that a recording lacks")
  func slots() throws {
    let text = try String(contentsOf: url, encoding: .utf8)
    let bare = text.drop { $0 != "\n" }.dropFirst()
    #expect(try Replay.play(String(bare), nil, "bare").lostEndCount > 0)
    #expect(try Replay.play(String(bare), 2, "bare").lostEndCount == 0)
  }

  @Test("A file that is no recording is named, with the reason")
  func faulty() {
    let complaint = #expect(throws: Complaint.self) {
      try Replay.play("no recording", nil, "notes.txt")
    }
    #expect(complaint?.description.hasPrefix("'notes.txt': ") == true)
  }
}
