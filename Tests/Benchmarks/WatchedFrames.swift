import Foundation
import RowOperations
import RowOperationsTesting

/// B11: frames of the fastest fling, at 40 points per millisecond over rows of 44 points, at 120
/// Hz.
///
/// The logic of `ListTracking` compares what is on screen after each layout, with the order of the
/// list. A load takes one frame, and a row stays on screen for two. So the scroll policy starts
/// loads, all slots are busy, and each turn commits values, renders them, and starts other loads.
@MainActor
final class WatchedFrames {
  private struct Frame {
    let bindings: [(SimulatedCell, Int)]
    let offset: Double
    /// The cells on screen after the frame's layout; each row is its own place.
    let cells: [ListLayout.Cell]
  }

  private static let time: Int64 = 8_333_333
  /// More than the frames reach, since the length of the list must not count.
  private static let rows = Array(0..<10_000)

  private let frames: [Frame]
  private let tracker: DisplayTracker<Int, Int>
  private let relay: ListRelay
  private var layout = ListLayout()
  private let loads = PendingLoads()
  private let clock = ManualClock()

  init(_ count: Int) {
    frames = Self.fling(count)
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4)
    configuration.clock = clock
    configuration.scrollPolicy = .immediate
    tracker = DisplayTracker(configuration: configuration) { [loads] token in
      let operation = HeldUpdate(token: token)
      loads.started.append(operation)
      return operation
    }
    relay = ListRelay(tracker, ids: .sections { [Self.rows] })
    layout.sectionCount = 1
    layout.itemCount = { _ in Self.rows.count }
    layout.contentSize = CGSize(width: 320, height: Double(Self.rows.count) * 44)
    // The list reads its ids and sets the order before it scrolls.
    relay.laidOut(layout)
  }

  private static func fling(_ count: Int) -> [Frame] {
    var bindings: [(SimulatedCell, Int)] = []
    let list = ListSimulator(rows: rows, viewport: 616, behavior: .collectionView) { event in
      if case .cellFor(let cell, let row) = event { bindings.append((cell, row)) }
    }
    list.layOut()
    list.beginDrag()
    return (0..<count).map { _ in
      bindings = []
      list.drag(by: 40 * Double(time) / 1e6, in: .nanoseconds(time))
      let cells = list.visibleRows.compactMap { row in
        list.cell(for: row).map { ListLayout.Cell($0, at: .init(row: row)) }
      }
      return Frame(bindings: bindings, offset: list.offset, cells: cells)
    }
  }

  /// Plays all frames, with the turn of each at its end.
  func run() {
    for (number, frame) in frames.enumerated() {
      // In an app, other threads end loads.
      for operation in loads.started { operation.end() }
      loads.started = []
      clock.advance(by: .nanoseconds(Self.time))
      counted { [self] in play(frame, number) }
    }
  }

  private func play(_ frame: Frame, _ number: Int) {
    for (cell, row) in frame.bindings { tracker.bind(cell, to: row) { _, _ in } }
    relay.offsetChanged(
      .init(
        offset: CGPoint(x: 0, y: frame.offset), isDragging: true, isDecelerating: false,
        time: Int64(number) * Self.time))
    layout.cells = frame.cells
    relay.laidOut(layout)
    tracker.endPass()
  }
}

/// The loads that a frame started.
@MainActor
private final class PendingLoads {
  var started: [HeldUpdate] = []
}

/// A load that ends when the benchmark ends it.
private final class HeldUpdate: UpdateOperation<Int, Int>, @unchecked Sendable {
  // Sendable: the subclass adds no state.
  override func update(_ context: UpdateContext<Int, Int>) async throws -> Int {
    try await Task.sleep(for: .seconds(1))
    return context.row
  }

  func end() { finish(with: .success(token.row)) }
}
