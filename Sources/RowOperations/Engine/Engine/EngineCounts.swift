/// The counts of a tracker's work since it was made.
struct EngineCounts: Hashable, Sendable {
  var started = 0
  /// `started` counts their rows.
  var batches = 0
  var finished = 0
  var failed = 0
  var applied = 0
  var refusedStale = 0
  var cancelledWaiting = 0
  var cancelledRunning = 0
  var prefetchedThenDisplayed = 0
  var prefetchedInVain = 0
  var finishedOffScreen = 0
  var peakRunning = 0
  var turns = 0
  /// Of displayed rows, in nanoseconds.
  var blankTime: Int64 = 0
  /// From the display of a row.
  var timeToFirstValue = Histogram()
}
