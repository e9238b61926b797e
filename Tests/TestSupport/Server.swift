import AsyncOperations
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP server on 127.0.0.1 that answers as badly as a test wants.
///
/// Each connection has a thread, carries one request, and closes after the answer. If a test makes
/// several requests in a session, responses must say `Connection: close`: a request that reuses a
/// closing connection can fail on Linux.
///
/// The server stops when it is deallocated. A read or a write fails after two minutes, so every
/// thread ends.
final class Server: Sendable {
  /// Answers a request on a thread of its own, where it may block.
  typealias Answer = @Sendable (Connection) -> Void

  /// The number of connections so far.
  let connections = Box()
  /// The number of requests so far.
  let requests = Box()
  /// The number of bytes that the server could send so far.
  let sent = Box()
  private let port: UInt16
  private let state = Box(State())

  private struct State {
    var open: [ObjectIdentifier: Connection] = [:]
    var isStopped = false
  }

  /// - Parameter readsRequests: Whether to read a request before its answer.
  init(readsRequests: Bool = true, _ answer: @escaping Answer) throws {
    let listener = try Listener()
    port = listener.port
    let (connections, requests, sent, state) = (connections, requests, sent, state)
    Thread.detachNewThread {
      while !state.value.isStopped {
        guard let connection = listener.accept(within: 50, counting: sent) else { continue }
        connections.add()
        let isOpen = state.change { state in
          if !state.isStopped { state.open[ObjectIdentifier(connection)] = connection }
          return !state.isStopped
        }
        guard isOpen else { break }
        Thread.detachNewThread {
          if !readsRequests {
            answer(connection)
          } else if connection.receiveRequest() {
            requests.add()
            answer(connection)
          }
          _ = state.change { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
        }
      }
    }
  }

  /// Answers every request with the same bytes.
  convenience init(_ response: String) throws {
    try self.init { $0.send(response) }
  }

  deinit {
    let open = state.change { state in
      defer { state.open = [:] }
      state.isStopped = true
      return state.open.values
    }
    for connection in open { connection.cut() }
  }

  func url(_ path: String = "/") throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
    return url
  }
}

extension URLSession {
  /// A session that waits longer for bytes than a ``Server`` does, so that no time limit of the
  /// session closes a connection that a test expects a cancel to close.
  static func testing(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Loads a request's data, and reports how much of it has arrived.
  func fetch(
    _ request: URLRequest, limit: Int = URLSession.defaultFetchLimit,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Data {
    try await Fetch(request, over: self, limit: limit, progress: progress).run().data
  }
}
