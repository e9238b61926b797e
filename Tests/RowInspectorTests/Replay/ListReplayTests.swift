import Foundation
import RowOperationsTesting
import Testing

@testable import RowInspector
@testable import RowOperations

@Suite("Recordings and their replay", .timeLimit(.minutes(10)))
@MainActor
struct ListReplayTests {
  /// The recording of a list with an inspector.
  private func record(
    _ rig: InspectedList, _ body: () throws -> Void
  ) throws -> ListReplay {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).recording")
    defer { try? FileManager.default.removeItem(at: url) }
    let recording = try #require(try rig.inspector.record(to: url))
    try body()
    recording.stop()
    #expect(recording.failure == nil)
    return try ListReplay(contentsOf: url)
  }

  @Test("A fault is found in its recording as it was on the device", arguments: FaultyList.all)
  func fault(list: FaultyList) throws {
    let rig = InspectedList(configure: list.configure)
    let replay = try record(rig) { try rig.play(list.script) }
    #expect(replay.findings.map(\.kind) == [list.kind])
    #expect(replay.deviceFindings == rig.findings.map(\.description))
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
    let replay = try record(rig) { rig.scroll(list) }
    #expect(replay.findings == [] && replay.deviceFindings == [])
    #expect(replay.lostEndCount == 0 && replay.endCount > 50)
    #expect(replay.tracker.metrics == rig.tracker.metrics)
    #expect(replay.starts.count == rig.tracker.metrics.started)
    #expect(replay.blankTime == rig.tracker.metrics.blankTime)
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
    let replay = try ListReplay(lines.all.joined(separator: "\n"))
    #expect(replay.lostEndCount == 0 && replay.findings == [])
    for row in 0..<3 { #expect(replay.tracker.phase(of: row).value == row) }
  }

  @Test("Live rows are replayed to the same figures", arguments: [false, true])
  func liveRows(isLoad: Bool) throws {
    let clock = ManualClock()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.liveLimit = 2
    configuration.liveInterval = .milliseconds(50)
    let silent: @Sendable (UpdateContext<Int, Int>) -> AsyncStream<Int> = { _ in
      AsyncStream { _ in }
    }
    let tracker =
      isLoad
      ? DisplayTracker(configuration: configuration, updates: silent)
      : DisplayTracker(configuration: configuration, update: { $0.row }, updates: silent)
    tracker.holdOperations()
    let lines = Lines()
    lines.all = [RecordedSetup(of: tracker).text]
    tracker.recordEvents { lines.all.append($0) }
    func pass(_ time: Duration = .zero) {
      clock.advance(by: time)
      tracker.endPass()
    }
    let cells = (0..<3).map(SimulatedCell.init)
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    pass()
    for row in 0..<3 { #expect(tracker.endLoad(of: row) { .success($0.row) }) }
    pass(.milliseconds(20))
    #expect(tracker.metrics.live == 2)
    #expect(tracker.play(.success(0), inStreamOf: 0))
    #expect(tracker.play(.failure(CocoaError(.fileNoSuchFile)), inStreamOf: 1))
    pass(.milliseconds(10))
    pass(.milliseconds(100))
    #expect(tracker.play(.success(nil), inStreamOf: 0) && tracker.play(.success(2), inStreamOf: 2))
    pass(.milliseconds(7))
    pass(.seconds(2))
    // Optimized code would release them before their last pass.
    withExtendedLifetime(cells) {}
    let replay = try ListReplay(lines.all.joined(separator: "\n"))
    #expect(replay.lostEndCount == 0)
    #expect(replay.tracker.metrics == tracker.metrics && tracker.metrics.live == 2)
    for row in 0..<3 { #expect(replay.tracker.phase(of: row) == tracker.phase(of: row)) }
  }

  @Test("The courses of the benchmarks are whole recordings, with a screen of rows in the end")
  func courses() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/Worlds/Recordings").standardized
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "recording" }
    #expect(files.count > 10)
    for file in files {
      // No load ends in them, so each needs a slot of its own.
      let replay = try ListReplay(contentsOf: file) { $0.slots = UpdateSlots(1000) }
      #expect(replay.turnCount > 300 && replay.time > .seconds(10), "\(file.lastPathComponent)")
      #expect(14...15 ~= replay.tracker.displayedRows.count, "\(file.lastPathComponent)")
    }
  }

  @Test("An app changes the configuration, and hears of the replay's events and impressions")
  func configured() throws {
    let text = "# RowOperations 1 slots=1\nc0(a) W0(a) c1(b) W1(b) |\n+1500ms F0 |\n"
    let plain = try ListReplay(text)
    #expect(plain.starts == [0, 1] && plain.impressions == [0, 1])
    #expect(plain.blankTime == .milliseconds(3_000))
    var (heard, seen): ([Int], [Int]) = ([], [])
    let changed = try ListReplay(text) {
      $0.slots = UpdateSlots(2)
      $0.impressionTime = .seconds(2)
      $0.onEvent = { if case .started = $0.kind { heard.append($0.row) } }
      $0.onImpression = { seen.append($0) }
    }
    #expect(changed.starts == [0, 1] && heard == [0, 1])
    #expect(changed.impressions == [] && seen == [])
    #expect(changed.tracker.configuration.slots.count == 2)
  }

  @Test("A file that is not text is refused in a sentence, and a missing one by the file system")
  func unreadable() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).recording")
    #expect(throws: (any Error).self) { try ListReplay(contentsOf: url) }
    try Data([0xff, 0xfe, 0x00]).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    #expect {
      _ = try ListReplay(contentsOf: url)
    } throws: {
      "\($0)" == "The file is not a recording: it is not text."
    }
  }

  @Test("The configuration is read as it was written")
  func setup() throws {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(3)
    configuration.scrollPolicy = .whenSettled
    configuration.grace = .milliseconds(20)
    configuration.timeout = .seconds(7)
    configuration.prefetchWindow.limit = 5
    configuration.retention = .cost(limit: 1_000) { $0 }
    configuration.retry = .backoff(.delays([.milliseconds(200), .milliseconds(400)]))
    let setup = RecordedSetup(of: DisplayTracker(configuration: configuration) { $0.row })
    #expect(RecordedSetup(setup.text)?.text == setup.text)
    #expect(
      setup.text.contains("slots=3 policy=settled grace=20 quiet=150 timeout=7000 window=2.5,1.5,5")
    )
    #expect(setup.text.contains("kept=cost:1000 retry=after:200,400"))
    let live = RecordedSetup(
      of: DisplayTracker(configuration: configuration, updates: { _ in AsyncStream { _ in } }))
    #expect(RecordedSetup(live.text)?.text == live.text && live.text.contains("live=loads:100:100"))
    let plain = RecordedSetup(of: DisplayTracker<Int, Int> { $0.row })
    #expect(RecordedSetup(plain.text)?.text == plain.text)
    #expect(RecordedSetup("# RowOperations 2 slots=3") == nil)
    #expect(RecordedSetup("# RowOperations 1 slots=many") == nil)
    #expect(RecordedSetup("# RowOperations 1 slots=3 colour=red")?.configuration.slots.count == 3)
  }

  @Test(
    "A text that is not a whole recording is refused in a sentence",
    arguments: [
      ("", "The text is empty."),
      ("\n\n", "The text has no turns"),
      ("# RowOperations 1 slots=6\n", "The text has no turns"),
      ("# RowOperations 9 slots=6\nc0(a) |\n", "The text is of another version"),
      ("{\"rows\": []}\n", "The text is not a recording: line 1"),
      ("Dear Sir or Madam\n", "The text is not a recording: line 1"),
      ("c0(a) W0(a) |\n+16ms B M |\nc1(b) W1(", "The text is damaged or cut off in line 3"),
      ("c0(a) W0(a) |\n+16ms B", "The text is cut off: its last line"),
      ("# RowOperations 1 slots=6\nc0(a) W0", "The text is cut off"),
    ])
  func refused(text: String, complaint: String) {
    #expect {
      _ = try ListReplay(text)
    } throws: {
      ($0 as? RecordingError)?.description.hasPrefix(complaint) == true
    }
  }

  @Test("Lines of any system's kind are read, and blank ones are none")
  func lines() throws {
    let replay = try ListReplay("c0(a) W0(a) |\r\n\r\n+16ms B M |\r\n")
    #expect(replay.turnCount == 2)
    #expect(replay.time == .milliseconds(16))
    #expect(replay.summary.contains("the default is assumed, with 6 slots."))
  }

  @Test("A summary without a finding names the loads that failed")
  func failedLoads() throws {
    let shown = "c0(a) W0(a) |\n+20ms f0 |\n"
    let replay = try ListReplay(shown)
    #expect(replay.summary.contains("The doctor finds nothing wrong, but 1 of 1 load failed."))
    let good = try ListReplay(shown.replacingOccurrences(of: "f0", with: "F0"))
    #expect(good.summary.contains("The doctor finds nothing wrong.\n"))
  }

  @Test("Findings about loads that the device did not have are left out of the summary")
  func doubtfulFindings() throws {
    // With two slots, the device started no loads of the rows 2 and 3, but one of row 9.
    let turns = """
      c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) c3(d) W3(d) |
      +20ms F0 F1 |
      +20ms E2(c) E3(d) c4(c) W4(c) c5(d) W5(d) |
      +500ms F4 F5 |
      +9000ms F9 |

      """
    let unlike = try ListReplay(turns)
    #expect(unlike.lostEndCount == 1)
    #expect(unlike.findings.map(\.kind) == [.ignoredCancellation])
    #expect(!unlike.summary.contains("cancellation"))
    #expect(
      unlike.summary.contains(
        "Findings about loads, slots and prefetches, and all figures, are left out"))
    #expect(unlike.summary.hasSuffix("In the rest, the doctor finds nothing wrong."))

    let good = (10..<40).map { "c\($0)(e) W\($0)(e) |\n+20ms F\($0) E\($0)(e) |\n" }.joined()
    let nearlyAlike = try ListReplay(good + turns)
    #expect(nearlyAlike.lostEndCount == 1)
    #expect(nearlyAlike.summary.contains("Findings about cancelled bodies are left out"))
    #expect(nearlyAlike.summary.contains("loads were for rows that left unseen"))
    #expect(nearlyAlike.summary.contains("blank row time"))

    let configured = try ListReplay(turns) { $0.slots = UpdateSlots(2) }
    #expect(configured.summary.contains("the default is assumed, but with 2 slots."))
  }

  @Test("A recording that cannot be written says so, and the tracker goes on")
  func unwritable() {
    let rig = InspectedList()
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all/list.recording")
    #expect(throws: (any Error).self) { try ListRecording(of: rig.tracker, to: nowhere) }
  }
}
