/// An event of a row.
public struct TrackerEvent<Row: Hashable & Sendable>: Sendable {
  /// The kind of the event.
  public typealias Kind = TrackerEventKind

  /// The row.
  public let row: Row
  /// The kind of the event.
  public let kind: Kind
  /// The time since the tracker was made, on its clock.
  public let time: Duration

  /// Makes an event, for tests and for code that reports its own loads.
  public init(row: Row, kind: Kind, time: Duration) {
    self.row = row
    self.kind = kind
    self.time = time
  }
}

/// The kind of a ``TrackerEvent``, the same for rows of any type.
public enum TrackerEventKind: Sendable {
  /// A cell of the row came on screen.
  case displayed
  /// A cell of the row left the screen.
  case endedDisplaying
  /// The row got a prefetch claim.
  case prefetched
  /// The list will rest with the row on screen.
  ///
  /// A suspended tracker does not claim the row.
  case landing
  /// The row waits to be loaded.
  case waiting
  /// The row no longer waits: it lost its last claim, or its value came from the app.
  case leftWaiting
  /// The load with this generation is one of a batch.
  ///
  /// Reported right before its start.
  case joined(UInt64, batch: UInt64)
  /// An operation with this generation was started.
  case started(UInt64)
  /// The operation was in a stage, from `since` until the time of the event.
  ///
  /// Reported at the end of the operation, before its outcome.
  case ran(UpdateStage, UInt64, since: Duration)
  /// The value was committed.
  case finished(UInt64)
  /// The operation failed or timed out.
  ///
  /// Cancelled operations do not report it.
  case failed(UInt64, any Error)
  case cancelled(UInt64)
  /// The body of a cancelled operation ended, in that stage.
  case stopped(UInt64, at: UpdateStage?)
  /// A value arrived too late and was dropped.
  case refused(UInt64)
  /// The value was dropped.
  case evicted
  /// The row listens to its stream of updates.
  case listening
  /// The row listens no longer.
  case stoppedListening
}
