import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// B14: how often the app's closure renders a row.
  ///
  /// One run is enough for a count: time stands still and each frame ends with one turn.
  static let renders = Family(id: "B14", title: "calls of the render closure") { effort in
    let rows = rowNames(effort.size(1000))
    let passing = RenderCounter()
    await passing.close()
    let screen = PassingRows(host: passing)
    screen.scroll(rows[...]) { passing.tracker.endPass() }
    screen.clear { passing.tracker.endPass() }
    await passing.drain()
    let loaded = RenderCounter()
    await loaded.close()
    let cells = loaded.fillScreen(rows.prefix(14))
    await loaded.drain()
    return withExtendedLifetime(cells) {
      [
        Entry(
          id: "B14a", title: "renders of a row that scrolls past unloaded",
          sample: passing.rendersPerRow, limit: 1),
        Entry(
          id: "B14b", title: "renders of a row that waits on screen and is loaded",
          sample: loaded.rendersPerRow, limit: 3),
      ]
    }
  }
}

/// A list that counts the renders of each row; loads that wait for a gate take all slots.
@MainActor
private final class RenderCounter: RowHost {
  let tracker: DisplayTracker<String, Int>
  private let gate: LoadGate<String, Int>
  private let held = (0..<4).map { "held \($0)" }
  private let heldCells = (0..<4).map { _ in Cell() }
  private var renders: [String: Int] = [:]

  init() {
    let gate = LoadGate<String, Int>()
    var configuration = TrackerConfiguration<String, Int>()
    configuration.slots = UpdateSlots(held.count)
    configuration.clock = ManualClock()
    tracker = DisplayTracker(configuration: configuration) { [held = Set(held)] context in
      guard held.contains(context.row) else { return 1 }
      return try await gate.load(context)
    }
    self.gate = gate
  }

  /// All calls over all rows; the spread is that of the rows.
  var rendersPerRow: Sample { Sample(ratios: renders.values.map { (Double($0), 1) }) }

  func show(_ row: String, in cell: Cell) {
    tracker.bind(cell, to: row) { [weak self] _, _ in self?.renders[row, default: 0] += 1 }
  }

  func willDisplay(_ cell: Cell) { tracker.willDisplay(cell) }

  func didEndDisplaying(_ cell: Cell) { tracker.didEndDisplaying(cell) }

  func close() async {
    for (row, cell) in zip(held, heldCells) {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    await gate.waitForLoads(Set(held))
  }

  func fillScreen(_ rows: some Sequence<String>) -> [Cell] {
    let cells = rows.map { row in
      let cell = Cell()
      show(row, in: cell)
      willDisplay(cell)
      return cell
    }
    tracker.endPass()
    return cells
  }

  func drain() async {
    gate.openAll { _ in 0 }
    await tracker.waitUntilIdle()
  }
}
