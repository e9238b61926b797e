import Foundation
import RowInspector
import RowOperations

/// A recording of a list on a device, played to a tracker.
///
/// A fault that a device recorded becomes a test:
///
/// ```swift
/// let replay = try ListReplay(contentsOf: url)
/// #expect(replay.findings.isEmpty)
/// #expect(replay.blankTime < .seconds(1))
/// ```
///
/// `ListRecording` and `DisplayTracker.recordEvents(_:)` write recordings. Nothing is loaded: each
/// load ends when the recording says so. Rows and values are numbers.
///
/// **Threading**: main actor.
@MainActor
public final class ListReplay {
  struct Failure: Error, CustomStringConvertible {
    let description = "an error that the recording does not name"
  }

  /// The tracker that received the recording.
  public let tracker: DisplayTracker<Int, Int>
  /// The number of loads that ended in the recording.
  public private(set) var endCount = 0
  /// The number of these loads that did not run in the replay.
  ///
  /// With another configuration other loads start, without ends in the recording. Figures and
  /// ``findings`` may then be about the replay; the ``summary`` leaves out such findings.
  public private(set) var lostEndCount = 0
  let recording: RecordedList
  private let observed: Observed
  private let clock = ManualClock()
  private let player: ScriptPlayer<Int, Int>
  private var endsToCome: [Int: Int] = [:]
  private var answers = BatchAnswers()

  @MainActor
  private final class Observed {
    var doctor: ListDoctor<Int>
    var starts: [Int] = []
    var impressions: [Int] = []

    init(slots: Int) { doctor = ListDoctor(slots: slots) }
  }

  /// Plays a file.
  ///
  /// **Cost**: O(events of the recording), each at the cost of the tracker's call.
  ///
  /// - Parameters:
  ///   - url: The file of a recording.
  ///   - configure: Changes the configuration of the recording, or the default one. The clock is
  ///     the replay's.
  /// - Throws: A ``RecordingError`` if the file is not a whole recording, or the error of the file
  ///   system.
  public convenience init(
    contentsOf url: URL,
    configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
  ) throws {
    guard let text = String(data: try Data(contentsOf: url), encoding: .utf8) else {
      throw RecordingError("The file is not a recording: it is not text.")
    }
    try self.init(text, configure: configure)
  }

  /// Plays the text of a recording, like ``init(contentsOf:configure:)``.
  public init(
    _ text: String, configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
  ) throws {
    recording = try RecordedList(text)
    let setup = recording.setup ?? RecordedSetup()
    var configuration = setup.configuration
    configure(&configuration)
    // Its own slots: a replay has no bodies that others could wait for.
    configuration.slots = UpdateSlots(configuration.slots.count)
    let observed = Observed(slots: configuration.slots.count)
    self.observed = observed
    configuration.clock = clock
    let (onEvent, onImpression) = (configuration.onEvent, configuration.onImpression)
    configuration.onEvent = { event in
      observed.doctor.record(event)
      if case .started = event.kind { observed.starts.append(event.row) }
      onEvent?(event)
    }
    configuration.onImpression = { row in
      observed.impressions.append(row)
      onImpression?(row)
    }
    tracker = Self.tracker(configuration, setup)
    tracker.holdOperations()
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
    player.onLoadStep = { [unowned self] in playLoad($0) }
    for step in recording.steps {
      switch step {
      case .finish(let row), .fail(let row), .miss(let row): endsToCome[row, default: 0] += 1
      default: break
      }
    }
    play()
  }

  /// The rows of the loads that started, in that order.
  public var starts: [Int] { observed.starts }

  /// The rows with an impression, in that order.
  public var impressions: [Int] { observed.impressions }

  /// The length of the recording.
  public var time: Duration { clock.now.elapsed }

  /// The number of turns in the recording.
  public var turnCount: Int { recording.turnCount }

  /// The `blankTime` of the tracker's metrics.
  public var blankTime: Duration { tracker.metrics.blankTime }

  /// The findings of a list doctor.
  public var findings: [ListFinding] { observed.doctor.findings }

  /// The findings on the device, as sentences.
  public var deviceFindings: [String] { recording.deviceFindings }

  private static func tracker(
    _ configuration: TrackerConfiguration<Int, Int>, _ setup: RecordedSetup
  ) -> DisplayTracker<Int, Int> {
    let silent = { @Sendable (_: UpdateContext<Int, Int>) in AsyncStream<Int> { _ in } }
    switch setup.streams {
    case _ where setup.batchSize > 0:
      return DisplayTracker(configuration: configuration, batchesOf: setup.batchSize) { _ in [:] }
    case nil: return DisplayTracker(configuration: configuration) { $0.row }
    case .loads: return DisplayTracker(configuration: configuration, updates: silent)
    case .updates:
      return DisplayTracker(configuration: configuration, update: { $0.row }, updates: silent)
    }
  }

  private func play() {
    for step in recording.steps {
      observed.doctor.record(step, at: time)
      if step == .passEnd { answers.end(in: tracker) }
      player.play(step)
      observed.doctor.pass(to: time)
      // Their ends are not recorded.
      if step == .passEnd { tracker.endTimedOutLoads() }
    }
  }

  private func playLoad(_ step: EventScript.Step) {
    switch step {
    case .finish(let row): end(row, .success(row))
    case .fail(let row): end(row, .failure(Failure()))
    case .miss(let row): end(row, nil)
    case .setValue(let row):
      tracker.setValue(row, for: row)
      // The device had the value before a load began.
      guard endsToCome[row, default: 0] == 0 else { return }
      _ = tracker.endLoad(of: row) { _ in .success(row) }
      tracker.endCancelledBatches(of: row)
    case .element(let row): _ = tracker.play(.success(row), inStreamOf: row)
    case .endStream(let row): _ = tracker.play(.success(nil), inStreamOf: row)
    case .failStream(let row): _ = tracker.play(.failure(Failure()), inStreamOf: row)
    // Values before the last one are not in a recording.
    default: break
    }
  }

  /// Ends the load of a row.
  ///
  /// - Parameter result: `nil` if the answer to its batch lacks the row.
  private func end(_ row: Int, _ result: Result<Int, any Error>?) {
    endCount += 1
    endsToCome[row, default: 1] -= 1
    let hasPlayed =
      if recording.setup?.batchSize ?? 0 > 0 {
        answers.add(result, for: row, in: tracker)
      } else {
        result.map { result in tracker.endLoad(of: row) { _ in result } } ?? true
      }
    if !hasPlayed { lostEndCount += 1 }
  }
}
