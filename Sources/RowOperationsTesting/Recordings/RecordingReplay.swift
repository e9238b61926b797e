import RowInspector
import RowOperations

/// A tracker that receives what a device recorded of a list.
///
/// Nothing is loaded: each load ends when the recording says so, on a clock that goes by the
/// recording's times. Rows are the numbers of the recording.
///
/// **Threading**: main actor.
@MainActor
public final class RecordingReplay {
  /// The failure of a load.
  struct Failure: Error, CustomStringConvertible {
    let description = "an error that the recording does not name"
  }

  /// The run, to draw or to write as a trace.
  public let timeline: Timeline<Int>
  /// The tracker that receives the recording.
  public let tracker: DisplayTracker<Int, Int>
  /// The number of loads that ended so far in the recording.
  public private(set) var endCount = 0
  /// The number of these loads that did not run in the replay.
  ///
  /// If it is not zero, the figures differ from those of the device.
  public private(set) var lostEndCount = 0
  let recording: RecordedList
  private var doctor: ListDoctor<Int>
  private let clock = ManualClock()
  private let player: ScriptPlayer<Int, Int>
  private let places: Places
  /// How many ends of each row's loads are still to come.
  private var endsToCome: [Int: Int] = [:]

  /// Where rows are in the list.
  private final class Places {
    var ofRows: [Int: Int] = [:]
  }

  private final class Hearing {
    var listener: ((TrackerEvent<Int>) -> Void)?
  }

  /// Makes a tracker with the configuration of the recording, or else with the default.
  public init(_ recording: RecordedList) {
    let setup = recording.setup ?? RecordedSetup()
    var configuration = setup.configuration
    let places = Places()
    let timeline = Timeline<Int> { places.ofRows[$0] ?? $0 }
    let hearing = Hearing()
    configuration.clock = clock
    configuration.onEvent = { event in
      timeline.record(event)
      hearing.listener?(event)
    }
    tracker = DisplayTracker(configuration: configuration) { $0.row }
    tracker.holdOperations()
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
    doctor = ListDoctor(slots: setup.slots)
    (self.timeline, self.places, self.recording) = (timeline, places, recording)
    hearing.listener = { [unowned self] in doctor.record($0) }
    player.onLoadStep = { [unowned self] in playLoad($0) }
    for step in recording.steps {
      if case .finish(let row) = step { endsToCome[row, default: 0] += 1 }
      if case .fail(let row) = step { endsToCome[row, default: 0] += 1 }
    }
  }

  /// The time that the replay took, in the recording's time.
  public var time: Duration { clock.now.elapsed }

  /// The findings of a list doctor so far.
  public var findings: [ListFinding] { doctor.findings }

  /// Plays the whole recording.
  ///
  /// Call it once. **Cost**: O(steps of the recording), each at the cost of the tracker's call.
  public func play() {
    for step in recording.steps {
      if case .setOrder(let rows) = step {
        places.ofRows = Dictionary(
          rows.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      }
      doctor.record(step, at: time)
      player.play(step)
      doctor.pass(to: time)
      // Their ends are not recorded, as they were counted before.
      if step == .passEnd { tracker.endTimedOutLoads() }
    }
  }

  private func playLoad(_ step: EventScript.Step) {
    switch step {
    case .finish(let row): end(row, .success(row))
    case .fail(let row): end(row, .failure(Failure()))
    case .setValue(let row):
      tracker.setValue(row, for: row)
      // The device had the value before a load began.
      if endsToCome[row, default: 0] == 0 { _ = tracker.endLoad(of: row) { _ in .success(row) } }
    // Values before the last one are not in a recording.
    default: break
    }
  }

  private func end(_ row: Int, _ result: Result<Int, any Error>) {
    endCount += 1
    endsToCome[row, default: 1] -= 1
    if !tracker.endLoad(of: row, with: { _ in result }) { lostEndCount += 1 }
  }
}

extension RecordedSetup {
  /// The configuration as far as a recording knows it.
  @MainActor
  fileprivate var configuration: TrackerConfiguration<Int, Int> {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(slots)
    configuration.scrollPolicy = policy
    configuration.grace = grace
    configuration.quietTime = quietTime
    configuration.timeout = timeout
    configuration.prefetchLimit = prefetchLimit
    configuration.retry = retry
    switch kept {
    case .count(let count): configuration.retention = .count(count)
    case .all, .cost: configuration.retention = .all
    }
    return configuration
  }
}
