/// Why a row loads.
///
/// Of several reasons, the first in this list counts.
public enum RowClaim: Hashable, Sendable {
  /// A cell on screen shows the row.
  case displayed
  /// The list is expected to rest on the row.
  case landing
  /// The row is loaded ahead, is in its grace after it left the screen, or is in a covered list.
  case prefetched

  init(_ kind: ClaimKind) {
    switch kind {
    case .displayed: self = .displayed
    case .landing: self = .landing
    case .prefetched: self = .prefetched
    }
  }
}
