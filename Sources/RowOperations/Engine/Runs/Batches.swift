/// The rows of each load that has several, and why these rows keep it.
///
/// Every call is O(1) unless it says otherwise.
package struct Batches: Sendable {
  /// The reason for which a row keeps its batch, or that it does not.
  package enum Standing: UInt8, Sendable {
    case displayed
    case landing
    case prefetched
    /// The row is in a covered list, and keeps its load.
    case covered
    /// The row has lost its last claim, and joins again with the next one.
    case left
    /// The row waits for the batch no longer.
    case gone
  }

  /// The rows of a batch, by their standing.
  private struct Tally: Hashable, Sendable {
    private var displayed: Int32 = 0
    private var landing: Int32 = 0
    private var prefetched: Int32 = 0
    private var covered: Int32 = 0
    private var left: Int32 = 0

    mutating func change(_ standing: Standing, by change: Int32) {
      switch standing {
      case .displayed: displayed += change
      case .landing: landing += change
      case .prefetched: prefetched += change
      case .covered: covered += change
      case .left: left += change
      case .gone: break
      }
    }

    var claim: ClaimKind? {
      if displayed > 0 { return .displayed }
      if landing > 0 { return .landing }
      return prefetched > 0 ? .prefetched : nil
    }

    var isKept: Bool { claim != nil || covered > 0 }

    var isEmpty: Bool { !isKept && left == 0 }
  }

  private struct Batch: Sendable {
    /// In the order of the request.
    var members: [RunID]
    var tally = Tally()
    /// Whether a standing has changed since the batch was last looked at.
    var isChanged = false
  }

  private struct Membership: Sendable {
    var batch = RunID.none
    /// The place of the row in the request.
    var place: Int32 = 0
    var standing = Standing.gone
  }

  private var batches: [RunID: Batch] = [:]
  /// By the number of the member.
  private var memberships: ContiguousArray<Membership> = []

  init() {}

  /// The number of batches that have not ended.
  package var count: Int { batches.count }

  // MARK: Members

  /// Begins a batch with rows that have a claim.
  mutating func begin(_ batch: RunID, _ members: [(run: RunID, claim: ClaimKind)]) {
    batches[batch] = Batch(members: [])
    for (run, claim) in members {
      if memberships.count <= Int(run.index) {
        memberships.extend(to: Int(run.index), with: Membership())
      }
      memberships[Int(run.index)] = Membership(batch: batch)
      setStanding(of: run, Standing(claim))
    }
    setMembers(of: batch, members.map(\.run))
  }

  /// Sets the rows of the request, in their order.
  ///
  /// O(rows).
  mutating func setMembers(of batch: RunID, _ members: [RunID]) {
    batches[batch]?.members = members
    for (place, run) in members.enumerated() { memberships[Int(run.index)].place = Int32(place) }
  }

  /// The rows of a batch in the order of its request; none after its end.
  package func members(of batch: RunID) -> [RunID] { batches[batch]?.members ?? [] }

  /// The batch of a member, until the member is forgotten.
  package func batch(of member: RunID) -> RunID { memberships[Int(member.index)].batch }

  /// The place of a member in the request.
  package func place(of member: RunID) -> Int { Int(memberships[Int(member.index)].place) }

  /// Ends a batch, whose members are still known by their places.
  mutating func end(_ batch: RunID) { batches[batch] = nil }

  mutating func releaseMemory() {
    if batches.isEmpty { memberships.releaseMemory() }
  }

  // MARK: Standings

  package func standing(of member: RunID) -> Standing { memberships[Int(member.index)].standing }

  mutating func setStanding(of member: RunID, _ standing: Standing) {
    let old = memberships[Int(member.index)]
    guard old.standing != standing else { return }
    memberships[Int(member.index)].standing = standing
    batches[old.batch]?.tally.change(old.standing, by: -1)
    batches[old.batch]?.tally.change(standing, by: 1)
    batches[old.batch]?.isChanged = true
  }

  /// Whether a standing has changed since the last call.
  mutating func takeChange(of batch: RunID) -> Bool {
    guard batches[batch]?.isChanged == true else { return false }
    batches[batch]?.isChanged = false
    return true
  }

  /// The strongest claim of a batch's rows.
  package func claim(of batch: RunID) -> ClaimKind? { batches[batch]?.tally.claim }

  /// Whether any row keeps a batch.
  package func isKept(_ batch: RunID) -> Bool { batches[batch]?.tally.isKept == true }

  /// Whether no row waits for a batch, nor may join it again.
  package func isEmpty(_ batch: RunID) -> Bool { batches[batch]?.tally.isEmpty ?? true }
}

extension Batches.Standing {
  init(_ claim: ClaimKind) {
    switch claim {
    case .displayed: self = .displayed
    case .landing: self = .landing
    case .prefetched: self = .prefetched
    }
  }
}

extension RowState {
  /// What the row is to a batch that loads it.
  package var standing: Batches.Standing {
    if let claim { return Batches.Standing(claim.kind) }
    return covers > 0 ? .covered : .left
  }
}
