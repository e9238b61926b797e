/// The counts of a tracker's work since it was made.
package struct EngineCounts: Hashable, Sendable {
  package internal(set) var started = 0
  /// `started` counts their rows.
  package internal(set) var batches = 0
  package internal(set) var finished = 0
  package internal(set) var failed = 0
  var applied = 0
  package internal(set) var refusedStale = 0
  var cancelledWaiting = 0
  package internal(set) var cancelledRunning = 0
  var prefetchedThenDisplayed = 0
  var prefetchedInVain = 0
  var finishedOffScreen = 0
  var peakRunning = 0
  var turns = 0
  /// Of displayed rows, in nanoseconds.
  package internal(set) var blankTime: Int64 = 0
  /// From the display of a row.
  package internal(set) var timeToFirstValue = Histogram()
}
