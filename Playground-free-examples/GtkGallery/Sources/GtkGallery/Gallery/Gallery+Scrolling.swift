import CGtk
import RowOperations

/// Reports the grid's scrolling to the tracker.
extension Gallery {
  func connectScrolling() {
    view.adjustment.on("value-changed") { [unowned self] in
      guard let time = view.frameTime else { return }
      if !motion.isMoving { watchFrames() }
      report(motion.moved(to: view.offset, at: time))
    }
  }

  /// Watches frames until the list is at rest, which GTK does not report.
  private func watchFrames() {
    view.grid.onEachFrame { [unowned self] time in
      report(motion.frame(at: time))
      return motion.isMoving
    }
  }

  private func report(_ action: ScrollMotion.Action) {
    switch action {
    case .none: break
    case .began: tracker.scrollWillBegin()
    case .moved: tracker.scrollDidMove()
    case .landing(let offset): tracker.scrollWillEnd(landingOn: rows(at: offset))
    case .settled: tracker.scrollDidSettle()
    }
  }

  /// The rows on screen once the list stops at an offset.
  private func rows(at offset: Double) -> ArraySlice<FileName> {
    guard let layout = GridLayout(view.visibleCells, offset: view.offset) else { return [] }
    return names[layout.rows(at: offset, page: view.page, of: names.count)]
  }
}
