/// The kinds of claims, the strongest first.
package enum ClaimKind: UInt8, Comparable, Sendable {
  case displayed
  case landing
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
