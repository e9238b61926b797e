/// What moves a list, for hosts that report phases, as SwiftUI does.
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

/// Translates the phases of a scroll into inputs of a tracker.
package struct ScrollPhases: Hashable, Sendable {
  private var stage = ScrollStage.resting
  private var offset: Double?
  /// 1 if the offset grew when it last changed, -1 if it shrank.
  private var direction: Double?

  package init() {}

  package var isMoving: Bool { stage.isMoving }

  /// Another phase has begun.
  package mutating func changed(to new: ScrollStage) -> ScrollAction {
    let old = stage
    stage = new
    guard new != old else { return .none }
    switch new {
    case .resting, .touched:
      // A finger that stops a fling: what is on screen stays there for now.
      return old.isMoving ? .settled : .none
    case .dragged, .animated:
      return .began
    case .decelerating:
      return old.isMoving ? .moved : .began
    }
  }

  /// The offset has changed along the axis on which the list scrolls.
  ///
  /// At rest that is a layout.
  package mutating func offsetChanged(to new: Double) -> ScrollAction {
    if let offset, new != offset { direction = new > offset ? 1 : -1 }
    offset = new
    return stage.isMoving ? .moved : .none
  }

  /// How far the list goes on by itself, in points; `nil` if it does not.
  ///
  /// - Parameter velocity: In points per second. The direction in which the offset last changed has
  ///   the last word on the sign.
  package func distance(velocity: Double?, _ extent: ScrollExtent) -> Double? {
    guard stage == .decelerating, let velocity, velocity.isFinite else { return nil }
    return extent.distance(velocity: direction.map { abs(velocity) * $0 } ?? velocity)
  }
}

extension RowTracking {
  /// Reports a scroll to a tracker.
  ///
  /// A landing takes rows; it is reported with them.
  package func scrolled(_ action: ScrollAction) {
    switch action {
    case .began: receive(.scrollWillBegin)
    case .moved: receive(.scrollDidMove)
    case .settled: receive(.scrollDidSettle)
    case .none, .landing: break
    }
  }
}
