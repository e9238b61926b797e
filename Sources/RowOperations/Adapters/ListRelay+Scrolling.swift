import Foundation

/// Prefetching and scrolling.
extension ListRelay {
  /// Turns prefetching by the order of the list off or on.
  func hold(_ isHeld: Bool) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    for link in links { link.tracker.holdPrefetching(isHeld, ofList: link.list) }
  }

  package func prefetch(at paths: [IndexPath], isDataConstrained: Bool) {
    trace?.paths("prefetch", paths)
    guard !coverage.isCovered else { return }
    guard prefetchesInLowDataMode || !isDataConstrained else {
      // Prefetches announced before Low Data Mode are cancelled too.
      return cancelPrefetch(of: announcements.takeAll())
    }
    var announced: [Row] = []
    for path in paths {
      for row in rows(at: path) {
        announced.append(row)
        announcements.announced(row, at: path)
      }
    }
    guard !announced.isEmpty else { return }
    send(.prefetch(announced))
  }

  package func cancelPrefetch(at paths: [IndexPath]) {
    trace?.paths("cancel", paths)
    cancelPrefetch(of: announcements.takenBack(paths))
  }

  func cancelPrefetch(of rows: [Row]) {
    guard !rows.isEmpty else { return }
    send(.cancelPrefetch(rows))
  }

  // MARK: Scrolling

  package func offsetChanged(_ reading: ScrollWatch.Reading) {
    trace?.offsetChanged(reading)
    scrolled(watch.offsetChanged(reading))
  }

  package func dragBegan() {
    trace?.event("drag")
    knowsRest = false
  }

  /// - Parameter isExact: Whether the app reports the landing, instead of an estimate.
  package func fingerLifted(
    at offset: ScrollWatch.Offset, landingOn frame: RestingFrame, isExact: Bool,
    rows: (RestingFrame) -> [RowFrame]
  ) {
    guard isExact || !knowsRest else { return }
    knowsRest = isExact
    let paths = frame.paths(of: rows(frame))
    if isExact { trace?.event("target \(frame.origin.x),\(frame.origin.y)") }
    let action = watch.fingerLifted(at: offset, target: frame.origin, isExact: isExact)
    guard action == .landing else { return scrolled(action) }
    send(.scrollWillEnd(landingOn: paths.flatMap { self.rows(at: $0) }))
  }

  package func scrolled(_ action: ScrollAction) {
    guard action != .none else { return }
    for link in links { link.tracker.scrolled(action) }
  }
}
