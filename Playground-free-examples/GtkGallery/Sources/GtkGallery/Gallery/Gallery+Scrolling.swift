import CGtk
import RowOperations

/// How the grid scrolls, as the tracker is to hear it.
extension Gallery {
  func connectScrolling() {
    view.adjustment.on("value-changed") { [unowned self] in
      guard !isWatchingScroll else { return }
      isWatchingScroll = true
      view.grid.onEachFrame { [unowned self] in frame(at: $0) }
    }
  }

  /// - Returns: Whether the list still moves.
  private func frame(at time: Int64) -> Bool {
    switch motion.frame(at: time, offset: view.offset) {
    case .none: break
    case .began: tracker.scrollWillBegin()
    case .moved: tracker.scrollDidMove()
    case .landing(let offset): tracker.scrollWillEnd(landingOn: rows(at: offset))
    case .settled: tracker.scrollDidSettle()
    }
    isWatchingScroll = motion.isMoving
    return isWatchingScroll
  }

  /// The rows on screen when the list has come to rest.
  private func rows(at offset: Double) -> ArraySlice<String> {
    guard let layout = GridLayout(view.cellsInSight, offset: view.offset) else { return [] }
    return names[layout.rows(at: offset, page: view.page, of: names.count)]
  }
}
