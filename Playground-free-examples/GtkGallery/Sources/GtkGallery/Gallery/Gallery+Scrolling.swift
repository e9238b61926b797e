import CGtk
import RowOperations

/// How the grid scrolls, as the tracker is to hear it.
extension Gallery {
  func connectScrolling() {
    view.adjustment.on("value-changed") { [unowned self] in
      guard let time = view.frameTime else { return }
      if !motion.isMoving { watchFrames() }
      tell(motion.moved(to: view.offset, at: time))
    }
  }

  /// Nobody says when the list has come to rest.
  private func watchFrames() {
    view.grid.onEachFrame { [unowned self] time in
      tell(motion.frame(at: time))
      return motion.isMoving
    }
  }

  private func tell(_ action: ScrollMotion.Action) {
    switch action {
    case .none: break
    case .began: tracker.scrollWillBegin()
    case .moved: tracker.scrollDidMove()
    case .landing(let offset): tracker.scrollWillEnd(landingOn: rows(at: offset))
    case .settled: tracker.scrollDidSettle()
    }
  }

  /// The rows on screen when the list has come to rest there.
  private func rows(at offset: Double) -> ArraySlice<String> {
    guard let layout = GridLayout(view.cellsInSight, offset: view.offset) else { return [] }
    return names[layout.rows(at: offset, page: view.page, of: names.count)]
  }
}
