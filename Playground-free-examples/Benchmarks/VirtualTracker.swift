import RowOperations
import RowOperationsTesting

/// The tracker's machine in virtual time.
@MainActor
final class VirtualTracker: VirtualLoader {
  private var driver: MachineDriver
  private let load: Int64
  /// When each load that runs ends, by generation.
  private var ends: [UInt64: Int64] = [:]

  /// - Parameter load: How long a load takes, in milliseconds.
  init(policy: ScrollPolicy, load: Int) {
    var settings = TrackerMachine.Settings()
    settings.scrollPolicy = policy
    driver = MachineDriver(settings: settings, slots: 4)
    self.load = Int64(load) * 1_000_000
  }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): driver.apply(.cellFor(row: row, cell: cell.number))
    case .willDisplay(let cell): driver.apply(.willDisplay(row: 0, cell: cell.number))
    case .didEndDisplaying(let cell, _):
      driver.apply(.didEndDisplaying(row: 0, cell: cell.number))
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

  func endPass() {
    driver.apply(.passEnd)
    for (generation, run) in driver.runs {
      if run.isAbandoned {
        // Its body heeds the cancel.
        ends[generation] = nil
        driver.end(generation, withValue: false)
      } else if ends[generation] == nil, driver.pendingArrivals[generation] == nil {
        ends[generation] = driver.now + load
      }
    }
  }

  var nextMoment: Int64? {
    // A deadline may be due already, when only time has to pass for it to be seen.
    let deadline = driver.machine.nextDeadline.map { max($0, driver.now + 1000) }
    return [ends.values.min(), deadline].compactMap(\.self).min()
  }

  func advance(to time: Int64) {
    guard time > driver.now else { return }
    driver.apply(.time(.nanoseconds(time - driver.now)))
    let isDue = nextIsDue
    for (generation, end) in ends where end <= time {
      ends[generation] = nil
      driver.end(generation, withValue: true)
    }
    if isDue { endPass() }
  }

  private var nextIsDue: Bool {
    let moments = [ends.values.min(), driver.machine.nextDeadline].compactMap(\.self)
    return moments.contains { $0 <= driver.now }
  }

  func hasValue(_ row: Int) -> Bool { driver.value(of: row) != nil }

  var started: Int { driver.machine.metrics.started }

  var finishedOffScreen: Int { driver.machine.metrics.finishedOffScreen }
}
