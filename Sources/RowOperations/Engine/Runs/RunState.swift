/// The engine's state of an operation, from its admission to its end.
@usableFromInline
package struct RunState: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// The slot is reserved, and the app's closure has not yet made the operation.
    case admitted
    /// The row waits for this operation.
    case current
    /// The tracker cancelled the operation and no longer waits for it.
    ///
    /// The body counts as lingering until it ends.
    case cancelled
    /// As `cancelled`, after a timeout that counts as a failure.
    case timedOut
    case ended
  }

  /// What the run is for.
  package enum Role: Hashable, Sendable {
    /// The operation of one row.
    case single
    /// The operation of several rows, each of which has a run of the role `member`.
    case batch
    /// A row of a batch, whose operation and slot are those of the batch.
    case member
  }

  /// The row; that of no row for a batch.
  package let row: RowID
  package let role: Role
  package let generation: UInt64
  package let startedAt: Int64
  package internal(set) var stage = Stage.admitted
  /// Whether the row was invalidated during the run, so that the value is stale on arrival.
  package internal(set) var isOutdated = false
  /// The strongest claim of the row; `prefetched` if the row has none.
  package internal(set) var claim: ClaimKind
  /// Whether the run is only a prefetch.
  package internal(set) var isPrefetch: Bool
  /// The time at which the run is cancelled unless a row claims it.
  package internal(set) var graceEnd: Int64?

  init(
    row: RowID, role: Role = .single, claim: ClaimKind, generation: UInt64, startedAt: Int64
  ) {
    self.row = row
    self.role = role
    self.claim = claim
    self.generation = generation
    self.startedAt = startedAt
    isPrefetch = claim == .prefetched && role != .member
  }

  /// Whether the tracker has cancelled the operation, and its body has not ended.
  @inline(__always) package var isLingering: Bool { stage == .cancelled || stage == .timedOut }
}
