import Foundation

/// The closures that depend on the types of rows and values.
///
/// Apart from those of batches, orders and renderers and from impressions, turns run no other
/// generic code.
///
/// They are made in an inlinable initialiser, so that they are compiled for the app's types.
@frozen
@MainActor
@usableFromInline
struct TrackerClosures {
  /// Forgets the names of rows.
  @usableFromInline let forgetRows: @MainActor ([RowID]) -> Void
  /// Looks a row up in the app's cache, and keeps an accepted value.
  ///
  /// Returns whether the cache had a value.
  @usableFromInline let lookUp: @MainActor (RowID, @MainActor (Int) -> Bool) -> Bool
  /// Calls the app to make an operation; `nil` if there is nothing to load.
  @usableFromInline let make: @MainActor (RowID, UInt64) -> (any TrackedUpdate)?
  /// Passes on the outcome of an operation, and keeps an accepted value.
  ///
  /// The flag says whether the row waits for the operation. Returns the error of a failure.
  @usableFromInline let end:
    @MainActor (any TrackedUpdate, RowID, Bool, @MainActor (TrackerEngine.Outcome) -> Bool)
      -> (any Error)?
  /// Takes the newest step of an operation.
  ///
  /// Returns whether it has shown a value; `nil` if there is nothing new.
  @usableFromInline let step: @MainActor (any TrackedUpdate, RowID) -> Bool?
  /// Calls the app to open a stream; `nil` if it has none.
  @usableFromInline let openStream: @MainActor (RowID, QualityOfService) -> LiveStream?
  /// Takes the newest element of a stream, and keeps it if it is accepted.
  @usableFromInline let takeElement:
    @MainActor (LiveStream, RowID, @MainActor (Int) -> Bool) -> Void
  /// Whether a row may be retried by itself after an error.
  @usableFromInline let isRetryable: @MainActor (any Error) -> Bool
  @usableFromInline let dropStep: @MainActor (RowID) -> Void
  @usableFromInline let dropValue: @MainActor (RowID) -> Void
  /// Releases dropped objects.
  ///
  /// Returns whether there was anything.
  @usableFromInline let releaseDiscarded: @MainActor () -> Bool
  /// Calls `onEvent`, with the operation and the error that the event is about.
  @usableFromInline let report:
    @MainActor (TrackerEngine.Report, (any TrackedUpdate)?, (any Error)?) -> Void
  /// Calls `onCommit`.
  @usableFromInline let committed: @MainActor ([RowID]) -> Void
  /// The closures of a tracker with batches.
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
