/// Which row an update is for, and which of the row's updates it is.
///
/// A row's identity is what your model calls it (an id, a URL), never an index path: index paths
/// change while an update is on its way. The generation tells a row's updates apart, so that one
/// that was overtaken can be told from the newest and refused.
public struct RowToken<Row: Hashable & Sendable>: Hashable, Sendable {
  /// The row's identity.
  public let row: Row
  /// Grows with each update of the row.
  public let generation: UInt64

  /// Makes a token.
  public init(row: Row, generation: UInt64) {
    self.row = row
    self.generation = generation
  }
}
