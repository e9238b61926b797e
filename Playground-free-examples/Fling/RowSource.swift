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
  private let limit: Int
  private let session: URLSession
  private let configuration: URLSessionConfiguration
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

  init(count: Int, base: URL, path: String, content: Content, slots: Int) {
    self.count = count
    self.base = base
    self.path = path
    self.content = content
    var isForFiles = false
    if case .files = content { isForFiles = true }
    limit = ByteLimit(isForFiles: isForFiles, slots: slots).bytes
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = slots * 2
    configuration.urlCache = nil
    // The tracker's timeout ends requests without a reply.
    configuration.timeoutIntervalForRequest = 600
    self.configuration = configuration
    session = URLSession(configuration: configuration)
  }

  /// A row's update: fetch, then decode; the tracker applies.
  func update(_ context: UpdateContext<Int, RowDocument>) async throws -> RowDocument {
    let data = try await context.fetch(url(of: context.row), from: session, limit: limit)
    tally.change { $0.bytes += data.count }
    return try await context.stage(.decode) {
      guard files == nil else { return RowDocument(file: data, row: context.row) }
      let document = try RowDocument(json: data, row: context.row)
      if document.namesAnotherRow { tally.change { $0.namingAnotherRow += 1 } }
      return document
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
      let misnamed = documents.values.filter(\.namesAnotherRow).count
      if misnamed > 0 { tally.change { $0.namingAnotherRow += misnamed } }
      return documents
    }
  }

  /// Whether a value was sent for a row; `nil` if only the server knows.
  func wasSent(_ document: RowDocument, for row: Int) -> Bool? {
    switch content {
    case .madeUp: document.namedRow == row
    case .files(let files): files.wasSent(document.fingerprint, for: row)
    case .foreign: nil
    }
  }

  /// Loads the first row to see whether a server of HTTP is there; any response will do.
  func checkIsReachable(within timeout: Duration) async throws {
    let url = try url(of: 0)
    let redirects = Redirects()
    let session = URLSession(configuration: configuration, delegate: redirects, delegateQueue: nil)
    do {
      _ = try await withTimeout(timeout) { try await session.fetch(url, limit: limit) }
    } catch URLError.timedOut {
      throw Complaint.noReply(from: url, redirectedTo: redirects.last, within: timeout)
    } catch let error as URLError where error.httpStatus == nil {
      throw Complaint.cannotLoad(url, redirectedTo: redirects.last, error)
    } catch {
      // There is a response. Why it is none for a row stands among the figures.
    }
  }

  private func url(of row: Int) throws -> URL {
    guard let url = URL(string: Self.address(of: row, at: base, path)) else {
      throw URLError(.badURL)
    }
    return url
  }

  /// - Parameter path: It has `{row}` in the place of the row's number.
  static func address(of row: Int, at base: URL, _ path: String) -> String {
    address(of: String(row), at: base, path)
  }

  private static func address(of row: String, at base: URL, _ path: String) -> String {
    let trimmed = base.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    return trimmed + path.replacingOccurrences(of: "{row}", with: row)
  }
}

/// The replies that rows received.
struct ReplyTally: Sendable {
  var bytes = 0
  /// Documents with the number of another row than the one that asked.
  var namingAnotherRow = 0
}

/// How many bytes a reply may have, so that all loads together stay within memory.
struct ByteLimit: Equatable, Sendable {
  let bytes: Int

  init(isForFiles: Bool, slots: Int) {
    bytes = min((isForFiles ? 64 : 8) << 20, (256 << 20) / slots)
  }
}
