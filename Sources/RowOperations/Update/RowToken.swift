/// A row and the number of one of its updates.
///
/// A row's identity is its name in your model, such as an id or a URL, never an index path, which
/// may change while an update runs. An older generation can be refused.
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
