import RowOperations

/// Finds out why rows stay blank and which work is wasted, from a tracker's inputs and events.
///
/// ```swift
/// configuration.onEvent = { [unowned self] in doctor.record($0) }
/// // …
/// for finding in doctor.findings { print(finding) }
/// // 37 % of 120 loads were for rows that left unseen. Report scrolling and landings, …
/// ```
///
/// Events are enough to find faults of loads. For faults of cells it also needs the inputs: those
/// of an `EventScript`, of a recording, or of a ``ListInspector``.
///
/// **Cost**: O(1) for each event and input, O(cells) where rows are removed. It remembers at most
/// 4,096 rows of each kind.
public struct ListDoctor<Row: Hashable & Sendable>: Sendable {
  private(set) var cells = CellNotes<Row>()
  private(set) var loads: LoadNotes<Row>
  private(set) var bodies = BodyNotes<Row>()
  private(set) var failures = FailureNotes<Row>()
  private(set) var now = Duration.zero
  private var listensToInputs = false

  /// Makes a doctor without events.
  ///
  /// - Parameter slots: How many loads of the tracker run at once; by default, the most that it has
  ///   seen.
  public init(slots: Int? = nil) { loads = LoadNotes(slots: slots) }

  /// Records an event of a row; use it as `TrackerConfiguration.onEvent`.
  public mutating func record(_ event: TrackerEvent<Row>) {
    pass(to: event.time)
    if case .displayed = event.kind { cells.displayed(event.row) }
    loads.record(event)
    bodies.record(event)
    failures.record(event)
  }

  /// Records an input of the tracker.
  ///
  /// - Parameters:
  ///   - input: The input, with numbers for cells.
  ///   - time: When, on the clock of the events.
  public mutating func record(_ input: TrackerInput<Row, Int>, at time: Duration) {
    listensToInputs = true
    pass(to: time)
    cells.record(input, at: time)
    switch input {
    case .removeCachedValues: loads.isPurging = true
    case .passEnd: loads.isPurging = false
    default: break
    }
  }

  /// Records that time has passed without an event.
  public mutating func pass(to time: Duration) { now = max(now, time) }

  package mutating func record(_ bodies: [LoadBody<Row>], at time: Duration) {
    pass(to: time)
    self.bodies.record(bodies, at: time)
  }

  /// Whether the tracker is known not to hear of scrolling.
  var lacksScrolling: Bool { listensToInputs && !cells.hasScrolled }
}
