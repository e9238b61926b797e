import Foundation
import Testing

@testable import RowInspector
@testable import RowOperations
@testable import RowOperationsTesting

@Suite("Recordings of batches and their replay", .timeLimit(.minutes(10)))
@MainActor
struct BatchReplayTests {
  /// A tracker whose batches end when a script says so.
  @MainActor
  private final class Rig {
    let clock = ManualClock()
    let tracker: DisplayTracker<Int, Int>
    private let player: ScriptPlayer<Int, Int>
    private var answers = BatchAnswers()

    init(of size: Int, configure: (inout TrackerConfiguration<Int, Int>) -> Void) {
      var configuration = TrackerConfiguration<Int, Int>()
      configuration.clock = clock
      configuration.slots = UpdateSlots(2)
      configure(&configuration)
      tracker = DisplayTracker(configuration: configuration, batchesOf: size) { _ in [:] }
      tracker.holdOperations()
      player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
      player.onLoadStep = { [unowned self] step in
        switch step {
        case .finish(let row): _ = answers.add(.success(row), for: row, in: tracker)
        case .fail(let row): _ = answers.add(.failure(Broken()), for: row, in: tracker)
        case .miss(let row): _ = answers.add(nil, for: row, in: tracker)
        case .setValue(let row): tracker.setValue(row, for: row)
        default: break
        }
      }
    }

    struct Broken: Error {}

    func play(_ script: EventScript) {
      for step in script.steps {
        if step == .passEnd { answers.end(in: tracker) }
        player.play(step)
      }
    }
  }

  private func replay(
    _ script: EventScript, of size: Int = 3,
    configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
  ) throws -> (rig: Rig, replay: ListReplay) {
    let rig = Rig(of: size, configure: configure)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).recording")
    defer { try? FileManager.default.removeItem(at: url) }
    let recording = try ListRecording(of: rig.tracker, to: url)
    rig.play(script)
    recording.stop()
    return (rig, try ListReplay(contentsOf: url))
  }

  nonisolated static let scripts = [
    "cW[0…4] | F0 F1 F2 | F3 F4 |",
    "cW[0…4] | F0 | m3 | y1 | F1 |",
    "cW[0…4] | f0 | E0(a) | W0(a) | F0 |",
    "cW[0,1] | E0(a) E1(b) | +200ms | f0 | W0(a) | F0 |",
    "cW[0…2] | -[1] v0 | F0 F1 F2 |",
    "cW[0…2] | ![0] E1(b) | F0 F1 | F0 |",
    "cW[0…2] P[5,6] | m0 m1 m2 F5 | Z | F6 | z |",
  ]

  @Test("A recording of batches is replayed to the same figures", arguments: scripts)
  func sameFigures(script: String) throws {
    let (rig, replay) = try replay(try EventScript(script))
    #expect(replay.tracker.metrics == rig.tracker.metrics)
    #expect(replay.tracker.metrics.batches > 0)
    #expect(replay.lostEndCount == 0)
  }

  @Test("A failed batch is replayed in the same halves")
  func halves() throws {
    let script = try EventScript(
      "cW[0…4] | f0 | +100ms | F0 f3 | +100ms | F3 f4 | +100ms | F4 |")
    let (rig, replay) = try replay(script, of: 50) {
      $0.retry = .backoff(.delays([.milliseconds(100), .milliseconds(100)]))
    }
    #expect(rig.tracker.metrics.batches == 6)
    #expect(replay.tracker.metrics == rig.tracker.metrics)
  }

  @Test("The first line of a recording has the size of batches, and only with batches")
  func setup() {
    var setup = RecordedSetup()
    #expect(!setup.text.contains("batch"))
    setup.batchSize = 50
    #expect(setup.text.contains(" batch=50"))
    #expect(RecordedSetup(setup.text)?.text == setup.text)
    #expect(RecordedSetup(setup.text.replacingOccurrences(of: "=50", with: "=x")) == nil)
  }

  @Test("The inspector shows a batch as one load, in one slot")
  func report() throws {
    let rig = Rig(of: 50) { _ in }
    let inspector = ListInspector(rig.tracker)
    rig.play(try EventScript("cW[0…4] P[9] |"))
    let report = inspector.report()
    #expect(report.slotsInUse == 2 && report.blankRows == 5)
    #expect(report.bodies.map(\.row).sorted() == ["0, 1 and 3 more", "9"])
    #expect(
      report.bodies.map(\.description).sorted()
        == ["batch of 5 rows: 0, 1 and 3 more · 0 ms", "row 9 · 0 ms"])
    #expect(report.figures.contains { $0.name == "batches" && $0.value == "2" })
  }

  @Test("The doctor counts the slots of batches, not their rows")
  func doctor() throws {
    let events = Events()
    let rig = Rig(of: 2) {
      $0.slots = UpdateSlots(1)
      $0.onEvent = { events.all.append($0) }
    }
    // A row of the batch has its value, and the slot is taken all the same.
    rig.play(try EventScript("cW[0…5] | v0 | +3000ms c9(x) W9(x) |"))
    var doctor = ListDoctor<Int>(slots: nil)
    for event in events.all { doctor.record(event) }
    doctor.pass(to: .seconds(3))
    #expect(doctor.findings.contains { $0.kind == .tooFewSlots })
  }

  @MainActor
  private final class Events {
    var all: [TrackerEvent<Int>] = []
  }
}
