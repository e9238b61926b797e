import Foundation

extension ListRelay {
  package func offsetChanged(_ reading: ScrollWatch.Reading) {
    scrolled(watch.offsetChanged(reading))
  }

  func dragBegan() { knowsRest = false }

  /// - Parameter isExact: Whether the app reports the landing.
  func fingerLifted(
    at offset: ScrollWatch.Offset, restingAt target: ScrollWatch.Offset,
    landingOn frame: RestingFrame, isExact: Bool,
    rows: (RestingFrame) -> [RowFrame]
  ) {
    guard isExact || !knowsRest else { return }
    knowsRest = isExact
    let paths = frame.paths(of: rows(frame))
    let action = watch.fingerLifted(at: offset, target: target, isExact: isExact)
    guard action == .landing else { return scrolled(action) }
    let rows = landingRows(at: paths)
    for (tracker, link) in zip(trackers, links) {
      tracker.scrollWillEnd(landingOn: rows, inList: link.list)
    }
  }

  func scrolled(_ action: ScrollAction) {
    guard action != .none else { return }
    for link in links { link.tracker.scrolled(action, inList: link.list) }
  }
}
