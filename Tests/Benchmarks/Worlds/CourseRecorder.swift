import Proofs
import RowOperationsTesting

/// Records when a list shows which rows, and from when on a loader can know of a row.
///
/// A row is released once a loader may load it.
@MainActor
final class CourseRecorder {
  private var loadable: LoadableRows
  private var rows = 0..<0
  private var releases: [Int: Int64] = [:]
  private var arrivals: [Int: Int64] = [:]
  private var visits: [Int: [Range<Int64>]] = [:]
  private var start: Int64 = 0
  private var loaded: Set<Int> = []
  private var lastGesture: Int64 = 0
  /// The begin of the gesture that first brought a row on screen.
  private var firstGestures: [Int: Int64] = [:]

  init(_ world: World) { loadable = LoadableRows(world) }

  func isReleased(_ row: Int) -> Bool { releases[row] != nil }

  func handle(_ event: ListEvent<Int>) { loadable.handle(event) }

  func show(_ rows: Range<Int>, at time: Int64) {
    let old = self.rows
    self.rows = rows
    for row in old where !rows.contains(row) { leave(row, at: time) }
    for row in rows where !old.contains(row) {
      arrivals[row] = time
      if firstGestures[row] == nil { firstGestures[row] = lastGesture }
    }
    for row in loadable.rows(around: rows) where releases[row] == nil { releases[row] = time }
  }

  func beginGesture(at time: Int64) { lastGesture = time }

  /// Begins the use of a list at rest that has had the time to load all released rows.
  func begin(at time: Int64) { (start, loaded) = (time, Set(releases.keys)) }

  private func leave(_ row: Int, at time: Int64) {
    guard let arrival = arrivals.removeValue(forKey: row) else { return }
    visits[row, default: []].append(arrival..<time)
  }

  /// When each row was on screen, since the beginning.
  ///
  /// - Parameter end: The end of the course.
  func visits(to end: Int64) -> [Int: [Range<Int64>]] {
    for row in rows { leave(row, at: end) }
    return visits.mapValues { visits in
      visits.map { max($0.lowerBound - start, 0)..<max($0.upperBound - start, 0) }
        .filter { !$0.isEmpty }
    }
  }

  /// The rows that were on screen since the beginning, apart from loaded ones, as loads of a
  /// clairvoyant.
  ///
  /// - Parameter guesses: Whether a row may be released before the gesture that first shows it.
  func loads(to end: Int64, guesses: Bool, time: (Int) -> Int64) -> [Clairvoyant.Load] {
    func milliseconds(_ time: Int64) -> Double { Double(time) / 1e6 }
    return visits(to: end).filter { !loaded.contains($0.key) }.sorted { $0.key < $1.key }.map {
      row, visits in
      let gesture = guesses ? nil : firstGestures[row]
      let release = max(releases[row] ?? 0, gesture ?? 0) - start
      return Clairvoyant.Load(
        release: milliseconds(max(release, 0)), time: milliseconds(time(row)),
        visits: visits.map { milliseconds($0.lowerBound)..<milliseconds($0.upperBound) })
    }
  }
}
