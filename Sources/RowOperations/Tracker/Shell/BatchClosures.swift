/// The closures of batches that depend on the types of rows and values, as ``TrackerClosures``.
///
/// An object, so that a tracker without batches checks one word (figure B13).
@MainActor
@usableFromInline
final class BatchClosures {
  let make: @MainActor ([RowID], UInt64) -> any TrackedUpdate
  /// Passes on the cost of a row's value in an answer, and keeps an accepted value.
  ///
  /// The number is the row's place in the request.
  let take: @MainActor (any TrackedUpdate, Int, RowID, @MainActor (Int) -> Bool) -> Void
  /// Passes on the outcome of a batch.
  ///
  /// The flag says whether rows wait; returns the error of a failure.
  let end:
    @MainActor (any TrackedUpdate, Bool, @MainActor (TrackerEngine.Outcome) -> Void)
      -> (any Error)?
  /// Takes the newest progress for these rows; returns whether there was any.
  let step: @MainActor (any TrackedUpdate, [RowID]) -> Bool
  let report: @MainActor (BatchReport) -> Void
  /// For people.
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

@MainActor
@usableFromInline
struct BatchReport {
  let report: TrackerEngine.Report
  let operation: any TrackedUpdate
  /// The row's place in the request, and the generation of its load.
  let place: Int
  let generation: UInt64
  /// The error if the operation does not have it.
  let error: (any Error)?
}
