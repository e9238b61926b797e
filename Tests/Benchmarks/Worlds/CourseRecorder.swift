import Proofs
import RowOperationsTesting

/// Records when a list shows which rows, and from when on a loader can know of a row.
///
/// A row is released once it is within reach of the screen or of the landing of a fling, or between
/// them.
@MainActor
final class CourseRecorder {
  /// How many rows on each side of the screen a loader of the trials may load.
  private let reach: Int
  /// The same while the list flies to a landing: a tracker loads up to 32 rows ahead.
  private let reachInFlight: Int
  private var rows = 0..<0
  private var landing: Range<Int>?
  private var releases: [Int: Int64] = [:]
  private var arrivals: [Int: Int64] = [:]
  private var visits: [Int: [Range<Int64>]] = [:]
  private var start: Int64 = 0
  private var loaded: Set<Int> = []

  init(_ world: World, viewport: Double) {
    reach = max(Int((2.5 * viewport / world.rowHeight).rounded(.up)), 12)
    reachInFlight = max(reach, 32)
  }

  func isReleased(_ row: Int) -> Bool { releases[row] != nil }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .scrollWillEnd(let rows):
      landing = rows.isEmpty ? nil : rows[0]..<rows[rows.count - 1] + 1
    case .scrollWillBegin, .scrollDidSettle: landing = nil
    default: break
    }
  }

  func show(_ rows: Range<Int>, at time: Int64) {
    let old = self.rows
    self.rows = rows
    for row in old where !rows.contains(row) { leave(row, at: time) }
    for row in rows where !old.contains(row) { arrivals[row] = time }
    let low = min(rows.lowerBound - reach, (landing?.lowerBound ?? .max) - reachInFlight)
    let high = max(rows.upperBound + reach, (landing?.upperBound ?? 0) + reachInFlight)
    for row in low..<high where releases[row] == nil { releases[row] = time }
  }

  /// Begins the use of a list at rest that has had the time to load all released rows.
  func begin(at time: Int64) { (start, loaded) = (time, Set(releases.keys)) }

  private func leave(_ row: Int, at time: Int64) {
    guard let arrival = arrivals.removeValue(forKey: row) else { return }
    visits[row, default: []].append(arrival..<time)
  }

  /// The rows that were on screen since the beginning, apart from loaded ones, as loads of a
  /// clairvoyant.
  func loads(to end: Int64, time: (Int) -> Int64) -> [Clairvoyant.Load] {
    for row in rows { leave(row, at: end) }
    func milliseconds(_ time: Int64) -> Double { Double(max(time - start, 0)) / 1e6 }
    return visits.filter { !loaded.contains($0.key) }.sorted { $0.key < $1.key }.map {
      row, visits in
      Clairvoyant.Load(
        release: milliseconds(releases[row] ?? 0), time: Double(time(row)) / 1e6,
        visits: visits.map { milliseconds($0.lowerBound)..<milliseconds($0.upperBound) }
          .filter { !$0.isEmpty })
    }
  }
}
