import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import RowInspector

@Suite("Recordings and their replay", .timeLimit(.minutes(10)))
@MainActor
struct RecordingReplayTests {
  /// The recording of a list with an inspector.
  private func record(
    _ rig: InspectedList, _ body: () throws -> Void
  ) throws -> RecordedList {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).recording")
    defer { try? FileManager.default.removeItem(at: url) }
    let recording = try #require(try rig.inspector.record(to: url))
    try body()
    recording.stop()
    #expect(recording.failure == nil)
    return try RecordedList(String(contentsOf: url, encoding: .utf8))
  }

  @Test("A fault is found in its recording as it was on the device", arguments: FaultyList.all)
  func fault(list: FaultyList) throws {
    let rig = InspectedList(configure: list.configure)
    let recording = try record(rig) { try rig.play(list.script) }
    let replay = RecordingReplay(recording)
    replay.play()
    #expect(replay.findings.map(\.kind) == [list.kind])
    #expect(recording.deviceFindings == rig.findings.map(\.description))
    #expect(replay.tracker.metrics == rig.tracker.metrics)
    #expect(replay.lostEndCount == 0)
    #expect(replay.summary.contains(list.sentence))
  }

  @Test(
    "A good list is replayed to the same figures, without a finding",
    arguments: [ListBehavior.tableView, .collectionView, .gtkListView])
  func goodList(behavior: ListBehavior) throws {
    let rig = InspectedList {
      $0.slots = UpdateSlots(3)
      $0.scrollPolicy = .whenSettled
    }
    let list = ListSimulator(rows: Array(0..<10_000), viewport: 600, behavior: behavior) {
      rig.app.handle($0)
    }
    let recording = try record(rig) { rig.scroll(list) }
    let replay = RecordingReplay(recording)
    replay.play()
    #expect(replay.findings == [] && recording.deviceFindings == [])
    #expect(replay.lostEndCount == 0 && replay.endCount > 50)
    #expect(replay.tracker.metrics == rig.tracker.metrics)
    #expect(replay.timeline.svg(title: "").contains("on screen, loaded"))
  }

  @Test("Values of the app's cache, and rows with nothing to load, hold no slot in a replay")
  func cachedRows() throws {
    let clock = ManualClock()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(1)
    configuration.cached = { $0 == 0 ? 0 : nil }
    let tracker = DisplayTracker(configuration: configuration) { token in
      token.row == 1 ? nil : UpdateOperation(token: token) { $0.row }
    }
    tracker.holdOperations()
    let lines = Lines()
    tracker.recordEvents { lines.all.append($0) }
    let cells = (0..<3).map(SimulatedCell.init)
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.endPass()
    _ = tracker.endLoad(of: 2) { .success($0.row) }
    tracker.endPass()
    // Optimized code would release them before their last pass.
    withExtendedLifetime(cells) {}
    let replay = RecordingReplay(try RecordedList(lines.all.joined(separator: "\n")))
    replay.play()
    #expect(replay.lostEndCount == 0 && replay.findings == [])
    for row in 0..<3 { #expect(replay.tracker.phase(of: row).value == row) }
  }

  @Test("The configuration is read as it was written")
  func setup() throws {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(3)
    configuration.scrollPolicy = .whenSettled
    configuration.grace = .milliseconds(20)
    configuration.timeout = .seconds(7)
    configuration.prefetchLimit = 5
    configuration.retention = .cost(limit: 1_000) { $0 }
    configuration.retry = .backoff(.delays([.milliseconds(200), .milliseconds(400)]))
    let setup = RecordedSetup(of: DisplayTracker(configuration: configuration) { $0.row })
    #expect(RecordedSetup(setup.text) == setup)
    #expect(
      setup.text.contains("slots=3 policy=settled grace=20 quiet=150 timeout=7000 prefetch=5"))
    #expect(setup.text.contains("kept=cost:1000 retry=after:200,400"))
    let plain = RecordedSetup(of: DisplayTracker<Int, Int> { $0.row })
    #expect(RecordedSetup(plain.text) == plain)
    #expect(RecordedSetup("# RowOperations 2 slots=3") == nil)
    #expect(RecordedSetup("# RowOperations 1 slots=many") == nil)
    #expect(RecordedSetup("# RowOperations 1 slots=3 colour=red")?.slots == 3)
  }

  @Test(
    "A text that is not a whole recording is refused in a sentence",
    arguments: [
      ("", "The text is empty."),
      ("\n\n", "The text has no turns"),
      ("# RowOperations 1 slots=6\n", "The text has no turns"),
      ("# RowOperations 9 slots=6\nc0(a) |\n", "The text is of another version"),
      ("{\"rows\": []}\n", "The text is no recording: line 1"),
      ("Dear Sir or Madam\n", "The text is no recording: line 1"),
      ("c0(a) W0(a) |\n+16ms B M |\nc1(b) W1(", "The text is damaged or cut off in line 3"),
      ("c0(a) W0(a) |\n+16ms B", "The text is cut off: its last line"),
      ("# RowOperations 1 slots=6\nc0(a) W0", "The text is cut off"),
    ])
  func refused(text: String, complaint: String) {
    #expect {
      _ = try RecordedList(text)
    } throws: {
      ($0 as? RecordingError)?.description.hasPrefix(complaint) == true
    }
  }

  @Test("Lines of any system's kind are read, and blank ones are none")
  func lines() throws {
    let recording = try RecordedList("c0(a) W0(a) |\r\n\r\n+16ms B M |\r\n")
    #expect(recording.turnCount == 2)
    let replay = RecordingReplay(recording)
    replay.play()
    #expect(replay.time == .milliseconds(16))
    #expect(replay.summary.contains("the default is assumed"))
  }

  @Test("A recording that cannot be written says so, and the tracker goes on")
  func unwritable() {
    let rig = InspectedList()
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all/list.recording")
    #expect(throws: (any Error).self) { try ListRecording(of: rig.tracker, to: nowhere) }
  }
}
