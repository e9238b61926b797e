/// The engine's state of an operation, from its admission to its end.
package struct RunState: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// The slot is reserved, and the operation not yet made.
    case admitted
    /// The row waits for this operation.
    case current
    /// The tracker no longer waits for the operation; its body lingers until it ends.
    case cancelled
    /// As `cancelled`, after a timeout that counts as a failure.
    case timedOut
    case ended
  }

  enum Role: Hashable, Sendable {
    case single
    /// Several rows, each with a run of the role `member`.
    case batch
    /// One row, with the operation and slot of its batch, and its place in the request.
    case member(of: RunID, place: Int32)

    @inline(__always) var isMember: Bool {
      if case .member = self { true } else { false }
    }
  }

  /// `none` for a batch.
  package let row: RowID
  var role: Role
  package let generation: UInt64
  let startedAt: Int64
  package internal(set) var stage = Stage.admitted
  /// The row was invalidated during the run: the value is stale on arrival.
  var isOutdated = false
  /// The row's strongest one; `prefetched` without any.
  package internal(set) var claim: ClaimKind
  package internal(set) var isPrefetch: Bool
  /// The run is cancelled then unless a row claims it.
  var graceEnd: Int64?

  init(
    row: RowID, role: Role = .single, claim: ClaimKind, generation: UInt64, startedAt: Int64
  ) {
    self.row = row
    self.role = role
    self.claim = claim
    self.generation = generation
    self.startedAt = startedAt
    isPrefetch = claim == .prefetched && !role.isMember
  }

  @inline(__always) package var isMember: Bool { role.isMember }

  /// The row's place in the request of its batch.
  package var place: Int {
    if case .member(_, let place) = role { Int(place) } else { 0 }
  }

  /// The operation was cancelled, and its body has not ended.
  @inline(__always) var isLingering: Bool { stage == .cancelled || stage == .timedOut }
}
