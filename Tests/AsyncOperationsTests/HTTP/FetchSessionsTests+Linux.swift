#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("The private sessions of sessions that fetch", .timeLimit(.minutes(10)))
  struct FetchSessionsTests {
    private let sessions = FetchSessions()

    private func source(_ name: String) -> URLSession {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["X-Name": name]
      return URLSession(configuration: configuration)
    }

    private func name(of session: URLSession) -> String? {
      session.configuration.httpAdditionalHeaders?["X-Name"] as? String
    }

    @Test("A source has one private session, with its configuration, until it is gone")
    func one() {
      let kept = source("kept")
      let session = sessions.session(for: kept).0
      #expect(name(of: session) == "kept")
      for index in 0..<100 {
        // It may have the address of the one before, which is gone.
        let other = source("\(index)")
        #expect(name(of: sessions.session(for: other).0) == "\(index)" && sessions.count == 2)
      }
      #expect(sessions.session(for: kept).0 === session && sessions.count == 1)
    }

    @Test("The next use of any source ends the private sessions of sources that are gone")
    func ends() async throws {
      let wasClosed = Box<Bool?>(nil)
      let server = try Server {
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        wasClosed.set($0.waitForClose())
      }
      weak var session: URLSession?
      weak var router: FetchRouter?
      func use(_ source: URLSession) async throws {
        (session, router) = FetchSessions.shared.session(for: source)
        #expect(try await source.fetch(server.url()) == Data("hello".utf8))
      }
      try await use(source("gone"))
      let kept = source("kept")
      // A parallel fetch may still hold the source for a moment.
      await until {
        _ = FetchSessions.shared.session(for: kept)
        return session == nil && router == nil && wasClosed.value != nil
      }
      #expect(session == nil && router == nil && wasClosed.value == true)
    }

    /// A storage of the app that uses the sessions when it is released.
    private final class Storage: URLCredentialStorage, @unchecked Sendable {
      // Sendable: they are set once, before the storage is in use.
      var sessions: FetchSessions?
      var released: Gate?

      deinit { if sessions?.count == 1 { released?.open() } }
    }

    @Test("An object in the configuration of a source that is gone is released outside the lock")
    func releases() async {
      let released = Gate()
      do {
        let (configuration, storage) = (URLSessionConfiguration.ephemeral, Storage())
        (storage.sessions, storage.released) = (sessions, released)
        configuration.urlCredentialStorage = storage
        _ = sessions.session(for: URLSession(configuration: configuration))
      }
      let kept = source("kept")
      _ = sessions.session(for: kept)
      await released.opened()
    }

    @Test("A fetch outlives the invalidation of its source")
    func invalidated() async throws {
      let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
      let source = source("1")
      source.invalidateAndCancel()
      #expect(try await source.fetch(server.url()) == Data("hello".utf8))
    }
  }
#endif
