/// The kinds of claims, the strongest first.
package enum ClaimKind: UInt8, Comparable, Sendable {
  /// Displayed for much longer than a load takes.
  ///
  /// Only admissions use this kind.
  case staying
  case landing
  case displayed
  case prefetched

  package static func < (a: ClaimKind, b: ClaimKind) -> Bool { a.rawValue < b.rawValue }
}

/// A reason to load a row.
///
/// The smallest is the strongest.
package struct Claim: Hashable, Comparable, Sendable {
  package let kind: ClaimKind
  /// Grows with the time of the row's display or of the landing.
  ///
  /// Among prefetched rows, the next to come on screen or the newest has the smallest rank.
  package let rank: UInt64

  package static func < (a: Claim, b: Claim) -> Bool { (a.kind, a.rank) < (b.kind, b.rank) }
}

/// The strength of the claim of a load that waits for a stage.
///
/// The smallest goes first.
package struct StageClaim: Hashable, Comparable, Sendable {
  package let kind: ClaimKind
  /// Small for rows of the newest turn while the list moves, and 0 at rest.
  package let pass: UInt64
  package let rank: UInt64

  package static func < (a: StageClaim, b: StageClaim) -> Bool {
    (a.kind, a.pass, a.rank) < (b.kind, b.pass, b.rank)
  }
}
