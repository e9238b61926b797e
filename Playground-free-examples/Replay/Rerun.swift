import RowInspector
import RowOperations
import RowOperationsTesting

/// A recording that is played to a tracker.
///
/// Nothing is loaded: each load ends when the recording says so, on a clock that goes by the
/// recording's times.
@MainActor
final class Rerun {
  /// The failure of a load.
  struct Failure: Error, CustomStringConvertible {
    let description = "an error that the recording does not name"
  }

  let timeline: Timeline<Int>
  let tracker: DisplayTracker<Int, Int>
  private(set) var doctor: ListDoctor<Int>
  /// How many loads ended in the recording, and how many of them never began in the replay.
  private(set) var ends = 0
  private(set) var lostEnds = 0
  private let clock = ManualClock()
  private let player: ScriptPlayer<Int, Int>
  private let steps: [EventScript.Step]
  private let places: Places
  /// How many ends of each row's loads are still to come.
  private var endsToCome: [Int: Int] = [:]

  /// Where rows are in the list.
  private final class Places {
    var ofRows: [Int: Int] = [:]
  }

  init(_ recording: Recording) {
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
    (self.timeline, self.places, steps) = (timeline, places, recording.steps)
    hearing.listener = { [unowned self] in doctor.record($0) }
    player.onLoadStep = { [unowned self] in playLoad($0) }
    for step in steps {
      if case .finish(let row) = step { endsToCome[row, default: 0] += 1 }
      if case .fail(let row) = step { endsToCome[row, default: 0] += 1 }
    }
  }

  private final class Hearing {
    var listener: ((TrackerEvent<Int>) -> Void)?
  }

  /// For how long the recording goes on.
  var time: Duration { clock.now.elapsed }

  /// Plays all of it.
  func play() {
    for step in steps {
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
    ends += 1
    endsToCome[row, default: 1] -= 1
    if !tracker.endLoad(of: row, with: { _ in result }) { lostEnds += 1 }
  }
}

extension RecordedSetup {
  /// The configuration as far as a recording knows it.
  @MainActor
  var configuration: TrackerConfiguration<Int, Int> {
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
