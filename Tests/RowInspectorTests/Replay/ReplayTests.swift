import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import RowInspector
@testable import replay

@Suite("Recordings and their replay", .timeLimit(.minutes(10)))
@MainActor
struct ReplayTests {
  /// The recording of a list with an inspector.
  private func record(
    _ rig: InspectedList, _ body: () throws -> Void
  ) throws -> Recording {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).recording")
    defer { try? FileManager.default.removeItem(at: url) }
    let recording = try #require(try rig.inspector.record(to: url))
    try body()
    recording.stop()
    #expect(recording.failure == nil)
    return try Recording.read(url.path)
  }

  @Test("A fault is found in its recording as it was on the device", arguments: FaultyList.all)
  func fault(list: FaultyList) throws {
    let rig = InspectedList(configure: list.configure)
    let recording = try record(rig) { try rig.play(list.script) }
    let rerun = Rerun(recording)
    rerun.play()
    #expect(rerun.doctor.findings.map(\.kind) == [list.kind])
    #expect(recording.findings == rig.findings.map(\.description))
    #expect(rerun.tracker.metrics == rig.tracker.metrics)
    #expect(rerun.lostEnds == 0)
    #expect(Summary(recording, rerun).text.contains(list.sentence))
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
    let rerun = Rerun(recording)
    rerun.play()
    #expect(rerun.doctor.findings == [] && recording.findings == [])
    #expect(rerun.lostEnds == 0 && rerun.ends > 50)
    #expect(rerun.tracker.metrics == rig.tracker.metrics)
    #expect(rerun.timeline.svg(title: "").contains("on screen, loaded"))
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
    let rerun = Rerun(try Recording(lines.all.joined(separator: "\n")))
    rerun.play()
    #expect(rerun.lostEnds == 0 && rerun.doctor.findings == [])
    for row in 0..<3 { #expect(rerun.tracker.phase(of: row).value == row) }
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
    "A file that is no whole recording is refused in a sentence",
    arguments: [
      ("", "is empty."),
      ("\n\n", "has no turns"),
      ("# RowOperations 1 slots=6\n", "has no turns"),
      ("# RowOperations 9 slots=6\nc0(a) |\n", "is of another version"),
      ("{\"rows\": []}\n", "is no recording: line 1"),
      ("Dear Sir or Madam\n", "is no recording: line 1"),
      ("c0(a) W0(a) |\n+16ms B M |\nc1(b) W1(", "is damaged or cut off in line 3"),
      ("c0(a) W0(a) |\n+16ms B", "is cut off: its last line"),
      ("# RowOperations 1 slots=6\nc0(a) W0", "is cut off"),
    ])
  func refused(text: String, complaint: String) {
    #expect { _ = try Recording(text) } throws: { "\($0)".hasPrefix(complaint) }
  }

  @Test("Lines of any system's kind are read, and blank ones are none")
  func lines() throws {
    let recording = try Recording("c0(a) W0(a) |\r\n\r\n+16ms B M |\r\n")
    #expect(recording.turns == 2 && recording.setup == nil)
    let rerun = Rerun(recording)
    rerun.play()
    #expect(rerun.time == .milliseconds(16))
    #expect(Summary(recording, rerun).text.contains("the default is assumed"))
  }

  @Test("A recording that cannot be written says so, and the tracker goes on")
  func unwritable() {
    let rig = InspectedList()
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all/list.recording")
    #expect(throws: (any Error).self) { try ListRecording(of: rig.tracker, to: nowhere) }
  }

  @Test("Options of the command are read, and misuse is refused in a sentence")
  func options() throws {
    let options = try Options.parse(["a", "--picture", "b.svg", "--trace", "c.json"])
    #expect(options.file == "a")
    #expect(options.picture == "b.svg" && options.trace == "c.json")
    #expect(try Options.parse(["-h"]).showsHelp)
    for misuse in [[], ["a", "b"], ["--unheard-of", "a"], ["a", "--picture"]] {
      #expect(throws: Complaint.self) { try Options.parse(misuse) }
    }
  }
}
