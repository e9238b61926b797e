import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// B11: what the fastest fling leaves of a frame's time.
  static let frames = Family(id: "B11", title: "frames of the fastest fling") { effort in
    let frames = recordedFrames(effort.size(2000))
    var shares: [Double] = []
    for _ in 0...effort.repetitions() {
      shares.append(await FrameReplay(frames).run().percentile(99) / 8_333_333)
    }
    // The first one is the warm-up.
    return [
      Entry(
        id: "B11", title: "main thread's time in a frame at 40 points/ms / 8.3 ms, 99th percentile",
        sample: Sample(Array(shares.dropFirst())), limit: 0.005)
    ]
  }

  /// What a list tells at 40 points a millisecond over rows of 44, frame by frame at 120 Hz.
  @MainActor
  fileprivate static func recordedFrames(_ count: Int) -> [[ListEvent<Int>]] {
    let distance = 40 * 8.333_333
    let rows = Array(0..<Int(Double(count) * distance / 44) + 100)
    var events: [ListEvent<Int>] = []
    let list = ListSimulator(rows: rows, viewport: 616, behavior: .collectionView) {
      events.append($0)
    }
    list.layOut()
    list.beginDrag()
    return (0..<count).map { _ in
      events = []
      list.drag(by: distance, in: .nanoseconds(8_333_333))
      return events
    }
  }
}

/// Plays recorded frames to a tracker, each as a turn of the main queue, and measures what the main
/// thread works in each.
///
/// A load takes a frame, half as long as a row stays on screen. So the scroll policy lets loads
/// begin, all slots are busy, and each turn commits values, renders them, and starts other loads.
@MainActor
private final class FrameReplay {
  private let frames: [[ListEvent<Int>]]
  private let tracker: DisplayTracker<Int, Int>
  private let loads = PendingLoads()
  private let clock = ManualClock()
  private var times: [Double] = []
  private var frame = 0
  private var whenOver: (() -> Void)?

  init(_ frames: [[ListEvent<Int>]]) {
    self.frames = frames
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4)
    configuration.clock = clock
    configuration.scrollPolicy = .immediate
    tracker = DisplayTracker(configuration: configuration) { [loads] token in
      let operation = HeldUpdate(token: token)
      loads.started.append(operation)
      return operation
    }
  }

  /// - Returns: Nanoseconds of each frame.
  func run() async -> [Double] {
    await withCheckedContinuation { continuation in
      whenOver = { continuation.resume() }
      nextFrame()
    }
    return times
  }

  private func nextFrame() {
    guard frame < frames.count else {
      whenOver?()
      return whenOver = nil
    }
    // Other threads do this in an app.
    for operation in loads.started { operation.end() }
    loads.started = []
    clock.advance(by: .nanoseconds(8_333_333))
    let start = MainTime()
    for event in frames[frame] { pass(event) }
    // The tracker's turn, with all that has arrived, comes before this.
    DispatchQueue.main.async {
      self.times.append(start.elapsed)
      self.frame += 1
      self.nextFrame()
    }
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

/// A load that ends when it is told to.
private final class HeldUpdate: UpdateOperation<Int, Int>, @unchecked Sendable {
  // Sendable: nothing is added that changes.
  override func update(_ context: UpdateContext<Int, Int>) async throws -> Int {
    try await Task.sleep(for: .seconds(1))
    return context.row
  }

  func end() { finish(with: .success(token.row)) }
}

extension Comparison {
  /// B11 in nanoseconds, next to frames with nothing in them but four operations that are put into
  /// a queue, as many as the tracker starts in each.
  static func frames(_ effort: Effort) async -> String {
    let frames = Family.recordedFrames(effort.size(2000))
    _ = await FrameReplay(frames).run()
    let tracked = await FrameReplay(frames).run()
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
    let lines = [("tracker", tracked), ("adding four BlockOperations", bare)].map {
      [$0, String(Int($1.percentile(50))), String(Int($1.percentile(99)))]
    }
    return alignedTable(
      of: [["a frame at 40 points/ms, ns", "50th percentile", "99th"]] + lines) + "\n"
  }
}

extension [Double] {
  /// What so many of a hundred do not exceed, of those that were measured.
  fileprivate func percentile(_ percent: Int) -> Double {
    let sorted = filter { !$0.isNaN }.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count * percent / 100]
  }
}
