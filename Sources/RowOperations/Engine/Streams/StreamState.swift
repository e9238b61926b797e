/// A row, and which of its streams it is.
package struct StreamID: Hashable, Sendable {
  package let row: RowID
  let serial: UInt32

  init(row: RowID, serial: UInt32) {
    self.row = row
    self.serial = serial
  }
}

package enum StreamEnd: Hashable, Sendable {
  case ended
  case failed(FailureCause)
}

/// The state of a row that listens, or is about to.
struct StreamState: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    /// The stream opens once fewer than the limit are open.
    case queued
    case open
    /// After a failure or a suspension, the stream opens at that time.
    case paused(until: Int64)
    case suspended
    /// The stream opens again at the next display of its row.
    case ended
    /// As `ended`.
    case failed
  }

  var stage = Stage.queued
  var serial: UInt32 = 0
  var openedAt: Int64 = 0
  /// The load whose operation has opened the stream.
  var opener: RunID?
  /// The load whose first value the stream still owes.
  var owedLoad: UInt64?
  /// Since the stream opened.
  var hasElement = false
  /// When the newest element is committed.
  var due: Int64?
  /// The due time of the element before.
  var lastDue: Int64 = 0
  /// The turn has yet to evaluate it.
  var end: StreamEnd?
  /// The stream ends then, since no cell displays the row.
  var graceEnd: Int64?
  /// Failures in a row, and the delay after the last one.
  var failures = 0
  var lastDelay: Int64 = 0
  /// The return of the network may cure the last failure.
  var isConnectivity = false

  func isDue(at now: Int64) -> Bool { due.map { $0 <= now } ?? false }

  /// When the stage changes without an input.
  func nextChange(timeout: Int64?) -> Int64 {
    var first = graceEnd ?? .max
    if case .paused(let end) = stage { first = min(first, end) }
    if owedLoad != nil, let timeout { first = min(first, openedAt + timeout) }
    return first
  }

  /// When an element that arrives now is committed.
  ///
  /// The first one is at once, others at whole multiples of the interval, so that rows are rendered
  /// together.
  func dueTime(interval: Int64, at now: Int64) -> Int64 {
    guard hasElement, interval > 0 else { return now }
    let (earliest, isLate) = lastDue.addingReportingOverflow(interval)
    guard !isLate else { return .max }
    let time = max(now, earliest)
    let rest = time % interval
    guard rest > 0 else { return time }
    let (next, isNever) = time.addingReportingOverflow(interval - rest)
    return isNever ? .max : next
  }
}
