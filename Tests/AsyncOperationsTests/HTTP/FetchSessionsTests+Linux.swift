#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("The private sessions of sessions that fetch")
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

    @Test("A source has one private session, with the configuration of the source")
    func one() {
      let (first, second) = (source("1"), source("2"))
      let session = sessions.session(for: first).0
      #expect(sessions.session(for: first).0 === session)
      #expect(sessions.session(for: second).0 !== session)
      #expect(name(of: session) == "1")
      withExtendedLifetime((first, second)) {}
    }

    @Test("A source at the address of one that is gone gets a session of its own")
    func reusedAddress() {
      for index in 0..<100 {
        let source = source("\(index)")
        #expect(name(of: sessions.session(for: source).0) == "\(index)")
        // The one before is gone.
        #expect(sessions.count == 1)
      }
    }

    @Test("The next use of any source drops the sources that are gone, and no others")
    func sweep() {
      let kept = source("kept")
      let session = sessions.session(for: kept).0
      _ = sessions.session(for: source("gone"))
      #expect(sessions.count == 2)
      #expect(sessions.session(for: kept).0 === session)
      #expect(sessions.count == 1)
    }

    @Test("The next use of any source ends the private sessions of sources that are gone")
    func ends() async {
      weak var session: URLSession?
      weak var router: FetchRouter?
      func use(_ source: URLSession) { (session, router) = sessions.session(for: source) }
      use(source("gone"))
      let kept = source("kept")
      _ = sessions.session(for: kept)
      await until { session == nil && router == nil }
      #expect(session == nil && router == nil)
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
