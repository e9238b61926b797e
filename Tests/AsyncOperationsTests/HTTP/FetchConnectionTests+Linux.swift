#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("The connections of requests", .timeLimit(.minutes(10)))
  struct FetchConnectionTests {
    private let session = URLSession.testing()

    private func request(_ method: String, _ url: URL) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = method
      if method != "DELETE", method != "GET" { request.httpBody = Data("body".utf8) }
      return request
    }

    /// A server that answers the first request of each connection, and then reads another one and
    /// closes.
    private func server(noting seen: Log<String>) throws -> Server {
      try Server {
        seen.append($0.method)
        guard $0.path == "/" else { return }
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
        if $0.receiveRequest() { seen.append("kept \($0.method)") }
      }
    }

    @Test(
      "A request that must not be sent twice has a connection of its own",
      arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func own(method: String) async throws {
      let seen = Log<String>([])
      let server = try server(noting: seen)
      _ = try await session.fetch(server.url())
      for _ in 0..<2 {
        let data = try await session.fetch(request(method, server.url()))
        #expect(data == Data("in".utf8))
      }
      #expect(seen.value == ["GET", method, method] && server.connections.value == 3)
    }

    @Test(
      "A server that reads such a request and closes gets it once, and the error comes at once",
      arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func once(method: String) async throws {
      let seen = Log<String>([])
      let server = try server(noting: seen)
      _ = try await session.fetch(server.url())
      let request = request(method, try server.url("/close"))
      await #expect(throws: URLError.self) { try await session.fetch(request) }
      #expect(seen.value == ["GET", method])
    }

    @Test(
      "A server that closes a connection before it reads gets no second one",
      arguments: ["GET", "POST"])
    func unread(method: String) async throws {
      let server = try Server(readsRequests: false) { $0.cut() }
      let request = request(method, try server.url())
      let error = await #expect(throws: URLError.self) { try await session.fetch(request) }
      #expect(error.map { RetryStrategy.isTransient($0) } == true)
      #expect(server.connections.value == 1)
    }

    @Test(
      "A request after the server has closed a kept connection is sent once, over another one",
      arguments: ["GET", "POST"])
    func closedMeanwhile(method: String) async throws {
      let (seen, isClosed) = (Log<String>([]), Gate())
      let server = try Server {
        seen.append($0.method)
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
        $0.cut()
        isClosed.open()
      }
      _ = try await session.fetch(server.url())
      await isClosed.opened()
      let data = try await session.fetch(request(method, server.url()))
      #expect(data == Data("in".utf8))
      #expect(seen.value == ["GET", method] && server.connections.value == 2)
    }

    @Test("The scheme of a URL may be in upper case")
    func upperCase() async throws {
      let server = try server(noting: Log<String>([]))
      let address = try server.url().absoluteString.dropFirst(4)
      let url = try #require(URL(string: "HTTP\(address)"))
      #expect(try await session.fetch(url) == Data("in".utf8))
    }

    @Test("GETs share a connection")
    func shared() async throws {
      let server = try Server {
        repeat {
          $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
        } while $0.receiveRequest()
      }
      for _ in 0..<3 { _ = try await session.fetch(server.url()) }
      #expect(server.connections.value == 1)
    }

    @Test("The connection of a single request closes after it, and its session ends")
    func closes() async throws {
      let wasClosed = Box<Bool?>(nil)
      let server = try Server {
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
        wasClosed.set($0.waitForClose())
      }
      _ = try await session.fetch(request("POST", server.url()))
      await until { wasClosed.value != nil }
      #expect(wasClosed.value == true)
    }

    @Test("A stream with a length is sent in chunks alone")
    func stream() async throws {
      let (head, body) = (Box(""), Box(""))
      let server = try Server {
        head.set($0.request.lowercased())
        body.set($0.body)
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin")
      }
      var request = request("POST", try server.url())
      request.httpBodyStream = InputStream(data: Data("body".utf8))
      request.setValue("4", forHTTPHeaderField: "Content-Length")
      #expect(try await session.fetch(request) == Data("in".utf8))
      #expect(head.value.contains("transfer-encoding: chunked"))
      #expect(!head.value.contains("content-length"))
      #expect(body.value == "4\r\nbody\r\n0\r\n\r\n")
    }

    @Test("A challenge of a POST is met by another connection")
    func challenged() async throws {
      let seen = Log<String>([])
      let server = try Server {
        seen.append("\($0.header("Authorization") ?? "-") \($0.body)")
        let isIn = $0.header("Authorization") != nil
        $0.send(
          isIn
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin"
            : "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n")
        if $0.receiveRequest() { seen.append("kept") }
      }
      let delegate = SessionDelegate(challenge: {
        $1(.useCredential, URLCredential(user: "me", password: "right", persistence: .none))
      })
      let request = request("POST", try server.url())
      let data = try await withSession(delegate) { try await $0.response(for: request).0 }
      #expect(data == Data("in".utf8))
      #expect(seen.value == ["- body", "Basic bWU6cmlnaHQ= body"])
    }
  }
#endif
