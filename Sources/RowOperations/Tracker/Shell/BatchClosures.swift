/// The closures of a tracker with batches that depend on the types of rows and values, as
/// ``TrackerClosures``.
///
/// An object, so that a tracker without batches checks one word (figure B13).
@MainActor
@usableFromInline
final class BatchClosures {
  /// Makes the operation of a batch.
  let make: @MainActor ([RowID], UInt64) -> any TrackedUpdate
  /// Passes on the cost of a row's value in an answer, and keeps an accepted value.
  ///
  /// The number is the row's place in the request.
  let take: @MainActor (any TrackedUpdate, Int, RowID, @MainActor (Int) -> Bool) -> Void
  /// Passes on the outcome of a batch.
  ///
  /// The flag says whether rows wait for the operation. Returns the error of a failure.
  let end:
    @MainActor (any TrackedUpdate, Bool, @MainActor (TrackerEngine.Outcome) -> Void)
      -> (any Error)?
  /// Takes the newest progress of a batch for these rows.
  ///
  /// Returns whether there was anything new.
  let step: @MainActor (any TrackedUpdate, [RowID]) -> Bool
  /// Calls `onEvent` for a row of a batch.
  let report: @MainActor (BatchReport) -> Void
  /// The texts of the rows of a batch, for people.
  let names: @MainActor (any TrackedUpdate) -> [String]

  @usableFromInline
  init(
    make: @escaping @MainActor ([RowID], UInt64) -> any TrackedUpdate,
    take:
      @escaping @MainActor (any TrackedUpdate, Int, RowID, @MainActor (Int) -> Bool) -> Void,
    end:
      @escaping @MainActor (
        any TrackedUpdate, Bool, @MainActor (TrackerEngine.Outcome) -> Void
      ) -> (any Error)?,
    step: @escaping @MainActor (any TrackedUpdate, [RowID]) -> Bool,
    report: @escaping @MainActor (BatchReport) -> Void,
    names: @escaping @MainActor (any TrackedUpdate) -> [String]
  ) {
    self.make = make
    self.take = take
    self.end = end
    self.step = step
    self.report = report
    self.names = names
  }
}

/// An event of a row of a batch.
@MainActor
@usableFromInline
struct BatchReport {
  let report: TrackerEngine.Report
  let operation: any TrackedUpdate
  /// The row's place in the request, and the generation of its load.
  let place: Int
  let generation: UInt64
  /// The error of a failure that the operation does not have.
  let error: (any Error)?
}
