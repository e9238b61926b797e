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
  private var redirects = SharedRedirect()

  /// - Parameters:
  ///   - first: The number of the first row on the server.
  ///   - address: Where the row was requested.
  ///   - target: Where the document came from, if the request was redirected.
  mutating func add(
    _ document: RowDocument, first: Int = 0, requestedAt address: String,
    redirectedTo target: String? = nil
  ) {
    redirects.add(document, requestedAt: address, redirectedTo: target)
    guard let named = document.namedRow else { return }
    guard document.namesAnotherRow else {
      namingOwnRow += 1
      return
    }
    namingAnotherRow += 1
    misnamed =
      misnamed
      ?? MisnamedReply(
        row: document.row, number: document.row + first, namedNumber: named &+ first,
        redirectedTo: target)
  }

  /// The address of the one document that all rows were redirected to; `nil` if there is none.
  var sharedTarget: String? { redirects.sharedTarget }
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
