#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension Fetch {
    /// Makes a task of a private session, as Linux calls no delegate of a task.
    ///
    /// On a kept connection that the server has closed, the system sends a request again, and then
    /// without its body (Swift 6.3). So a request that must not be sent twice has a session of its
    /// own, and with it a connection.
    func makeTask(_ request: URLRequest) -> URLSessionDataTask {
      var request = request
      request.url = request.url?.withLowercaseScheme
      // The system would send both framings.
      if request.httpBodyStream != nil {
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
      }
      let mayRepeat = !request.hasBody && ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
      let (session, router) =
        mayRepeat
        ? FetchSessions.shared.session(for: session.object)
        : FetchSessions.makeSession(for: session.object)
      let task = session.dataTask(with: request)
      router.route(task, to: self)
      if !mayRepeat { session.finishTasksAndInvalidate() }
      return task
    }
  }

  extension URL {
    /// The system refuses the scheme `HTTP`.
    fileprivate var withLowercaseScheme: URL {
      guard let scheme, scheme != scheme.lowercased() else { return self }
      var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
      components?.scheme = scheme.lowercased()
      return components?.url ?? self
    }
  }

  extension URLRequest {
    var hasBody: Bool { httpBody.map { !$0.isEmpty } ?? (httpBodyStream != nil) }
  }

  /// One private session for each session that fetches.
  final class FetchSessions: Sendable {
    static let shared = FetchSessions()

    private let entries = Lock<[ObjectIdentifier: (session: URLSession, router: FetchRouter)]>([:])

    var count: Int { entries.withLock { $0.count } }

    /// The private session of a source; the caller keeps the source until its task is made.
    ///
    /// It ends the private sessions of all sources that are gone.
    func session(for source: URLSession) -> (URLSession, FetchRouter) {
      // Sources found here may be released here, and with them objects of the app: not in the lock.
      var (sources, ended): ([URLSession], [URLSession]) = ([], [])
      let key = ObjectIdentifier(source)
      let entry = entries.withLock { entries in
        for (key, entry) in entries {
          // Another session may have the address of one that is gone.
          if let source = entry.router.served {
            sources.append(source)
          } else {
            ended.append(entry.session)
            entries[key] = nil
          }
        }
        if let entry = entries[key] { return entry }
        let entry = Self.makeSession(for: source)
        entries[key] = entry
        return entry
      }
      // No task is made from now on: the source is gone.
      for session in ended { session.finishTasksAndInvalidate() }
      return entry
    }

    static func makeSession(for source: URLSession) -> (URLSession, FetchRouter) {
      let router = FetchRouter(source)
      let configuration = source.configuration
      // With a cache, a task begins after a look-up in the background. A cancel can overtake the
      // look-up, and the system then ends the process.
      configuration.urlCache = nil
      let session = URLSession(
        configuration: configuration, delegate: router, delegateQueue: ImmediateQueue())
      return (session, router)
    }
  }

  /// Runs blocks in place, on the session's queue.
  ///
  /// The session does not wait for its delegate. On another queue the chunks of a fast body would
  /// pile up, without a limit.
  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    // Sendable: it has no state of its own.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#endif
