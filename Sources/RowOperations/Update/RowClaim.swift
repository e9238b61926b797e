/// Why a row loads.
///
/// Of several reasons, the first in this list counts.
public enum RowClaim: Hashable, Sendable {
  /// A cell on screen shows the row.
  case displayed
  /// The list is expected to rest on the row.
  case landing
  /// The row is loaded ahead.
  ///
  /// So is a row that has left the screen, until its grace ends, and a row in a covered list.
  case prefetched

  init(_ kind: ClaimKind) {
    switch kind {
    case .displayed: self = .displayed
    case .landing: self = .landing
    case .prefetched: self = .prefetched
    }
  }
}
