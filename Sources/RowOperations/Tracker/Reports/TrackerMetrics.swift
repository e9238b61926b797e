/// The counts of a tracker's work since it was made.
///
/// Every started load ends in one of `finished`, `failed`, `cancelledRunning` and `refusedStale`.
public struct TrackerMetrics: Hashable, Sendable {
  /// Loads with a started operation; of a batch, each row counts.
  public internal(set) var started = 0
  /// Requests for batches, without which it stays zero.
  public internal(set) var batches = 0
  /// Loads with a committed value.
  public internal(set) var finished = 0
  /// Loads that failed or timed out, each attempt counted.
  public internal(set) var failed = 0
  /// Committed values that were rendered right away.
  public internal(set) var applied = 0
  /// Values that arrived too late: the row had lost its claims, or was invalidated, removed or set.
  public internal(set) var refusedStale = 0
  /// Loads that lost their last claim before a slot was free for them.
  public internal(set) var cancelledWaiting = 0
  /// Loads that were cancelled while they ran.
  public internal(set) var cancelledRunning = 0
  /// The number of them that stopped in each stage.
  public internal(set) var cancelledPerStage: [UpdateStage: Int] = [:]
  /// Loads that prefetching started and that were displayed later.
  public internal(set) var prefetchedThenDisplayed = 0
  /// Loads that prefetching started and that ended unseen: they failed, were cancelled, or their
  /// value was dropped or replaced before.
  public internal(set) var prefetchedInVain = 0
  /// Loads that finished without a claim.
  public internal(set) var finishedOffScreen = 0
  /// The largest number of loads that ran at once, without cancelled ones; a batch is one load.
  public internal(set) var peakRunning = 0
  /// The number of live rows that listen at this moment.
  public internal(set) var live = 0
  /// Turns of the main queue that the tracker took.
  public internal(set) var turns = 0
  /// The time for which displayed rows showed no value, summed over rows.
  ///
  /// Failed rows count, rows with nothing to load do not, and no row does while the tracker is
  /// suspended.
  public internal(set) var blankTime = Duration.zero
  /// The times from the display of a row until its value.
  ///
  /// A row that came on screen with a value counts as zero. A display counts once. A row that
  /// left without a value does not count, nor does one that was on screen during a suspension.
  public internal(set) var timeToFirstValue = TimeDistribution()

  init(_ counts: EngineCounts, live: Int, _ cancelledPerStage: [UpdateStage: Int]) {
    self.live = live
    started = counts.started
    batches = counts.batches
    finished = counts.finished
    failed = counts.failed
    applied = counts.applied
    refusedStale = counts.refusedStale
    cancelledWaiting = counts.cancelledWaiting
    cancelledRunning = counts.cancelledRunning
    self.cancelledPerStage = cancelledPerStage
    prefetchedThenDisplayed = counts.prefetchedThenDisplayed
    prefetchedInVain = counts.prefetchedInVain
    finishedOffScreen = counts.finishedOffScreen
    peakRunning = counts.peakRunning
    turns = counts.turns
    blankTime = .nanoseconds(counts.blankTime)
    timeToFirstValue = TimeDistribution(counts.timeToFirstValue)
  }

  /// Returns the counts since an earlier snapshot of the same tracker.
  ///
  /// ```swift
  /// let before = tracker.metrics
  /// fling()
  /// print((tracker.metrics - before).blankTime)
  /// ```
  ///
  /// `peakRunning` and `live` are those of the later one.
  public static func - (later: TrackerMetrics, earlier: TrackerMetrics) -> TrackerMetrics {
    var difference = later
    for counter in counters { difference[keyPath: counter] -= earlier[keyPath: counter] }
    for (stage, count) in earlier.cancelledPerStage {
      difference.cancelledPerStage[stage, default: 0] -= count
    }
    difference.cancelledPerStage = difference.cancelledPerStage.filter { $0.value != 0 }
    difference.blankTime -= earlier.blankTime
    difference.timeToFirstValue = later.timeToFirstValue - earlier.timeToFirstValue
    return difference
  }

  private static var counters: [WritableKeyPath<TrackerMetrics, Int>] {
    [
      \.started, \.batches, \.finished, \.failed, \.applied, \.refusedStale, \.cancelledWaiting,
      \.cancelledRunning, \.prefetchedThenDisplayed, \.prefetchedInVain,
      \.finishedOffScreen, \.turns,
    ]
  }
}
