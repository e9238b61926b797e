/// What a tracker has done since it was made.
///
/// Every load that was started ends in one of `finished`, `failed`, `cancelledRunning` and
/// `refusedStale`.
public struct TrackerMetrics: Hashable, Sendable {
  /// Loads for which an operation was started.
  public internal(set) var started = 0
  /// Loads whose value was committed.
  public internal(set) var finished = 0
  /// Loads that failed or ran out of time, each attempt counted.
  public internal(set) var failed = 0
  /// Committed values that were rendered into at least one cell right away.
  public internal(set) var applied = 0
  /// Values that came too late: their row had been left, invalidated, removed or set meanwhile.
  public internal(set) var refusedStale = 0
  /// Loads that lost their last claim before a slot was free for them.
  public internal(set) var cancelledWaiting = 0
  /// Loads that were cancelled while they ran.
  public internal(set) var cancelledRunning = 0
  /// How many of these were stopped in which stage.
  public internal(set) var cancelledPerStage: [UpdateStage: Int] = [:]
  /// Rows that joined the load of another row with the same resource.
  public internal(set) var shared = 0
  /// Loads that prefetching started and that were displayed later.
  public internal(set) var prefetchedThenDisplayed = 0
  /// Loads that prefetching started and that ended unseen: they failed, were cancelled, or their
  /// value was dropped or replaced before the row was displayed.
  public internal(set) var prefetchedInVain = 0
  /// Loads that finished when no row claimed them any more: not displayed, and not expected either.
  public internal(set) var finishedOffScreen = 0
  /// The most loads that ran at once, cancelled ones not counted.
  public internal(set) var peakRunning = 0
  /// Turns of the main queue that the tracker took.
  public internal(set) var turns = 0
  /// For how long rows on screen showed no value, each row counted: two rows for half a second make
  /// one second.
  ///
  /// Failed rows count, rows with nothing to load do not, and no row does while the tracker is
  /// suspended.
  public internal(set) var blankTime = Duration.zero
  /// How long each load was awaited on screen: from the display of its row until its value.
  ///
  /// Zero for a row whose value was there when it came on screen. Rows that share a load count as
  /// one. A row that left without a value does not count, nor does one that was on screen while the
  /// tracker was suspended.
  public internal(set) var timeToFirstValue = TimeDistribution()

  /// What was done after an earlier snapshot of the same tracker.
  ///
  /// ```swift
  /// let before = tracker.metrics
  /// fling()
  /// print((tracker.metrics - before).blankTime)
  /// ```
  ///
  /// `peakRunning` is that of the later one.
  ///
  /// - Parameters:
  ///   - later: The newer snapshot.
  ///   - earlier: The older one.
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
      \.started, \.finished, \.failed, \.applied, \.refusedStale, \.cancelledWaiting,
      \.cancelledRunning, \.shared, \.prefetchedThenDisplayed, \.prefetchedInVain,
      \.finishedOffScreen, \.turns,
    ]
  }
}
