/// What depends on the types of rows and values: the only generic code below a tracker's public
/// face.
///
/// The closures are made in an inlinable initialiser, so that they are compiled for the app's
/// types.
@MainActor
@usableFromInline
struct TrackerLeaves {
  /// Forgets the names of rows.
  @usableFromInline let forgetRows: @MainActor ([RowID]) -> Void
  /// Forgets which resources loads are of.
  @usableFromInline let forgetLoads: @MainActor ([LoadID]) -> Void
  /// Looks a row up in the app's cache, and keeps the value if it is accepted.
  ///
  /// Returns whether the cache had a value.
  @usableFromInline let lookUp: @MainActor (RowID, LoadID, @MainActor (Int) -> Bool) -> Bool
  /// Has the app make an operation; `nil` if there is nothing to load.
  @usableFromInline let make: @MainActor (RowID, UInt64) -> (any TrackedUpdate)?
  /// Hands over what an operation ended with, and keeps a value that is accepted.
  ///
  /// Is given whether the load waits for it. Returns the error if it failed.
  @usableFromInline let end:
    @MainActor (any TrackedUpdate, LoadID, Bool, @MainActor (TrackerEngine.Outcome) -> Bool)
      -> (any Error)?
  /// Takes what an operation shows before its end.
  ///
  /// Returns whether it has shown a value; `nil` if there is nothing new.
  @usableFromInline let step: @MainActor (any TrackedUpdate, LoadID) -> Bool?
  @usableFromInline let dropStep: @MainActor (LoadID) -> Void
  /// The numbers of the rows at some places of an order, new ones for rows that are not known.
  @usableFromInline let rowsAt: @MainActor (TrackerEngine.ListNumber, [Int]) -> [RowID]
  @usableFromInline let dropValue: @MainActor (LoadID) -> Void
  /// Releases what was dropped.
  ///
  /// Returns whether there was anything.
  @usableFromInline let releaseGarbage: @MainActor () -> Bool
  /// Calls `onEvent`, with the operation and the error that the event is about.
  @usableFromInline let report:
    @MainActor (TrackerEngine.Report, (any TrackedUpdate)?, (any Error)?) -> Void
  /// Calls `onCommit`.
  @usableFromInline let committed: @MainActor ([RowID]) -> Void
  /// Nothing more comes of a row without another event.
  @usableFromInline let rowCompleted: @MainActor (RowID) -> Void

  @inlinable
  init(
    forgetRows: @escaping @MainActor ([RowID]) -> Void,
    forgetLoads: @escaping @MainActor ([LoadID]) -> Void,
    lookUp: @escaping @MainActor (RowID, LoadID, @MainActor (Int) -> Bool) -> Bool,
    make: @escaping @MainActor (RowID, UInt64) -> (any TrackedUpdate)?,
    end:
      @escaping @MainActor (
        any TrackedUpdate, LoadID, Bool, @MainActor (TrackerEngine.Outcome) -> Bool
      ) -> (any Error)?,
    step: @escaping @MainActor (any TrackedUpdate, LoadID) -> Bool?,
    dropStep: @escaping @MainActor (LoadID) -> Void,
    rowsAt: @escaping @MainActor (TrackerEngine.ListNumber, [Int]) -> [RowID],
    dropValue: @escaping @MainActor (LoadID) -> Void,
    releaseGarbage: @escaping @MainActor () -> Bool,
    report:
      @escaping @MainActor (
        TrackerEngine.Report, (any TrackedUpdate)?, (any Error)?
      ) -> Void,
    committed: @escaping @MainActor ([RowID]) -> Void,
    rowCompleted: @escaping @MainActor (RowID) -> Void
  ) {
    self.forgetRows = forgetRows
    self.forgetLoads = forgetLoads
    self.lookUp = lookUp
    self.make = make
    self.end = end
    self.step = step
    self.dropStep = dropStep
    self.rowsAt = rowsAt
    self.dropValue = dropValue
    self.releaseGarbage = releaseGarbage
    self.report = report
    self.committed = committed
    self.rowCompleted = rowCompleted
  }
}
