import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where the rows come from, and how one is loaded.
struct RowSource: Sendable {
  /// How many rows there are.
  let count: Int
  let base: URL
  let path: String
  let content: Content
  /// How many loads run at once.
  let slots: Int
  /// The number of the first row on the server.
  let first: Int
  /// The field of a document that has the number of its row.
  let number: NumberField
  let headers: [RequestHeader]
  let limit: Int
  let session: URLSession
  let redirects: Redirects
  private let tally = Locked(ReplyTally())

  /// The replies so far.
  var replies: ReplyTally { tally.value }

  /// What a reply holds.
  enum Content: Sendable {
    /// Documents that the command's own server makes up, each with the number of its row.
    case madeUp
    /// With `--folder`: the files, one for each row.
    case files(ServedFiles)
    /// With `--origin`: any JSON objects.
    case foreign
  }

  /// With `--folder`: the files, one for each row.
  var files: ServedFiles? {
    if case .files(let files) = content { files } else { nil }
  }

  init(
    count: Int, base: URL, path: String, content: Content, slots: Int, first: Int = 0,
    number: NumberField = .row, headers: [RequestHeader] = [], live: Int = 0
  ) {
    self.count = count
    self.base = base
    self.path = path
    self.content = content
    self.slots = slots
    self.first = first
    self.number = number
    self.headers = headers
    var isForFiles = false
    if case .files = content { isForFiles = true }
    limit = ByteLimit(isForFiles: isForFiles, slots: slots).bytes
    let configuration = URLSessionConfiguration.ephemeral
    // Each live row has a request that waits.
    configuration.httpMaximumConnectionsPerHost = slots * 2 + live
    configuration.urlCache = nil
    // The tracker's timeout ends requests without a reply.
    configuration.timeoutIntervalForRequest = 600
    redirects = Redirects(from: base, headers)
    session = URLSession(configuration: configuration, delegate: redirects, delegateQueue: nil)
  }

  /// A row's update: fetch, then decode; the tracker applies.
  func update(_ context: UpdateContext<Int, RowDocument>) async throws -> RowDocument {
    let row = context.row
    let url = try url(of: row)
    let data: Data
    do {
      data = try await context.fetch(URLRequest(url, headers), from: session, limit: limit)
    } catch let error as OperationError where error.code == .tooLarge {
      throw ReplyTooLarge(limit: limit)
    } catch let error as URLError where FailureReason(error) == .headerTooLarge(hasCookies: false) {
      throw HeaderTooLarge(hasCookies: hasCookies)
    } catch let error as HTTPStatusError where error.status == 431 && hasCookies {
      throw CookiesTooLarge()
    } catch let error as HTTPStatusError where !error.isRedirect {
      guard let target = redirects.target(of: url) else { throw error }
      throw RedirectedStatus(error: error, place: target.place(from: base, number: row + first))
    }
    tally.change { $0.bytes += data.count }
    return try await context.stage(.decode) {
      guard files == nil else { return RowDocument(file: data, row: row) }
      let document = try document(data, row, at: url)
      let target = redirects.target(of: url)?.printable
      tally.change { tally in
        tally.add(document, first: first, requestedAt: url.printable, redirectedTo: target)
        if document.namedRow != row { tally.numbers.see(data, number: row + first) }
      }
      return document
    }
  }

  /// The changes of a row, one request after the other.
  ///
  /// The server holds each reply until the row changes.
  func updates(
    _ context: UpdateContext<Int, RowDocument>
  ) -> AsyncThrowingStream<RowDocument, any Error> {
    AsyncThrowingStream {
      let row = context.row
      let path = OriginContent.changePath + "{row}.json"
      guard let url = URL(string: Self.address(of: String(row), at: base, path)) else {
        throw URLError(.badURL)
      }
      let data = try await context.fetch(url, from: session, limit: limit)
      tally.change { tally in
        tally.bytes += data.count
        tally.changes += 1
      }
      return try RowDocument(json: data, row: row)
    }
  }

  private static let batchPath = OriginContent.batchPath + "{row}.json"

  /// The update of several rows with one request.
  func update(_ batch: BatchContext<Int>) async throws -> [Int: RowDocument] {
    let rows = batch.rows.map(String.init).joined(separator: ",")
    guard let url = URL(string: Self.address(of: rows, at: base, Self.batchPath)) else {
      throw URLError(.badURL)
    }
    let data = try await batch.fetch(url, from: session, limit: limit)
    tally.change { $0.bytes += data.count }
    return try await batch.stage(.decode) {
      let documents = try RowDocument.documents(json: data, rows: batch.rows)
      tally.change { tally in
        for document in documents.values {
          tally.add(document, requestedAt: address(of: document.row))
        }
      }
      return documents
    }
  }

  private func document(_ data: Data, _ row: Int, at url: URL) throws -> RowDocument {
    do throws(DocumentFault) {
      return try RowDocument(json: data, row: row, first: first, number: number)
    } catch {
      guard let target = redirects.target(of: url) else { throw error }
      throw RedirectedFault(fault: error, place: target.place(from: base, number: row + first))
    }
  }

  /// Whether the client has cookies of the server, which it adds to each request.
  var hasCookies: Bool {
    session.configuration.httpCookieStorage?.cookies?.isEmpty == false
  }

  /// Whether a value was sent for a row; `nil` if only the server knows.
  func wasSent(_ document: RowDocument, for row: Int) -> Bool? {
    switch content {
    case .madeUp: document.namedRow == row
    case .files(let files): files.wasSent(document.fingerprint, for: row)
    case .foreign: nil
    }
  }

  func url(of row: Int) throws -> URL {
    guard let url = URL(string: address(of: row)) else { throw URLError(.badURL) }
    return url
  }

  func address(of row: Int) -> String {
    Self.address(of: String(row + first), at: base, path)
  }

  /// - Parameter path: It has `{row}` in the place of the row's number.
  private static func address(of row: String, at base: URL, _ path: String) -> String {
    let trimmed = base.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    return trimmed + path.replacingOccurrences(of: "{row}", with: row)
  }

  /// A sentence that says where a row comes from; `nil` if the command makes it up.
  func sentence(about row: Int) -> String? {
    switch content {
    case .madeUp: nil
    case .files(let files): "Row \(row) is the file '\(files.urls[row].path)'."
    case .foreign:
      [
        "Row \(row + first) was requested at \(address(of: row).withoutUser).",
        Proxy.sentence(about: base),
      ]
      .compactMap(\.self).joined(separator: " ")
    }
  }
}

/// How many bytes a reply may have, so that all loads together stay within memory.
struct ByteLimit: Equatable, Sendable {
  let bytes: Int

  init(isForFiles: Bool, slots: Int) {
    bytes = min((isForFiles ? 64 : 8) << 20, (256 << 20) / slots)
  }
}
