import Proofs
import RowOperations
import RowOperationsTesting

/// The tracker's engine in virtual time, in the loop of the library.
@MainActor
final class VirtualTracker: VirtualLoader {
  private let driver: EngineDriver
  private let loads: LoadModel
  /// The end of each running load.
  private var ends: [RunID: Int64] = [:]
  private var attempts: [Int: Int] = [:]
  private(set) var started = 0
  private(set) var requests = 0

  init(
    _ world: World, knowsOrder: Bool = true,
    _ change: (inout TrackerEngine.Settings) -> Void = { _ in }
  ) {
    var settings = TrackerEngine.Settings()
    change(&settings)
    driver = EngineDriver(settings: settings, slots: world.slots)
    driver.audits = false
    loads = world.loads
    if knowsOrder { driver.setOrder(0..<WorldTrial.rowCount) }
  }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): driver.apply(.cellFor(row: row, cell: cell.number))
    case .willDisplay(let cell): driver.apply(.willDisplay(row: nil, cell: cell.number))
    case .didEndDisplaying(let cell, _):
      driver.apply(.didEndDisplaying(row: nil, cell: cell.number))
    case .unbind(let cell): driver.apply(.unbind(cell: cell.number))
    case .prefetch(let rows): driver.apply(.prefetch(rows))
    case .cancelPrefetch(let rows): driver.apply(.cancelPrefetch(rows))
    case .scrollWillBegin: driver.apply(.scrollWillBegin)
    case .scrollDidMove: driver.apply(.scrollDidMove)
    case .scrollWillEnd(let rows): driver.apply(.scrollWillEnd(landingOn: rows))
    case .scrollDidSettle: driver.apply(.scrollDidSettle)
    case .didDisappear: driver.apply(.suspend)
    case .didAppear(let cells): driver.apply(.reconcile(cells: cells.map(\.number)))
    }
  }

  func endFrame() {
    driver.apply(.passEnd)
    for run in driver.runs.keys where driver.isLoad(run) {
      if driver.isCancelled(run) {
        // The body of the load ends at a cancel.
        ends[run] = nil
        driver.endLoad(run, withValue: false)
      } else if ends[run] == nil, !driver.isEnding(run) {
        requests += 1
        ends[run] = driver.now + time(of: driver.rows(of: run))
      }
    }
  }

  /// The time of a request, whose first row takes as long as a single load.
  ///
  /// A batch takes another twentieth of a single load for each other row.
  private func time(of rows: [Int]) -> Int64 {
    started += rows.count
    return rows.enumerated().reduce(0) { time, row in
      let attempt = attempts[row.element, default: 0]
      attempts[row.element] = attempt + 1
      let own = loads.time(row: row.element, attempt: attempt)
      return time + (row.offset == 0 ? own : own / 20)
    }
  }

  var nextMoment: Int64? {
    // A deadline may already be due; the engine sees it once time moves on.
    let deadline = driver.engine.nextDeadline.map { max($0, driver.now + 1000) }
    return [ends.values.min(), deadline].compactMap(\.self).min()
  }

  func advance(to time: Int64) {
    guard time > driver.now else { return }
    driver.apply(.time(.nanoseconds(time - driver.now)))
    let isDue = nextIsDue
    for (run, end) in ends where end <= time {
      ends[run] = nil
      driver.endLoad(run, withValue: true)
    }
    if isDue { endFrame() }
  }

  private var nextIsDue: Bool {
    let moments = [ends.values.min(), driver.engine.nextDeadline].compactMap(\.self)
    return moments.contains { $0 <= driver.now }
  }

  func hasValue(_ row: Int) -> Bool { driver.value(of: row) != nil }
}
