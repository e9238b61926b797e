import Foundation

/// The closures that depend on the types of rows and values.
///
/// Beside those of batches, orders, renderers and impressions, it is all the generic code in turns.
///
/// An inlinable initialiser compiles them for the app's types.
@frozen
@MainActor
@usableFromInline
struct TrackerClosures {
  @usableFromInline let forgetRows: @MainActor ([RowID]) -> Void
  /// Keeps an accepted value of the app's cache; returns whether there was one.
  @usableFromInline let lookUp: @MainActor (RowID, @MainActor (Int) -> Bool) -> Bool
  /// `nil` if there is nothing to load.
  @usableFromInline let make: @MainActor (RowID, UInt64) -> (any TrackedUpdate)?
  /// Passes on the outcome of an operation, and keeps an accepted value.
  ///
  /// The flag says whether the row waits; returns the error of a failure.
  @usableFromInline let end:
    @MainActor (any TrackedUpdate, RowID, Bool, @MainActor (TrackerEngine.Outcome) -> Bool)
      -> (any Error)?
  /// Returns whether the step has a value; `nil` if there is nothing new.
  @usableFromInline let step: @MainActor (any TrackedUpdate, RowID) -> Bool?
  /// `nil` if the app has no stream.
  @usableFromInline let openStream: @MainActor (RowID, QualityOfService) -> LiveStream?
  /// Keeps the newest element of a stream if it is accepted.
  @usableFromInline let takeElement:
    @MainActor (LiveStream, RowID, @MainActor (Int) -> Bool) -> Void
  @usableFromInline let isRetryable: @MainActor (any Error) -> Bool
  @usableFromInline let dropStep: @MainActor (RowID) -> Void
  @usableFromInline let dropValue: @MainActor (RowID) -> Void
  /// Releases dropped objects; returns whether there were any.
  @usableFromInline let releaseDiscarded: @MainActor () -> Bool
  /// With the operation and the error that the event is about.
  @usableFromInline let report:
    @MainActor (TrackerEngine.Report, (any TrackedUpdate)?, (any Error)?) -> Void
  @usableFromInline let committed: @MainActor ([RowID]) -> Void
  @usableFromInline let batches: BatchClosures?

  @inlinable
  init(
    forgetRows: @escaping @MainActor ([RowID]) -> Void,
    lookUp: @escaping @MainActor (RowID, @MainActor (Int) -> Bool) -> Bool,
    make: @escaping @MainActor (RowID, UInt64) -> (any TrackedUpdate)?,
    end:
      @escaping @MainActor (
        any TrackedUpdate, RowID, Bool, @MainActor (TrackerEngine.Outcome) -> Bool
      ) -> (any Error)?,
    step: @escaping @MainActor (any TrackedUpdate, RowID) -> Bool?,
    openStream: @escaping @MainActor (RowID, QualityOfService) -> LiveStream?,
    takeElement: @escaping @MainActor (LiveStream, RowID, @MainActor (Int) -> Bool) -> Void,
    isRetryable: @escaping @MainActor (any Error) -> Bool,
    dropStep: @escaping @MainActor (RowID) -> Void,
    dropValue: @escaping @MainActor (RowID) -> Void,
    releaseDiscarded: @escaping @MainActor () -> Bool,
    report:
      @escaping @MainActor (
        TrackerEngine.Report, (any TrackedUpdate)?, (any Error)?
      ) -> Void,
    committed: @escaping @MainActor ([RowID]) -> Void,
    batches: BatchClosures? = nil
  ) {
    self.forgetRows = forgetRows
    self.lookUp = lookUp
    self.make = make
    self.end = end
    self.step = step
    self.openStream = openStream
    self.takeElement = takeElement
    self.isRetryable = isRetryable
    self.dropStep = dropStep
    self.dropValue = dropValue
    self.releaseDiscarded = releaseDiscarded
    self.report = report
    self.committed = committed
    self.batches = batches
  }
}
