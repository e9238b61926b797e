import Console
import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server of rows, and how its rows are loaded.
final class RowSource: Sendable {
  private let server: Server
  private let base: URL
  private let session: URLSession
  private let byteCount = Locked(0)

  /// Of all whole replies.
  var bytes: Int { byteCount.value }

  convenience init(_ options: Options) throws {
    try self.init(Server(answer: RowServer(options).answer), connections: options.slots * 2)
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
    byteCount.change { $0 += data.count }
    return try await context.stage(.decode) {
      try JSONDecoder().decode(RowDocument.self, from: data)
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
