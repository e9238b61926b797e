/// Everything that UIKit leaves open, as switches that a test draws by seed.
package struct Variant: Hashable, Sendable {
  // Cells

  /// The number of rows ahead of the screen that get cells (WWDC16 219, WWDC21 10252).
  package var preparedAhead = 0
  /// Whether `cellForRow(at:)` also returns these cells (documented since iOS 15).
  package var returnsPreparedCells = false
  /// The number of cells that wait for their row to come back, and then need no new call.
  package var keptCells = 0
  /// Whether old rows leave before new ones appear; usually they leave after.
  package var leavesFirst = false
  /// Whether a list that scrolls back shows its rows from the last to the first.
  package var showsBackwards = true
  /// Whether cells in the reuse pool stay in the list as hidden views.
  package var hidesPooledCells = false
  /// Whether the pool returns its newest cell.
  package var reusesNewest = true
  /// Whether a reload reuses the cells on screen; they may then show other rows.
  package var reusesReloadedCells = true
  /// Whether `reloadData()` lays the list out at once, instead of in the next layout.
  package var reloadsAtOnce = false
  /// Whether a moved row gets another cell.
  package var movedRowsChangeCells = false

  // Batch updates

  /// Whether `hasUncommittedUpdates` is true within a batch update; the header leaves it open.
  package var batchIsUncommitted = false
  /// Whether a batch update lays the list out before it returns.
  package var batchLaysOut = true
  /// The number of layouts within the batch update, such as those of an app's `layoutIfNeeded()`.
  package var layoutsInBatch = 0
  /// Whether the cells of deleted rows stay among the views, for an animation.
  package var deletedCellsStay = false

  // Layout

  /// Whether siblings are laid out from the last to the first.
  package var laysOutBackwards = false
  /// The chance that a commit lays out every view once more.
  package var extraPasses = 0.0
  /// The chance of a commit outside of the run loop's observers.
  package var commitsWithoutObservers = 0.0
  /// Whether KVO comes before the list marks itself for layout.
  package var notifiesFirst = false
  /// Whether reading the visible rows lays the list out.
  package var readsLayOut = false
  /// Whether the visible rows are those of the last layout, instead of those of the bounds.
  package var reportsLastLayout = false
  /// Whether a scroll also notifies the observers of the layer's bounds.
  package var scrollsLayer = true
  /// Whether the visible rectangle of a view extends past its bounds, as since macOS 14.
  package var extendsVisibleRects = false
  /// Whether a hidden list of AppKit takes its rows or items out.
  package var emptiesHiddenLists = false

  // Scrolling

  /// Whether `isDragging` ends before the gesture's action.
  package var endsDragFirst = false
  /// The number of frames for which a released view still reports a drag.
  package var framesOfLateDrag = 0
  /// Whether the list bounces at its ends.
  package var bounces = false
  /// Whether attributes of items in a section that scrolls by itself follow its offset.
  package var attributesFollowInnerScroll = true

  // The app

  /// Whether the app's notifications come before its scenes'.
  package var appFirst = false
  /// Whether a scene's state changes before its notification.
  package var stateFirst = true

  package init() {}

  package static let flags: [WritableKeyPath<Variant, Bool> & Sendable] = [
    \.returnsPreparedCells, \.hidesPooledCells, \.reusesReloadedCells, \.movedRowsChangeCells,
    \.batchIsUncommitted, \.deletedCellsStay, \.laysOutBackwards, \.notifiesFirst, \.endsDragFirst,
    \.bounces, \.attributesFollowInnerScroll, \.appFirst, \.stateFirst, \.showsBackwards,
    \.extendsVisibleRects, \.leavesFirst, \.reusesNewest, \.reloadsAtOnce, \.batchLaysOut,
    \.readsLayOut, \.reportsLastLayout, \.scrollsLayer, \.emptiesHiddenLists,
  ]

  package init(seed: UInt64) {
    var dice = Dice(seed: seed)
    for flag in Self.flags { self[keyPath: flag] = dice.chance(0.5) }
    preparedAhead = Int.random(in: 0...3, using: &dice)
    keptCells = Int.random(in: 0...2, using: &dice)
    layoutsInBatch = Int.random(in: 0...2, using: &dice)
    extraPasses = dice.chance(0.5) ? 0.3 : 0
    commitsWithoutObservers = dice.chance(0.5) ? 0.5 : 0
    framesOfLateDrag = Int.random(in: 0...2, using: &dice)
  }
}
