import RowOperations
import RowOperationsTesting

/// The flings of a filmed list, at times that do not depend on its loads, so that two feeds fill
/// the same scroll.
struct FilmCourse: Equatable, Sendable {
  struct Fling: Equatable, Sendable {
    /// In seconds since the list, with its first screen loaded, was at rest.
    let time: Double
    /// In points per millisecond; positive towards the end of the list.
    let velocity: Double
  }

  let flings: [Fling]
  /// In seconds.
  let duration: Double

  init(flings: [Fling], duration: Double) { (self.flings, self.duration) = (flings, duration) }

  /// The list is flung, caught and flung on, lands, and is flung back.
  init(velocity: Double) {
    self.init(
      flings: [
        Fling(time: 0.5, velocity: velocity), Fling(time: 0.9, velocity: velocity),
        Fling(time: 5, velocity: -velocity),
      ], duration: 9.5)
  }

  /// The flings after one time, up to and including another.
  func flings(after start: Double, through end: Double) -> [Fling] {
    flings.filter { $0.time > start && $0.time <= end }
  }
}

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
  private let log: FeedLog
  private let list: ListSimulator<Int>
  private let clock = ContinuousClock()
  private var findings = Findings()

  /// - Parameters:
  ///   - log: That of the feed.
  ///   - count: How many rows the list has.
  init(name: String, feed: any Feed, log: FeedLog, count: Int) {
    (self.feed, self.log) = (feed, log)
    recording = Recording(name: name, rowHeight: Self.rowHeight, viewport: Self.viewport)
    list = ListSimulator(
      rows: Array(0..<count), rowHeight: Self.rowHeight, viewport: Self.viewport,
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
    findings.look(at: list, feed)
  }

  /// Waits until each row on screen is loaded or has failed, for a minute at most.
  private func waitForRows(onFrame: () -> Void = {}) async {
    let limit = clock.now + .seconds(60)
    while !feed.pendingRows(in: list).isEmpty, clock.now < limit {
      onFrame()
      try? await clock.sleep(for: Self.frame)
    }
    findings.look(at: list, feed)
    findings.stayedBlank(feed.blankRows(in: list))
  }

  private func note(at time: Double) {
    findings.look(at: list, feed)
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

  private func look(of row: Int) -> RowLook {
    let phase = feed.phase(of: row, in: list)
    if phase?.value != nil { return .shown }
    return phase?.error == nil ? log.loads.look(of: row) : .failed
  }

  /// - Parameter bytes: Of all whole replies.
  func figures(bytes: Int, _ options: Options) -> Figures {
    var figures = Figures(of: list, feed, log, bytes: bytes, findings, options)
    figures.blankRowSeconds = recording.blankRowSeconds.last ?? 0
    return figures
  }
}
