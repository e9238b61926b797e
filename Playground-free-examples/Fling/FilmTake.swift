import RowOperations
import RowOperationsTesting

/// Runs a course over a list that a feed fills, and records each frame.
@MainActor
final class FilmTake {
  private static let rowHeight = 77.0
  private static let viewport = 616.0
  private static let frame = Duration.nanoseconds(16_666_667)

  private(set) var recording: Recording
  /// Called after each frame.
  var onFrame: ((Recording) -> Void)?
  private var loads = RowLoads()
  private let clock = ContinuousClock()

  init(name: String) {
    recording = Recording(name: name, rowHeight: Self.rowHeight, viewport: Self.viewport)
  }

  /// For the feed's events.
  func record(_ event: TrackerEvent<Int>) { loads.record(event) }

  /// Loads the first screen, then runs the course in real time.
  func run(_ course: FilmCourse, over feed: any Feed, rowCount: Int) async {
    let list = ListSimulator(
      rows: Array(0..<rowCount), rowHeight: Self.rowHeight, viewport: Self.viewport,
      behavior: .collectionView
    ) { feed.handle($0) }
    list.layOut()
    // The server may never answer.
    let limit = clock.now + .seconds(60)
    while !feed.pendingRows(in: list).isEmpty, clock.now < limit {
      try? await clock.sleep(for: Self.frame)
    }
    let start = clock.now
    var last = 0.0
    note(list, feed, at: last)
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
      note(list, feed, at: now)
    }
    await feed.waitUntilIdle()
  }

  private func note(_ list: ListSimulator<Int>, _ feed: any Feed, at time: Double) {
    let rows = list.visibleRows
    recording.append(
      Recording.Frame(
        time: time, offset: list.offset, firstRow: rows.first ?? 0,
        looks: rows.map { look(of: $0, in: list, feed) }))
    onFrame?(recording)
  }

  private func look(of row: Int, in list: ListSimulator<Int>, _ feed: any Feed) -> RowLook {
    guard let cell = list.cell(for: row), let content = feed.content(of: cell), content.row == row
    else { return loads.look(of: row) }
    if content.phase.value != nil { return .shown }
    return content.phase.error == nil ? loads.look(of: row) : .failed
  }
}
