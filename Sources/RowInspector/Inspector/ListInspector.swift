import Foundation
import RowOperations

/// Watches a tracker at work: its rows on screen, its slots, its figures, and the findings of a
/// ``ListDoctor``.
///
/// ```swift
/// let inspector = ListInspector(tracker)
/// inspector.onChange = { report in print(report.summary) }
/// ```
///
/// Attach it before the list is first laid out: it does not know cells that were bound earlier. In
/// SwiftUI, `rowInspector(_:)` shows the report over the list.
///
/// A tracker has one inspector, the newest; neither retains the other.
///
/// **Threading**: main actor.
///
/// **Cost**: O(1) for each input and event; for each report, O(rows on screen × waiting rows). For
/// debug builds.
@MainActor
public final class ListInspector<Row: Hashable & Sendable, Value: Sendable> {
  /// Called with each new report; without it, none are made.
  ///
  /// A report comes soon after a change, ten times a second at most, and once a second while loads
  /// run.
  public var onChange: (@MainActor (InspectorReport) -> Void)? {
    didSet { if onChange != nil { changed() } }
  }

  private static var rowLimit: Int { 40 }

  private weak var tracker: DisplayTracker<Row, Value>?
  private var doctor: ListDoctor<Row>
  private var plan = RefreshPlan()
  private let start = ContinuousClock.now
  private var appearances = RecentTable<Row, Int>()
  private var lastAppearance = 0

  /// Begins to watch.
  public init(_ tracker: DisplayTracker<Row, Value>) {
    self.tracker = tracker
    doctor = ListDoctor(slots: tracker.core.slots.count)
    let time = tracker.core.time
    for row in tracker.displayedRows {
      record(TrackerEvent(row: row, kind: .displayed, time: .nanoseconds(time)))
    }
    tracker.observe(
      inputs: { [weak self] in self?.record($0) }, events: { [weak self] in self?.record($0) })
  }

  /// Stops watching; the tracker then pays nothing.
  public func stop() {
    onChange = nil
    tracker?.observe(inputs: nil, events: nil)
    tracker = nil
  }

  /// The findings so far.
  public var findings: [ListFinding] {
    guard let tracker else { return doctor.findings }
    var doctor = doctor
    doctor.record(tracker.bodies, at: .nanoseconds(tracker.core.time))
    return doctor.findings
  }

  /// The state of the tracker now; O(rows on screen × waiting rows).
  public func report() -> InspectorReport {
    var report = InspectorReport()
    report.findings = findings
    guard let tracker else { return report }
    report.slots = tracker.core.slots.count
    report.figures = InspectorReport.Figure.figures(of: tracker.metrics)
    report.bodies = Self.bodies(tracker.bodies)
    report.rows = inOrder(tracker.displayedRows, of: tracker).prefix(Self.rowLimit).map {
      InspectorReport.Row($0, in: tracker)
    }
    return report
  }

  /// Begins to write a recording, with the findings at its end; `nil` if the tracker is gone.
  ///
  /// - Throws: The error of the file system, if the file cannot be written.
  public func record(to url: URL) throws -> ListRecording? {
    guard let tracker else { return nil }
    return try ListRecording(of: tracker, to: url) { [weak self] in self?.findings ?? [] }
  }

  private static func bodies(_ loads: [LoadBody<Row>]) -> [InspectorReport.Body] {
    var batches: Set<UInt64> = []
    return loads.compactMap { load in
      if let batch = load.batch, !batches.insert(batch).inserted { return nil }
      let all = load.batch == nil ? [load] : loads.filter { $0.batch == load.batch }
      let rows = all.prefix(2).map { "\($0.token.row)" }.joined(separator: ", ")
      return InspectorReport.Body(
        row: rows + (all.count > 2 ? " and \(all.count - 2) more" : ""), rowCount: all.count,
        stage: load.stage?.name, age: load.age, isCancelled: all.allSatisfy(\.isCancelled))
    }
  }

  private func inOrder(_ rows: Set<Row>, of tracker: DisplayTracker<Row, Value>) -> [Row] {
    rows.map { row in (row, tracker.position(of: row) ?? .max, appearances[row] ?? 0) }
      .sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }

  // MARK: Listening

  private func record(_ input: TrackerInput<Row, Int>) {
    guard let tracker else { return }
    doctor.record(input, at: .nanoseconds(tracker.core.time))
    changed()
  }

  private func record(_ event: TrackerEvent<Row>) {
    if case .displayed = event.kind, appearances[event.row] == nil {
      lastAppearance += 1
      appearances[event.row] = lastAppearance
    }
    doctor.record(event)
    changed()
  }

  // MARK: Reports

  private var now: Duration { start.duration(to: .now) }

  private func changed() {
    guard onChange != nil else { return }
    look(after: plan.changed(at: now))
  }

  private func look(after delay: Duration?) {
    guard let delay else { return }
    let time = DispatchTime.now() + .nanoseconds(Int(max(delay, .zero).nanoseconds))
    DispatchQueue.main.asyncAfter(deadline: time) { [weak self] in
      MainThread.assumeIsolated { self?.look() }
    }
  }

  private func look() {
    guard let onChange, plan.isDue(at: now) else { return }
    let report = report()
    onChange(report)
    look(after: plan.made(withLoads: !report.bodies.isEmpty, at: now))
  }
}

extension InspectorReport.Row {
  @MainActor
  fileprivate init<ID, Value>(_ row: ID, in tracker: DisplayTracker<ID, Value>) {
    let phase = tracker.untrackedPhase(of: row)
    switch phase {
    case .idle: state = .idle
    case .waiting: state = .waiting
    case .loading: state = .loading
    case .loaded: state = .loaded
    case .failed: state = .failed
    }
    name = "\(row)"
    reason = state == .loaded ? nil : tracker.explain(row)
  }
}
