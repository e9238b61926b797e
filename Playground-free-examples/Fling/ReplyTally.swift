/// The replies that rows received.
struct ReplyTally: Sendable {
  /// Of complete replies, whatever they hold.
  var bytes = 0
  /// With `--live`: the changes of rows on screen.
  var changes = 0
  /// Documents with the number of the row that requested them.
  private(set) var namingOwnRow = 0
  /// Documents with the number of another row.
  private(set) var namingAnotherRow = 0
  /// The first of these.
  private(set) var misnamed: MisnamedReply?
  /// By how much the numbers of those differ from those of their rows.
  private var differences: Set<Int> = []
  /// The numbers in those, on the server.
  private var otherNumbers: Set<Int> = []
  /// By the documents without a number, and with that of another row.
  var numbers = LikelyNumbers()
  private var redirects = SharedRedirect()
  private var documents = LastDocuments()

  /// - Parameters:
  ///   - first: The number of the first row on the server.
  ///   - address: Where the row was requested.
  ///   - target: Where the document came from, if the request was redirected.
  mutating func add(
    _ document: RowDocument, first: Int = 0, requestedAt address: String,
    redirectedTo target: String? = nil
  ) {
    documents.add(document)
    redirects.add(document, requestedAt: address, redirectedTo: target)
    guard let named = document.namedRow else { return }
    guard document.namesAnotherRow else {
      namingOwnRow += 1
      return
    }
    namingAnotherRow += 1
    // Two are enough to show that it varies.
    if differences.count < 2 { differences.insert(named &- document.row) }
    if otherNumbers.count < 2 { otherNumbers.insert(named &+ first) }
    misnamed =
      misnamed
      ?? MisnamedReply(
        row: document.row, number: document.row + first, namedNumber: named &+ first,
        redirectedTo: target)
  }

  /// The difference, if several documents name another row and it is the same in all of them.
  var difference: Int? {
    namingAnotherRow > 1 && differences.count == 1 ? differences.first : nil
  }

  /// The address of the one document that all rows were redirected to; `nil` if there is none.
  var sharedTarget: String? { redirects.sharedTarget }

  /// The document that more rows have than any other; `nil` if too few have it.
  var sharedDocument: SharedDocument? { documents.shared }

  /// The rows whose document has no number.
  var withoutNumber: (count: Int, first: Int)? { documents.withoutNumber }

  /// The number in all documents of other rows, if it is the same in several.
  var onlyNumber: Int? {
    namingAnotherRow > 1 && otherNumbers.count == 1 ? otherNumbers.first : nil
  }

  /// The path of all redirects, if they differ in the query; `nil` if they differ in more.
  var sharedPath: String? { redirects.sharedPath }
}

/// A document with the number of another row than the one that requested it.
struct MisnamedReply: Encodable, Equatable, Sendable {
  /// The row in the list, which counts from 0.
  let row: Int
  /// The row's number on the server.
  let number: Int
  /// The number in the document.
  let namedNumber: Int
  /// The address of the document, if the request was redirected.
  let redirectedTo: String?
}
