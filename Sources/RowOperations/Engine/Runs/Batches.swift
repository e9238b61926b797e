/// The rows of each batch, and why they keep it.
///
/// Calls are O(1) unless they say otherwise.
package struct Batches: Sendable {
  /// Why a row keeps its batch, or that it does not.
  package enum Standing: UInt8, Sendable {
    case displayed
    case landing
    case prefetched
    /// In a covered list, the row keeps its load.
    case covered
    /// Without its last claim, the row joins again with the next one.
    case left
    case gone
  }

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
    /// A standing has changed since the batch was last looked at.
    var isChanged = false
  }

  private struct Membership: Sendable {
    var batch = RunID.none
    /// In the request.
    var place: Int32 = 0
    var standing = Standing.gone
  }

  private var batches: [RunID: Batch] = [:]
  /// By the number of the member.
  private var memberships: ContiguousArray<Membership> = []

  init() {}

  /// Those that have not ended.
  package var count: Int { batches.count }

  // MARK: Members

  /// All rows have a claim.
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

  /// In the order of the request; O(rows).
  mutating func setMembers(of batch: RunID, _ members: [RunID]) {
    batches[batch]?.members = members
    for (place, run) in members.enumerated() { memberships[Int(run.index)].place = Int32(place) }
  }

  /// In the order of the request; none after its end.
  package func members(of batch: RunID) -> [RunID] { batches[batch]?.members ?? [] }

  /// Until the member is forgotten.
  package func batch(of member: RunID) -> RunID { memberships[Int(member.index)].batch }

  /// In the request.
  package func place(of member: RunID) -> Int { Int(memberships[Int(member.index)].place) }

  /// Members are still known by their places.
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

  /// A standing has changed since the last call.
  mutating func takeChange(of batch: RunID) -> Bool {
    guard batches[batch]?.isChanged == true else { return false }
    batches[batch]?.isChanged = false
    return true
  }

  /// The strongest of its rows.
  package func claim(of batch: RunID) -> ClaimKind? { batches[batch]?.tally.claim }

  package func isKept(_ batch: RunID) -> Bool { batches[batch]?.tally.isKept == true }

  /// No row waits for the batch or may join it again.
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
  package var standing: Batches.Standing {
    if let claim { return Batches.Standing(claim.kind) }
    return covers > 0 ? .covered : .left
  }
}
