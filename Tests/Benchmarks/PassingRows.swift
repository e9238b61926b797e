import RowOperations
import RowOperationsTesting

/// B12 and B13: a list whose cells come on screen and leave it again.
@MainActor
protocol RowHost {
  func show(_ row: String, in cell: Cell)
  func willDisplay(_ cell: Cell)
  func didEndDisplaying(_ cell: Cell)
  /// Takes the turn in place of the main queue.
  func endFrame()
}

/// The view of a row in a list.
final class Cell {
  var text = ""
}

/// Rows that scroll past, some in each frame, through a screen.
@MainActor
final class PassingRows<Host: RowHost> {
  private let host: Host
  private let perFrame: Int
  private var onScreen: [Cell] = []
  private var pool: [Cell] = []

  /// - Parameter perFrame: How many rows come in a frame; eight in the fastest fling at 120 Hz.
  init(_ host: Host, perFrame: Int = 8) { (self.host, self.perFrame) = (host, perFrame) }

  /// Scrolls rows through the screen, and leaves the last ones on it.
  func scroll(_ rows: [String]) {
    var rest = rows[...]
    while !rest.isEmpty {
      // New rows come on screen before old rows leave it.
      for row in rest.prefix(perFrame) { appear(row) }
      rest = rest.dropFirst(perFrame)
      // A screen of 616 points holds 14 rows of 44.
      while onScreen.count > 14 { disappear(onScreen.removeFirst()) }
      host.endFrame()
    }
  }

  private func appear(_ row: String) {
    let cell = pool.popLast() ?? Cell()
    host.show(row, in: cell)
    host.willDisplay(cell)
    onScreen.append(cell)
  }

  private func disappear(_ cell: Cell) {
    host.didEndDisplaying(cell)
    pool.append(cell)
  }
}

/// A list that a tracker loads, whose slots are all taken by loads that do not end.
@MainActor
final class PassingHost: RowHost {
  private static let slots = 4

  let tracker: DisplayTracker<String, Int>
  private let heldCells = (0..<slots).map { _ in Cell() }

  init(retention: Retention<Int> = .none, prefetchLimit: Int = 48) {
    var configuration = TrackerConfiguration<String, Int>()
    configuration.slots = UpdateSlots(Self.slots)
    configuration.retention = retention
    configuration.prefetchWindow.limit = prefetchLimit
    tracker = DisplayTracker(configuration: configuration) { _ in
      try await Task.sleep(for: .seconds(600))
      return 0
    }
    for (number, cell) in heldCells.enumerated() {
      show("held \(number)", in: cell)
      willDisplay(cell)
    }
    tracker.endPass()
    precondition(tracker.metrics.started == Self.slots, "All slots are taken by loads.")
  }

  func show(_ row: String, in cell: Cell) {
    tracker.bind(cell, to: row) { cell, phase in
      cell.text = phase.value == nil ? "…" : "loaded"
    }
  }

  func willDisplay(_ cell: Cell) { tracker.willDisplay(cell) }

  func didEndDisplaying(_ cell: Cell) { tracker.didEndDisplaying(cell) }

  func endFrame() { tracker.endPass() }
}
