/// Whether a server redirects all rows to one document.
struct SharedRedirect: Sendable {
  /// The fewest rows that show that the target does not depend on the row.
  private static let fewestRows = 3

  private var first: (address: String, fingerprint: Fingerprint)?
  private var rows: Set<Int> = []
  private var redirectedRows: Set<Int> = []
  private var isShared = true

  mutating func add(
    _ document: RowDocument, requestedAt address: String, redirectedTo target: String?
  ) {
    guard isShared else { return }
    rows.insert(document.row)
    if target != nil { redirectedRows.insert(document.row) }
    let address = target ?? address
    guard let first else {
      first = (address, document.fingerprint)
      return
    }
    // The document of a login may have the time in it, and its address the row in the query.
    isShared =
      address == first.address
      || Self.path(address) == Self.path(first.address) && document.fingerprint == first.fingerprint
  }

  /// The address of the document; `nil` if there are several, or too few rows.
  var sharedTarget: String? {
    // The row whose own document it is needs no redirect.
    guard let first, isShared, rows.count >= Self.fewestRows,
      redirectedRows.count >= rows.count - 1
    else { return nil }
    return Self.path(first.address)
  }

  /// The address up to its query.
  private static func path(_ address: String) -> String {
    String(address.prefix { $0 != "?" && $0 != "#" })
  }
}
