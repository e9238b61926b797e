import RowOperations
import RowOperationsTesting

extension Family {
  /// How often the app's closure renders a row.
  static let renders = Family("B14") {
    let passing = RenderCounter()
    await passing.takeSlots()
    let list = PassingRows(passing)
    list.scroll(rowNames(1000))
    let loaded = RenderCounter()
    await loaded.takeSlots()
    let cells = rowNames(14).map { row in
      let cell = Cell()
      loaded.show(row, in: cell)
      loaded.willDisplay(cell)
      return cell
    }
    loaded.endFrame()
    await loaded.load()
    return withExtendedLifetime(cells) {
      [
        Figure(
          "B14a", "renders of a row that scrolls past unloaded", passing.rendersPerRow, limit: 1),
        Figure(
          "B14b", "renders of a row that waits on screen and is loaded", loaded.rendersPerRow,
          limit: 3),
      ]
    }
  }
}

/// A list that counts the renders of each row; loads that wait for a gate take all slots.
@MainActor
private final class RenderCounter: RowHost {
  private let tracker: DisplayTracker<String, Int>
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

  var rendersPerRow: Double { Double(renders.values.reduce(0, +)) / Double(renders.count) }

  func show(_ row: String, in cell: Cell) {
    tracker.bind(cell, to: row) { [weak self] _, _ in self?.renders[row, default: 0] += 1 }
  }

  func willDisplay(_ cell: Cell) { tracker.willDisplay(cell) }

  func didEndDisplaying(_ cell: Cell) { tracker.didEndDisplaying(cell) }

  func endFrame() { tracker.endPass() }

  func takeSlots() async {
    for (row, cell) in zip(held, heldCells) {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    await gate.waitForLoads(Set(held))
  }

  /// Ends the loads that take the slots, and waits until all rows on screen are loaded.
  func load() async {
    gate.openAll { _ in 0 }
    await tracker.waitUntilIdle()
  }
}
