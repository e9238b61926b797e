/// What moves a list, for hosts that say so in phases, as SwiftUI does.
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

/// Translates the phases of a scroll into what a tracker is told.
package struct ScrollPhases: Hashable, Sendable {
  private var stage = ScrollStage.resting

  package init() {}

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

  /// The offset has changed.
  ///
  /// At rest that is a layout.
  package func offsetChanged() -> ScrollAction { stage.isMoving ? .moved : .none }
}

extension RowTracking {
  /// Tells a tracker of a scroll.
  ///
  /// Where the list will land takes rows, and is told otherwise.
  package func scrolled(_ action: ScrollAction) {
    switch action {
    case .began: scrollWillBegin()
    case .moved: scrollDidMove()
    case .settled: scrollDidSettle()
    case .none, .landing: break
    }
  }
}
