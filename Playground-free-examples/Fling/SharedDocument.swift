/// Whether a server answers all rows with one document, byte for byte.
struct SharedDocument: Sendable {
  /// The fewest rows that show that the document does not depend on the row.
  static let fewestRows = 3

  private var first: Fingerprint?
  private var rows: Set<Int> = []
  private var isSame = true

  mutating func add(_ document: RowDocument) {
    guard isSame else { return }
    if rows.count < Self.fewestRows { rows.insert(document.row) }
    isSame = document.fingerprint == first ?? document.fingerprint
    first = document.fingerprint
  }

  /// Whether all documents so far are one, of enough rows.
  var isShared: Bool { isSame && rows.count == Self.fewestRows }
}
