/// Whether a server redirects all rows to one document, or at least to one path.
struct SharedRedirect: Sendable {
  private var first: (address: String, fingerprint: Fingerprint)?
  private var rows: Set<Int> = []
  private var redirectedRows: Set<Int> = []
  private var isShared = true
  private var isPathShared = true

  mutating func add(
    _ document: RowDocument, requestedAt address: String, redirectedTo target: String?
  ) {
    guard isPathShared else { return }
    rows.insert(document.row)
    if target != nil { redirectedRows.insert(document.row) }
    let address = target ?? address
    guard let first else {
      first = (address, document.fingerprint)
      return
    }
    isPathShared = Self.path(address) == Self.path(first.address)
    // The document of a login may have the time in it, and its address the row in the query.
    let isSame = address == first.address || document.fingerprint == first.fingerprint
    isShared = isShared && isPathShared && isSame
  }

  /// The address of the document; `nil` if there are several, or too few rows.
  var sharedTarget: String? {
    // The row whose own document it is needs no redirect.
    isShared && redirectedRows.count >= rows.count - 1 ? path : nil
  }

  /// The path of several documents that differ in the query; `nil` if they differ in more, or if
  /// there are too few rows.
  var sharedPath: String? { !isShared && redirectedRows.count == rows.count ? path : nil }

  private var path: String? {
    guard isPathShared, rows.count >= SharedDocument.fewestRows else { return nil }
    return first.map { Self.path($0.address) }
  }

  /// The address up to its query.
  private static func path(_ address: String) -> String {
    String(address.prefix { $0 != "?" && $0 != "#" })
  }
}
