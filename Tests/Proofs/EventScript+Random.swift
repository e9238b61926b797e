import RowOperationsTesting

@testable import RowOperations

extension EventScript {
  /// Makes a random script of all kinds of steps, the same for the same seed.
  ///
  /// The order makes no sense. Real lists send only some of these orders, so invariants that hold
  /// here hold for them. Passes end now and then, and time passes.
  ///
  /// - Parameters:
  ///   - seed: The seed of all random choices.
  ///   - length: The number of steps.
  ///   - rows: The number of rows, at least one.
  ///   - cells: The number of cells, at least one.
  ///   - withHosts: Whether cells may be bound inside each other.
  ///   - withStreams: Whether streams of rows have elements and end.
  ///   - withBatches: Whether answers to batches may lack rows.
  ///   - withLongTimes: Whether times pass in which pauses end.
  ///   - withRenames: Whether rows get other ids.
  package static func random(
    seed: UInt64, length: Int, rows: Int, cells: Int, withHosts: Bool = false,
    withStreams: Bool = false, withBatches: Bool = false, withLongTimes: Bool = false,
    withRenames: Bool = false
  ) -> EventScript {
    var random = SeededGenerator(seed: seed)
    return EventScript(
      steps: (0..<length).map { _ in
        if withHosts, Int.random(in: 0..<7, using: &random) == 0 {
          return Step.randomView(rows: rows, cells: cells, using: &random)
        }
        if withStreams, Int.random(in: 0..<5, using: &random) == 0 {
          return Step.randomOfStream(rows: rows, using: &random)
        }
        if withBatches, Int.random(in: 0..<20, using: &random) == 0 {
          return .miss(row: Int.random(in: 0..<rows, using: &random))
        }
        if withLongTimes, Int.random(in: 0..<12, using: &random) == 0 {
          return .time(.milliseconds(Int.random(in: 1...4, using: &random) * 250))
        }
        if withRenames, Int.random(in: 0..<60, using: &random) == 0 {
          return Step.randomRename(rows: rows, using: &random)
        }
        return Step.random(rows: rows, cells: cells, using: &random)
      })
  }

  /// Returns a short script that satisfies a condition, given that this script does.
  ///
  /// It removes ever smaller stretches of steps, then single steps, until the script needs every
  /// step that is left.
  ///
  /// **Cost**: for n steps, some n calls of the condition at best and O(n²) at worst.
  package func shrunk(while fails: (EventScript) -> Bool) -> EventScript {
    var script = self
    var length = max(steps.count / 2, 1)
    while true {
      var start = 0
      var isShorter = false
      while start < script.steps.count {
        var candidate = script
        candidate.steps.removeSubrange(start..<min(start + length, script.steps.count))
        if fails(candidate) {
          script = candidate
          isShorter = true
        } else {
          start += length
        }
      }
      if length == 1, !isShorter { return script }
      length = max(length / 2, 1)
    }
  }
}

extension EventScript.Step {
  /// A binding of a view in a host, sometimes in itself or to no row.
  fileprivate static func randomView(
    rows: Int, cells: Int, using random: inout SeededGenerator
  ) -> EventScript.Step {
    let row = Int.random(in: -1..<rows, using: &random)
    return .viewFor(
      row: row < 0 ? nil : row, view: Int.random(in: 0..<cells, using: &random),
      host: Int.random(in: 0..<cells, using: &random))
  }

  fileprivate static func randomRename(
    rows: Int, using random: inout SeededGenerator
  ) -> EventScript.Step {
    let row = Int.random(in: 0..<rows, using: &random)
    return .rename(row, to: Int.random(in: 0..<rows, using: &random))
  }

  fileprivate static func randomOfStream(
    rows: Int, using random: inout SeededGenerator
  ) -> EventScript.Step {
    let row = Int.random(in: 0..<rows, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .endStream(row: row)
    case 1: return .failStream(row: row)
    default: return .element(row: row)
    }
  }

  private static func randomScroll(
    _ rows: [Int], using random: inout SeededGenerator
  ) -> EventScript.Step {
    let list = Int.random(in: -1...2, using: &random)
    let isNumbered = list > 0
    switch Int.random(in: 0..<9, using: &random) {
    case 0..<2: return isNumbered ? .listScrollWillBegin(list: list) : .scrollWillBegin
    case 2..<4: return isNumbered ? .listScrollDidMove(list: list) : .scrollDidMove
    case 4..<7:
      return isNumbered
        ? .listScrollWillEnd(landingOn: rows, list: list) : .scrollWillEnd(landingOn: rows)
    default: return isNumbered ? .listScrollDidSettle(list: list) : .scrollDidSettle
    }
  }

  static func random(
    rows: Int, cells: Int, using random: inout SeededGenerator
  ) -> EventScript.Step {
    let row = Int.random(in: 0..<rows, using: &random)
    let cell = Int.random(in: 0..<cells, using: &random)
    func some() -> [Int] {
      let all = (0..<rows).shuffled(using: &random)
      return Array(all.prefix(Int.random(in: 1...min(rows, 4), using: &random)))
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: return .cellFor(row: row, cell: cell)
    case 12..<14: return .networkDidReturn
    case 14..<26: return .willDisplay(row: row, cell: cell)
    case 26..<34: return .didEndDisplaying(row: row, cell: cell)
    case 34: return .cover(cell: cell)
    case 35: return row % 2 == 0 ? .background(cell: cell) : .cover(cell: cell)
    case 36..<38: return .unbind(cell: cell)
    case 38..<41: return .deallocate(cell: cell)
    case 41..<42: return .reconcile(cells: (0..<cells).filter { _ in .random(using: &random) })
    case 42..<47: return .prefetch(some())
    case 47..<50: return .cancelPrefetch(some())
    case 50..<59: return randomScroll(some(), using: &random)
    case 59..<60: return .suspend
    case 60..<62: return .resume
    case 62..<68: return .finish(row: row)
    case 68..<74: return .fail(row: row)
    case 74: return .show(row: row)
    case 75: return .report(row: row)
    case 76: return .setValue(row: row)
    case 77..<78: return .retry(row: row)
    case 78..<80: return .invalidate(some())
    case 80..<82: return .remove(some())
    case 82: return .invalidateAll
    case 83: return Int.random(in: 0..<3, using: &random) == 0 ? .removeAll : .passEnd
    case 84: return .removeCachedValues
    case 85: return .setOrder(Array((0..<rows).shuffled(using: &random).prefix(row + 1)))
    case 86:
      // A list may repeat rows, and an item may have several rows.
      let list = Int.random(in: 1...2, using: &random)
      if row == 0 { return .itemRows(some(), at: cell, list: list) }
      let listed = (0..<rows + 2).map { _ in Int.random(in: 0..<rows, using: &random) }
      return .listRows(listed, at: 0, list: list)
    case 87..<90:
      let start = Int.random(in: 0..<rows, using: &random)
      let length = Int.random(in: 0...3, using: &random)
      return .showPositions(
        length == 0 ? 0..<0 : start..<start + length, of: 0..<rows + 2, section: nil,
        list: Int.random(in: 1...2, using: &random))
    case 90..<93: return .time(.milliseconds(Int.random(in: 1...120, using: &random)))
    default: return .passEnd
    }
  }
}
