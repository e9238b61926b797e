import RowOperations
import RowOperationsTesting

/// Runs a course over a list that a feed fills, and records each frame.
@MainActor
final class FilmTake {
  private static let rowHeight = 77.0
  private static let viewport = 616.0
  private static let frame = Duration.nanoseconds(16_666_667)

  private(set) var recording: Recording
  /// Called after each frame, and while the first screen loads.
  var onFrame: ((Recording) -> Void)?

  private let feed: any Feed
  private let source: RowSource
  private let events: FilmEvents
  private let list: ListSimulator<Int>
  private let clock = ContinuousClock()
  private var findings = Findings()
  private var changedMeanwhile: Int?

  /// - Parameter events: Those of the feed.
  init(name: String, feed: any Feed, source: RowSource, events: FilmEvents) {
    self.feed = feed
    self.source = source
    self.events = events
    recording = Recording(name: name, rowHeight: Self.rowHeight, viewport: Self.viewport)
    list = ListSimulator(
      rows: Array(0..<source.count), rowHeight: Self.rowHeight, viewport: Self.viewport,
      behavior: .collectionView
    ) { feed.handle($0) }
  }

  /// Loads the first screen, then runs the course in real time.
  func run(_ course: FilmCourse) async {
    list.layOut()
    await waitForRows { self.onFrame?(self.recording) }
    let start = clock.now
    var last = 0.0
    note(at: last)
    while last < course.duration {
      try? await clock.sleep(for: Self.frame)
      let now = min(start.duration(to: clock.now) / .seconds(1), course.duration)
      // A fling begins at its own time, also within a frame: a late frame changes no scroll.
      for fling in course.flings(after: last, through: now) {
        list.advance(by: .seconds(fling.time - last))
        list.fling(velocity: fling.velocity)
        last = fling.time
      }
      list.advance(by: .seconds(now - last))
      last = now
      note(at: now)
    }
    if !list.isMoving { await waitForRows() }
    await feed.waitUntilIdle()
    look()
    changedMeanwhile = await source.files?.changed(since: findings.shown.mapValues(\.fingerprint))
  }

  /// Waits until each row on screen is loaded or has failed.
  ///
  /// It waits for a minute at most, as a server may never answer.
  private func waitForRows(onFrame: () -> Void = {}) async {
    let limit = clock.now + .seconds(60)
    while !feed.pendingRows(in: list).isEmpty, clock.now < limit {
      onFrame()
      try? await clock.sleep(for: Self.frame)
    }
    look()
    findings.stayedBlank(feed.blankRows(in: list))
  }

  private func note(at time: Double) {
    look()
    // Rows that failed, as in a run with waits.
    if !list.isMoving, feed.pendingRows(in: list).isEmpty {
      findings.stayedBlank(feed.blankRows(in: list))
    }
    let rows = list.visibleRows
    recording.append(
      Recording.Frame(
        time: time, offset: list.offset, firstRow: rows.first ?? 0, looks: rows.map(look(of:))))
    onFrame?(recording)
  }

  private func look() { findings.look(at: list, feed, source) }

  private func look(of row: Int) -> RowLook {
    guard let cell = list.cell(for: row), let content = feed.content(of: cell), content.row == row
    else { return events.loads.look(of: row) }
    if content.phase.value != nil { return .shown }
    return content.phase.error == nil ? events.loads.look(of: row) : .failed
  }

  // MARK: Figures

  /// The replies of the run.
  var replies: ReplyTally { source.replies }

  func figures(_ numbers: RowNumbers) -> Figures {
    var figures = Figures(
      of: list, feed, source, findings, events.tally, numbers, changedMeanwhile: changedMeanwhile)
    figures.blankRowSeconds = recording.blankRowSeconds.last ?? 0
    return figures
  }
}

/// The loads of a feed and their outcomes, by its events.
@MainActor
final class FilmEvents {
  private(set) var loads = RowLoads()
  private(set) var tally = LoadTally()

  func record(_ event: TrackerEvent<Int>) {
    loads.record(event)
    tally.record(event)
  }
}
