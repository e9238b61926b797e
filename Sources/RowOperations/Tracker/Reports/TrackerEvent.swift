/// Something that happened to a row of a ``DisplayTracker``.
public struct TrackerEvent<Row: Hashable & Sendable>: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// A cell that shows the row came on screen.
    case displayed
    /// A cell that shows the row left the screen.
    case endedDisplaying
    /// The row is claimed by prefetching.
    case prefetched
    /// The list will come to rest with the row on screen; it is not claimed if the tracker is
    /// suspended.
    case landing
    /// The row waits to be loaded.
    case waiting
    /// The row waits no longer and is not loaded: it lost its last claim, or its value came from
    /// elsewhere, or another row that shares its load is loaded for it.
    case leftWaiting
    /// An operation was started; its generation.
    case started(UInt64)
    /// The operation was in a stage, from that time until the event's.
    ///
    /// Told when the operation has come to its end, before what it came to: its time lies in the
    /// past.
    case ran(UpdateStage, UInt64, since: Duration)
    /// The value was committed; of rows that share a load, told of the one in whose name it ran.
    case finished(UInt64)
    /// The operation failed, or took too long; not told for cancelled ones.
    case failed(UInt64, any Error)
    /// The operation was cancelled.
    case cancelled(UInt64)
    /// A cancelled operation has come to its end, in that stage.
    case stopped(UInt64, at: UpdateStage?)
    /// A value came too late and was dropped.
    case refused(UInt64)
    /// The value is no longer kept; not told if all rows that shared it are gone.
    case evicted

    @available(*, deprecated, renamed: "stopped(_:at:)")
    public static func unwound(_ generation: UInt64, at stage: UpdateStage?) -> Kind {
      .stopped(generation, at: stage)
    }
  }

  /// Which row.
  public let row: Row
  /// What happened.
  public let kind: Kind
  /// When, since the tracker was made, on its clock.
  public let time: Duration

  /// Makes an event, for tests of what handles them, and for lists that keep books of their own.
  public init(row: Row, kind: Kind, time: Duration) {
    self.row = row
    self.kind = kind
    self.time = time
  }
}
