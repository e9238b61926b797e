/// The number of a stream: its row, and which of the row's streams it is.
@usableFromInline
package struct StreamID: Hashable, Sendable {
  package let row: RowID
  let serial: UInt32

  init(row: RowID, serial: UInt32) {
    self.row = row
    self.serial = serial
  }
}

/// The end of a stream by itself.
package enum StreamEnd: Hashable, Sendable {
  case ended
  case failed(FailureCause)
}

/// The engine's state of a row that listens to its stream, or is about to.
package struct StreamState: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// The stream opens once fewer than the limit are open.
    case queued
    case open
    /// The stream failed, or the tracker was suspended. It opens at that time.
    case paused(until: Int64)
    /// The tracker is suspended.
    case suspended
    /// The stream has ended, and opens at the next display of its row.
    case ended
    /// The stream failed, and opens at the next display of its row.
    case failed
  }

  package internal(set) var stage = Stage.queued
  var serial: UInt32 = 0
  package internal(set) var openedAt: Int64 = 0
  /// The load whose operation has opened the stream.
  package internal(set) var opener: RunID?
  /// The load whose first value the stream still owes.
  package internal(set) var owedLoad: UInt64?
  /// Whether a value has arrived since the stream opened.
  package internal(set) var hasElement = false
  /// The time at which its newest element is committed.
  package internal(set) var due: Int64?
  /// The time at which the element before that was due.
  var lastDue: Int64 = 0
  /// An end that the turn has yet to evaluate.
  package internal(set) var end: StreamEnd?
  /// The time at which the stream ends, since no cell displays the row.
  package internal(set) var graceEnd: Int64?
  /// The number of failures in a row, and the delay after the last one.
  package internal(set) var failures = 0
  var lastDelay: Int64 = 0
  /// Whether the return of the network may cure the last failure.
  var isConnectivity = false

  /// The time at which the stage changes without an input.
  func nextChange(timeout: Int64?) -> Int64 {
    var first = graceEnd ?? .max
    if case .paused(let end) = stage { first = min(first, end) }
    if owedLoad != nil, let timeout { first = min(first, openedAt + timeout) }
    return first
  }

  /// The time at which an element that arrives now is committed.
  ///
  /// The first one is committed at once, the others at whole multiples of the interval, so that
  /// rows are rendered together.
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
