/// Rows that a server answered with one document, byte for byte.
struct SharedDocument: Encodable, Equatable, Sendable {
  /// The fewest rows that show that a document does not depend on the row.
  static let fewestRows = 3

  /// How many rows got it.
  let rows: Int
  /// The lowest of them.
  let firstRow: Int
  /// Whether all rows got it.
  let isOnlyOne: Bool
  /// Whether more rows got it than got other documents, and five at least.
  let isForMost: Bool
}

/// The last document of each row.
struct LastDocuments: Sendable {
  private var documents: [Int: Fingerprint] = [:]
  private var unnumbered: Set<Int> = []

  mutating func add(_ document: RowDocument) {
    documents[document.row] = document.fingerprint
    if document.namedRow == nil {
      unnumbered.insert(document.row)
    } else {
      unnumbered.remove(document.row)
    }
  }

  /// The rows whose document has no number.
  var withoutNumber: (count: Int, first: Int)? {
    unnumbered.min().map { (unnumbered.count, $0) }
  }

  /// The document that more rows have than any other; `nil` if too few have it.
  var shared: SharedDocument? {
    let rows = Dictionary(grouping: documents.keys) { documents[$0] }.values
    guard
      let largest = rows.max(by: { ($0.count, $1.min() ?? 0) < ($1.count, $0.min() ?? 0) }),
      largest.count >= SharedDocument.fewestRows, let first = largest.min()
    else { return nil }
    return SharedDocument(
      rows: largest.count, firstRow: first, isOnlyOne: largest.count == documents.count,
      isForMost: largest.count >= 5 && 2 * largest.count > documents.count)
  }
}
