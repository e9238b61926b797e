import Foundation
import RowOperations
import RowOperationsTesting

/// The scroll: first layout, flings, a way back, a jump, a reload.
///
/// It runs in real time, at 60 frames a second.
@MainActor
final class Scenario {
  private static let frame = Duration.nanoseconds(16_666_667)
  private static let viewport = 616.0

  private let source: RowSource
  private let log: FeedLog
  private let options: Options
  private let feed: any Feed
  private let list: ListSimulator<Int>
  private let clock = ContinuousClock()
  private var findings = Findings()
  private(set) var isInterrupted = false
  /// Receives the progress now and then.
  var onProgress: ((String) -> Void)?

  init(feed: any Feed, log: FeedLog, source: RowSource, options: Options) {
    (self.feed, self.log) = (feed, log)
    (self.source, self.options) = (source, options)
    list = ListSimulator(
      rows: Array(0..<options.rows), viewport: Self.viewport, behavior: .collectionView
    ) { feed.handle($0) }
  }

  /// Ends the run early, from the next frame on.
  func interrupt() { isInterrupted = true }

  func run() async {
    var random = SeededGenerator(seed: options.seed)
    list.layOut()
    await waitForRows("first layout", isNewScreen: true)
    await fling(options.velocity, "fling")
    // Caught and flung on three times, as people do on a long way.
    for _ in 0..<3 { await fling(options.velocity, "fling on", for: .milliseconds(400)) }
    await fling(options.velocity, "fling on")
    await fling(-options.velocity / 2, "scroll back")
    if !isInterrupted {
      list.jump(to: Int.random(in: list.rows.indices, using: &random))
      await waitForRows("jump", isNewScreen: true)
    }
    if !isInterrupted {
      list.reload(list.rows)
      await waitForRows("reload")
    }
    await fling(-options.velocity, "fling home")
    await waitForOtherLoads()
  }

  // MARK: Moving

  /// Flings the list and waits until it stands still, or until a finger is about to catch it.
  private func fling(_ velocity: Double, _ name: String, for time: Duration? = nil) async {
    guard !isInterrupted else { return }
    list.fling(velocity: velocity)
    let start = clock.now
    var last = start
    while list.isMoving, !isInterrupted {
      if let time, start.duration(to: last) >= time { return }
      await pause()
      let now = clock.now
      list.advance(by: last.duration(to: now))
      last = now
      note(name)
    }
    let blankRows = feed.blankRows(in: list).count
    findings.stoodStill(notLoaded: blankRows)
    log.timeline.note("stop, \(blankRows) blank", at: feed.start.duration(to: clock.now))
    let time = await waitForRows(name)
    guard !isInterrupted else { return }
    findings.restEnded(after: time, notLoaded: feed.blankRows(in: list).count)
  }

  /// Waits until every displayed row is loaded or has failed, for a minute at most.
  ///
  /// - Returns: How long that took.
  @discardableResult
  private func waitForRows(_ name: String, isNewScreen: Bool = false) async -> Duration {
    let start = clock.now
    while !isLoaded, !isInterrupted, start.duration(to: clock.now) < .seconds(60) {
      await pause()
      note("\(name), loading")
    }
    let time = start.duration(to: clock.now)
    if !isInterrupted { findings.stayedBlank(feed.blankRows(in: list)) }
    let leastRest = leastRest(isNewScreen: isNewScreen)
    while !isInterrupted, start.duration(to: clock.now) < leastRest { await pause() }
    return time
  }

  /// Waits for the loads of rows off screen.
  private func waitForOtherLoads() async {
    let isIdle = Locked(false)
    let wait = Task {
      await feed.waitUntilIdle()
      isIdle.change { $0 = true }
    }
    while !isIdle.value, !isInterrupted {
      try? await clock.sleep(for: Self.frame)
      note("rows off screen, loading")
    }
    wait.cancel()
  }

  /// How long the list stands still at least.
  ///
  /// Two runs in one picture then do the same at the same times, if neither takes longer.
  private func leastRest(isNewScreen: Bool) -> Duration {
    guard options.alignsRuns else { return .zero }
    let rounds = (list.visibleRows.count + options.slots - 1) / options.slots
    return .milliseconds(options.latency.upperBound) * (isNewScreen ? rounds + 1 : 2)
  }

  private var isLoaded: Bool { feed.pendingRows(in: list).isEmpty }

  /// Until the next frame.
  private func pause() async {
    let blankRows = feed.blankRows(in: list).count
    let start = clock.now
    try? await clock.sleep(for: Self.frame)
    findings.wereBlank(blankRows, for: start.duration(to: clock.now))
    findings.look(at: list, feed)
  }

  private func note(_ name: String) {
    let counts = feed.counts
    onProgress?(
      "\(name): row \(list.visibleRows.first ?? 0), \(list.rowsPassed) rows passed, "
        + "\(counts.started) loads started, \(counts.finished) finished")
  }

  /// The figures of a run that is over.
  var figures: Figures { Figures(of: list, feed, log, bytes: source.bytes, findings, options) }
}
