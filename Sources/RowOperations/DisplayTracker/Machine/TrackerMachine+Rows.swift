/// What the app says of its rows.
extension TrackerMachine {
  /// What is known of a load's value is out of date: load it again, and show the old one till then.
  package mutating func invalidated(_ load: LoadID, at now: Int64) {
    switch loads[load].work {
    case .running: cancelRun(of: load, at: now)
    case .backoff: loads[load].work = .none
    case .none, .waiting: break
    }
    switch loads[load].knowledge {
    case .value: loads[load].knowledge = .staleValue
    case .nothing: loads[load].knowledge = .unknown
    case .unknown, .staleValue: break
    }
    forgetFailure(of: load)
    touch(load)
  }

  /// Whether a load has failed, and may wait to be tried again.
  func canRetry(_ load: LoadID) -> Bool {
    loads[load].hasFailed || loads[load].work == .backoff
  }

  /// A failed load is to be tried again now.
  package mutating func retried(_ load: LoadID) {
    guard canRetry(load) else { return }
    if loads[load].work == .backoff { loads[load].work = .none }
    forgetFailure(of: load)
    touch(load)
  }

  /// A row is gone from the model: so are its claims and, if no other row uses its load, the load.
  ///
  /// Its cells are unbound; those on screen are displayed still, and wait for their next row.
  package mutating func removed(_ row: RowID, at now: Int64) {
    while let cell = rows[row].firstCell { cellUnbound(cell) }
    prefetchCancelled(row)
    dropLanding(of: row)
    let load = rows[row].load
    guard settings.sharesLoads else { return discard(load, at: now) }
    detach(row)
    touch(load)
    discardIfUnused(load, at: now)
  }

  /// A row that the load was for is gone from the model; if no other row uses it, it goes as well.
  package mutating func discardIfUnused(_ load: LoadID, at now: Int64) {
    if loads.contains(load), loads[load].rows == 0 { discard(load, at: now) }
  }

  private mutating func discard(_ load: LoadID, at now: Int64) {
    switch loads[load].work {
    case .running:
      cancelRun(of: load, at: now)
    case .waiting:
      leaveWaiting(load)
    case .backoff:
      loads[load].work = .none
    case .none:
      break
    }
    dropValue(of: load)
    forgetFailure(of: load)
    forgetIfUnused(load)
  }
}
