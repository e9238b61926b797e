import Proofs
import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A tracker of live rows with a manual clock and a gate for its streams.
@MainActor
final class LiveRig {
  struct Failure: Error, Hashable {}

  /// An element of a row's stream, or its load.
  struct Tick: Hashable, Sendable {
    let row: Int
    let text: String
  }

  let clock = ManualClock()
  let loads = LoadGate<Int, Tick>()
  let streams = StreamGate<Int, Tick>()
  let recorder = TrackerRecorder<Int>()
  let commits = Box<[[Int]]>([])
  /// The number of elements and ends of streams that the tracker has heard of.
  private let heard = Box(0)
  let tracker: DisplayTracker<Int, Tick>
  let player: ScriptPlayer<Int, Tick>

  /// - Parameter hasLoads: Whether rows have loads of their own, and not the first elements of
  ///   their streams.
  init(
    hasLoads: Bool = false, configure: (inout TrackerConfiguration<Int, Tick>) -> Void = { _ in }
  ) {
    var configuration = TrackerConfiguration<Int, Tick>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(2)
    configuration.onCommit = { [commits] rows in commits.append(rows) }
    configure(&configuration)
    tracker =
      hasLoads
      ? DisplayTracker(
        configuration: configuration, update: { [loads] in try await loads.load($0) },
        updates: { [streams] in streams.updates($0) })
      : DisplayTracker(configuration: configuration, updates: { [streams] in streams.updates($0) })
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: \.row)
    tracker.observe(
      inputs: { [heard] input in
        switch input {
        case .element, .endStream, .failStream: heard.add()
        default: break
        }
      }, events: recorder.record)
  }

  func play(_ text: String) throws { player.play(try EventScript(text)) }

  /// Lets time pass, and takes a turn.
  func pass(_ time: Duration) {
    clock.advance(by: time)
    tracker.endPass()
  }

  /// Sends an element, and takes turns until the tracker has heard of it.
  func send(_ value: String, to row: Int) async {
    await hear { streams.send(Tick(row: row, text: value), to: row) }
  }

  /// Ends a stream, and takes turns until the tracker has heard of it.
  func end(_ row: Int, with error: (any Error)? = nil) async {
    await hear { streams.end(row, with: error) }
  }

  private func hear(_ news: () -> Void) async {
    let before = heard.value
    news()
    await until {
      tracker.endPass()
      return heard.value > before
    }
  }

  /// Displays rows and sends each its first element.
  func show(_ rows: ClosedRange<Int>) async throws {
    try play("cW[\(rows.lowerBound)…\(rows.upperBound)] |")
    await first(Array(rows))
  }

  /// Sends first elements, and waits until they are loaded.
  func first(_ rows: [Int]) async {
    for row in rows {
      await streams.wait { $0.open.contains(row) }
      streams.send(Tick(row: row, text: "first"), to: row)
      await until {
        tracker.endPass()
        return shows(row, "first")
      }
    }
  }

  func phase(_ row: Int) -> RowPhase<Tick> { tracker.phase(of: row) }

  /// Whether a row is loaded with a value.
  func shows(_ row: Int, _ text: String) -> Bool {
    phase(row) == .loaded(Tick(row: row, text: text))
  }

  /// The value with which a cell was last rendered.
  func content(_ cell: Int) -> String? { player.content(ofCell: cell)?.phase.value?.text }

  /// The broken invariants after the end of the current pass.
  var violations: [Violation] {
    tracker.endPass()
    return tracker.audit()
  }
}
