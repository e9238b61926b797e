import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// B11: the tracker's share of a frame in the fastest fling.
  static let frames = Family(id: "B11", title: "frames of the fastest fling") { effort in
    let fling = Fling(frames: effort.size(2000))
    var entries: [Entry] = []
    for feed in FrameReplay.Feed.allCases {
      var shares: [Double] = []
      for _ in 0...effort.repetitions() {
        shares.append(await FrameReplay(fling, feed).run().percentile(99) / 8_333_333)
      }
      // The first run is the warm-up.
      entries.append(
        Entry(
          id: feed.id, title: feed.title, sample: Sample(Array(shares.dropFirst())), limit: 0.005))
    }
    return entries
  }
}

/// A fling at 40 points per millisecond over rows of 44 points, at 120 Hz.
@MainActor
struct Fling {
  struct Frame {
    let events: [ListEvent<Int>]
    let offset: Double
    /// The cells on screen after the frame's layout; each row is its own place.
    let cells: [ListLayout.Cell]
  }

  let rows: [Int]
  private(set) var frames: [Frame] = []

  init(frames count: Int) {
    let distance = 40 * 8.333_333
    rows = Array(0..<Int(Double(count) * distance / 44) + 100)
    var events: [ListEvent<Int>] = []
    let list = ListSimulator(rows: rows, viewport: 616, behavior: .collectionView) {
      events.append($0)
    }
    list.layOut()
    list.beginDrag()
    for _ in 0..<count {
      events = []
      list.drag(by: distance, in: .nanoseconds(8_333_333))
      let cells = list.visibleRows.compactMap { row in
        list.cell(for: row).map { ListLayout.Cell($0, at: .init(row: row)) }
      }
      frames.append(Frame(events: events, offset: list.offset, cells: cells))
    }
  }
}

/// Plays recorded frames to a tracker, each as a turn of the main queue, and measures their work.
///
/// A load takes one frame, and a row stays on screen for two. So the scroll policy starts loads,
/// all slots are busy, and each turn commits values, renders them, and starts other loads.
@MainActor
final class FrameReplay {
  /// How the tracker learns of cells and of scrolling.
  enum Feed: CaseIterable {
    /// The app forwards the list's events.
    case forwarded
    /// The logic of `ListTracking` compares what is on screen after each layout.
    case watched

    var id: String {
      switch self {
      case .forwarded: "B11"
      case .watched: "B11w"
      }
    }

    var title: String {
      let source =
        switch self {
        case .forwarded: ""
        case .watched: ", with ListTracking"
        }
      return "main thread's time in a frame at 40 points/ms / 8.3 ms, 99th percentile\(source)"
    }
  }

  private let frames: [Fling.Frame]
  private let feed: Feed
  private let tracker: DisplayTracker<Int, Int>
  private let relay: ListRelay<Int>
  private var layout = ListLayout()
  private let loads = PendingLoads()
  private let clock = ManualClock()
  private var times: [Double] = []
  private var frame = 0
  private var whenOver: (() -> Void)?

  init(_ fling: Fling, _ feed: Feed) {
    frames = fling.frames
    self.feed = feed
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4)
    configuration.clock = clock
    configuration.scrollPolicy = .immediate
    tracker = DisplayTracker(configuration: configuration) { [loads] token in
      let operation = HeldUpdate(token: token)
      loads.started.append(operation)
      return operation
    }
    let rows = fling.rows
    relay = ListRelay(trackers: feed == .watched ? [tracker] : [], rows: .sections { [rows] })
    layout.sectionCount = 1
    layout.itemCount = { _ in rows.count }
    layout.contentSize = ContentSize(width: 320, height: Double(rows.count) * 44)
    // The list reads its ids and sets the order before it scrolls.
    if feed == .watched { relay.laidOut(layout) }
  }

  /// - Returns: Nanoseconds of each frame.
  func run() async -> [Double] {
    await withCheckedContinuation { continuation in
      whenOver = { continuation.resume() }
      nextFrame()
    }
    return times
  }

  /// Plays all frames in one call, with the turn of each at its end.
  func runAtOnce() {
    while frame < frames.count {
      endLoads()
      play()
      tracker.endPass()
      frame += 1
    }
  }

  private func endLoads() {
    // In an app, other threads do this.
    for operation in loads.started { operation.end() }
    loads.started = []
    clock.advance(by: .nanoseconds(8_333_333))
  }

  private func play() {
    switch feed {
    case .forwarded: for event in frames[frame].events { pass(event) }
    case .watched: look(frames[frame])
    }
  }

  private func nextFrame() {
    guard frame < frames.count else {
      whenOver?()
      return whenOver = nil
    }
    endLoads()
    let start = MainTime()
    play()
    // The tracker's turn, with all arrived values, comes before this.
    DispatchQueue.main.async {
      self.times.append(start.elapsed)
      self.frame += 1
      self.nextFrame()
    }
  }

  private func look(_ frame: Fling.Frame) {
    for case .cellFor(let cell, let row) in frame.events { tracker.bind(cell, to: row) { _, _ in } }
    relay.offsetChanged(
      .init(
        y: frame.offset, isDragging: true, isDecelerating: false,
        time: Int64(self.frame) * 8_333_333))
    layout.cells = frame.cells
    relay.laidOut(layout)
  }

  private func pass(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): tracker.bind(cell, to: row) { _, _ in }
    case .willDisplay(let cell): tracker.willDisplay(cell)
    case .didEndDisplaying(let cell, _): tracker.didEndDisplaying(cell)
    case .prefetch(let rows): tracker.prefetch(rows)
    case .cancelPrefetch(let rows): tracker.cancelPrefetch(rows)
    case .scrollDidMove: tracker.scrollDidMove()
    case .unbind, .scrollWillBegin, .scrollWillEnd, .scrollDidSettle, .didDisappear, .didAppear:
      break
    }
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

extension Comparison {
  /// B11 in nanoseconds, next to frames that only add four operations to a queue.
  ///
  /// The tracker starts as many in each frame.
  static func frames(_ effort: Effort) async -> String {
    let fling = Fling(frames: effort.size(2000))
    _ = await FrameReplay(fling, .forwarded).run()
    let forwarded = await FrameReplay(fling, .forwarded).run()
    let watched = await FrameReplay(fling, .watched).run()
    let queue = OperationQueue()
    queue.qualityOfService = .userInitiated
    var bare: [Double] = []
    for _ in 0..<effort.size(2000) {
      let start = MainTime()
      for _ in 0..<4 { queue.addOperation(BlockOperation {}) }
      bare.append(start.elapsed)
      await withCheckedContinuation { continuation in
        queue.addBarrierBlock { continuation.resume() }
      }
    }
    let lines = [
      ("tracker", forwarded), ("tracker with ListTracking", watched),
      ("adding four BlockOperations", bare),
    ].map { [$0, String(Int($1.percentile(50))), String(Int($1.percentile(99)))] }
    return alignedTable(
      of: [["a frame at 40 points/ms, ns", "50th percentile", "99th"]] + lines) + "\n"
  }
}

extension [Double] {
  /// A percentile of the measured values.
  fileprivate func percentile(_ percent: Int) -> Double {
    let sorted = filter { !$0.isNaN }.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count * percent / 100]
  }
}
