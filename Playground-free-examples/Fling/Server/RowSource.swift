import Console
import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server of rows, and how its rows are loaded.
final class RowSource: Sendable {
  /// What the replies held.
  struct Replies: Sendable {
    /// Of whole replies.
    var bytes = 0
    /// With `--live`.
    var changes = 0
  }

  private let server: Server
  private let base: URL
  private let session: URLSession
  private let tally = Locked(Replies())

  var replies: Replies { tally.value }

  convenience init(_ options: Options) throws {
    // Each live row has a request that waits.
    let live = options.live == nil ? 0 : TrackedFeed.liveLimit
    try self.init(
      Server(answer: RowServer(options).answer), connections: options.slots * 2 + live)
  }

  init(_ server: Server, connections: Int = 8) throws {
    guard let base = URL(string: "http://127.0.0.1:\(server.port)") else {
      throw Complaint("The server's address cannot be written down.")
    }
    (self.server, self.base) = (server, base)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.urlCache = nil
    // The tracker's timeout ends requests without a reply.
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  func stop() { server.stop() }

  /// A row's update: fetch, then decode; the tracker applies.
  func update(_ context: UpdateContext<Int, RowDocument>) async throws -> RowDocument {
    let url = base.appendingPathComponent(RowServer.path(of: context.row))
    let data = try await context.fetch(url, from: session)
    tally.change { $0.bytes += data.count }
    return try await context.stage(.decode) {
      try JSONDecoder().decode(RowDocument.self, from: data)
    }
  }

  /// The update of several rows with one request.
  func update(_ batch: BatchContext<Int>) async throws -> [Int: RowDocument] {
    let url = base.appendingPathComponent(RowServer.path(of: batch.rows))
    let data = try await batch.fetch(url, from: session)
    tally.change { $0.bytes += data.count }
    let documents = try JSONDecoder().decode([RowDocument].self, from: data)
    // The document at a row's place is taken for the row's, as a wrong server would have it.
    return Dictionary(zip(batch.rows, documents)) { first, _ in first }
  }

  /// The changes of a row, one request after the other.
  ///
  /// The server holds each reply until the row changes.
  func updates(
    _ context: UpdateContext<Int, RowDocument>
  ) -> AsyncThrowingStream<RowDocument, any Error> {
    AsyncThrowingStream { [self] in
      let url = base.appendingPathComponent(RowServer.path(ofChange: context.row))
      let data = try await context.fetch(url, from: session)
      tally.change { tally in
        tally.bytes += data.count
        tally.changes += 1
      }
      return try JSONDecoder().decode(RowDocument.self, from: data)
    }
  }
}

/// Why a load failed, in the same words for loads that failed alike.
func reason(of error: any Error) -> String {
  switch error {
  case let error as HTTPStatusError: "HTTP \(error.status)"
  case let error as OperationError where error.code == .timedOut: "timed out"
  case URLError.timedOut: "timed out"
  case is DecodingError: "not a document"
  // On Linux, libcurl's words are all that names it, and they count bytes.
  case is URLError where error.localizedDescription.contains("transfer closed"),
    URLError.networkConnectionLost:
    "connection cut"
  default: error.localizedDescription
  }
}
