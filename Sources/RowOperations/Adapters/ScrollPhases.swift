/// The cause of a motion, for hosts that report phases, as SwiftUI does.
package enum ScrollStage: Hashable, Sendable {
  case resting
  /// A finger lies on the list and has not moved it.
  case touched
  case dragged
  case decelerating
  case animated

  var isMoving: Bool {
    switch self {
    case .resting, .touched: false
    case .dragged, .decelerating, .animated: true
    }
  }
}

struct ScrollPhases: Hashable, Sendable {
  private var stage = ScrollStage.resting
  private var offset: Double?
  /// 1 if the last change increased the offset, -1 if it decreased it.
  private var direction: Double?

  var isMoving: Bool { stage.isMoving }

  mutating func changed(to new: ScrollStage) -> ScrollAction {
    let old = stage
    stage = new
    guard new != old else { return .none }
    switch new {
    case .resting, .touched:
      // A finger stops a fling: the rows on screen stay for now.
      return old.isMoving ? .settled : .none
    case .dragged, .animated:
      return .began
    case .decelerating:
      return old.isMoving ? .moved : .began
    }
  }

  /// At rest the cause is a layout.
  mutating func offsetChanged(to new: Double) -> ScrollAction {
    if let offset, new != offset { direction = new > offset ? 1 : -1 }
    offset = new
    return stage.isMoving ? .moved : .none
  }

  /// What remains of a deceleration, in points.
  ///
  /// - Parameter velocity: In points per second. The last change of the offset decides the sign.
  func distance(velocity: Double?, _ extent: ScrollExtent) -> Double? {
    guard stage == .decelerating, let velocity, velocity.isFinite else { return nil }
    let directed = direction.map { abs(velocity) * $0 } ?? velocity
    return extent.rest(velocity: directed / 1000) - extent.offset
  }
}

extension CellTracking {
  /// Landings are reported elsewhere, with their rows.
  func scrolled(_ action: ScrollAction, inList list: Int) {
    switch action {
    case .began: scrollWillBegin(inList: list)
    case .moved: scrollDidMove(inList: list)
    case .settled: scrollDidSettle(inList: list)
    case .none, .landing: break
    }
  }
}
