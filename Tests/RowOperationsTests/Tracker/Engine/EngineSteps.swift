@testable import RowOperations

extension TrackerEngine {
  /// Displays a new cell of a row.
  mutating func addCell(of row: RowID) -> CellID {
    let cell = addCell()
    take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
    take(.willDisplay(row: nil, cell: cell), at: 0)
    return cell
  }

  /// Takes a turn in which nothing is admitted.
  mutating func pass(at now: Int64 = 0) {
    endTurn(at: now)
    finishTurn()
  }

  /// Gives all waiting rows slots, and makes their operations.
  mutating func load(at now: Int64 = 0) {
    endTurn(at: now)
    admitAll(SlotTable(count: 99), at: now)
    for run in Array(runs.ids) where !runs[run].isMember {
      take(.made(run, generation: runs[run].generation), at: now)
    }
  }

  /// Performs the pending effects.
  ///
  /// - Returns: The cells that are rendered.
  @discardableResult
  mutating func performEffects() -> [CellID] {
    var rendered: [CellID] = []
    while let effect = nextEffect() {
      if case .render(let cell) = effect { rendered.append(cell) }
    }
    return rendered
  }

  /// Performs the pending effects, and forgets the rows that are no longer in use.
  mutating func forgetUnused() {
    performEffects()
    _ = takeFreedNumbers()
  }
}
