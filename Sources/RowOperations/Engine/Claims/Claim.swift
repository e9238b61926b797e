/// The kinds of claims, the strongest first.
package enum ClaimKind: UInt8, Comparable, Sendable {
  case displayed
  case landing
  case prefetched

  /// Among equally urgent rows: those on screen, then near ones, then those where a list lands.
  var placeInLine: Int {
    switch self {
    case .displayed: 0
    case .prefetched: 1
    case .landing: 2
    }
  }

  package static func < (a: ClaimKind, b: ClaimKind) -> Bool { a.rawValue < b.rawValue }
}

/// A reason to load a row; the smallest is the strongest.
package struct Claim: Hashable, Comparable, Sendable {
  package let kind: ClaimKind
  /// Grows with the time of the display or landing.
  ///
  /// Among prefetched rows, the next on screen or the newest has the smallest rank.
  let rank: UInt64

  package static func < (a: Claim, b: Claim) -> Bool { (a.kind, a.rank) < (b.kind, b.rank) }

  /// Whether the row goes before another one that is as urgent.
  func goesBefore(_ other: Claim) -> Bool {
    (kind.placeInLine, rank) < (other.kind.placeInLine, other.rank)
  }
}
