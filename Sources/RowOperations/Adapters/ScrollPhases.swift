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

/// Translates the phases of a scroll into inputs of a tracker.
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
