#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("The request after a redirect")
  struct RedirectTests {
    private let source = URL(string: "http://example.com/a/b?c=d")

    private func request(_ method: String, _ headers: [String: String] = [:]) throws -> URLRequest {
      var request = URLRequest(url: try #require(source), timeoutInterval: 7)
      request.httpMethod = method
      if method != "GET" { request.httpBody = Data("body".utf8) }
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      request.setValue("7", forHTTPHeaderField: "X-Number")
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      return request
    }

    private func outcome(
      _ status: Int, _ location: String?, _ request: URLRequest
    ) throws -> Redirect {
      let headers = location.map { ["Location": $0] }
      let url = try #require(request.url)
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers))
      return Redirect(response, to: request)
    }

    private func next(
      _ status: Int, _ location: String = "/next", _ request: URLRequest
    ) throws -> URLRequest? {
      guard case .follow(let next) = try outcome(status, location, request) else { return nil }
      return next
    }

    private enum Body: CaseIterable { case none, data, stream }

    @Test(
      "301 and 302 turn a POST into a GET, 303 all but HEAD; others keep their method, or fail",
      arguments: [301, 302, 303, 307, 308], ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])
    func methods(status: Int, method: String) throws {
      let drops = status == 303 || status < 303 && method == "POST"
      for body in Body.allCases {
        var request = try request(method)
        request.httpBody = body == .data ? Data("body".utf8) : nil
        if body == .stream { request.httpBodyStream = InputStream(data: Data("body".utf8)) }
        switch try outcome(status, "/next", request) {
        case .bodyIsSent: #expect(body != .none && !drops)
        case .stay: Issue.record("It is a redirect.")
        case .follow(let next):
          #expect(drops || body == .none)
          #expect(next.httpMethod == (drops && method != "HEAD" ? "GET" : method))
          #expect(next.httpBody == nil && next.httpBodyStream == nil)
          #expect(next.value(forHTTPHeaderField: "Content-Type") == (drops ? nil : "text/plain"))
          #expect(next.value(forHTTPHeaderField: "X-Number") == "7" && next.timeoutInterval == 7)
        }
      }
    }

    @Test("Other statuses, and those without a place on the web, are not followed")
    func stays() throws {
      for status in [200, 300, 304, 305, 306, 309, 401] {
        guard case .stay = try outcome(status, "/next", request("GET")) else {
          Issue.record("\(status) was followed.")
          continue
        }
      }
      for location in [nil, "file:///etc/passwd", "ftp://example.com/", "mailto:a@b", "data:,a"] {
        guard case .stay = try outcome(302, location, request("GET")) else {
          Issue.record("\(location ?? "-") was followed.")
          continue
        }
      }
    }

    @Test(
      "A relative place is relative to the last hop",
      arguments: [
        ("next", "http://example.com/a/next"), ("/next", "http://example.com/next"),
        ("../next?e=f", "http://example.com/next?e=f"), ("?e=f", "http://example.com/a/b?e=f"),
        ("//other.org/next", "http://other.org/next"),
        ("HTTPS://other.org/A?b=%20", "HTTPS://other.org/A?b=%20"),
        ("/a b?x=%C3%BC&y=a|b#c", "http://example.com/a%20b?x=%C3%BC&y=a%7Cb#c"),
      ])
    func relative(location: String, expected: String) throws {
      #expect(try next(302, location, request("GET"))?.url?.absoluteString == expected)
    }

    @Test(
      "Headers that speak for the user stay with their origin: scheme, host and port",
      arguments: [
        ("http://example.com/next", true), ("http://EXAMPLE.com:80/next", true),
        ("https://example.com/next", false), ("http://example.com:8080/next", false),
        ("http://www.example.com/next", false), ("//other.org/next", false), ("next", true),
      ])
    func origins(location: String, isSame: Bool) throws {
      let personal = [
        "authorization": "Bearer 1", "Cookie": "a=b", "Proxy-Authorization": "Basic 1",
      ]
      let next = try #require(try next(307, location, request("GET", personal)))
      for (name, value) in personal {
        #expect(next.value(forHTTPHeaderField: name) == (isSame ? value : nil))
      }
      #expect(next.value(forHTTPHeaderField: "X-Number") == "7")
    }

    @Test("They do not come back when a later hop returns to the first origin")
    func neverReturn() throws {
      let first = try request("GET", ["Authorization": "Bearer 1"])
      let second = try #require(try next(302, "http://other.org/", first))
      let third = try #require(try next(302, "http://example.com/", second))
      #expect(third.value(forHTTPHeaderField: "Authorization") == nil)
    }
  }

  @Suite("Redirects over HTTP", .timeLimit(.minutes(10)))
  struct FetchRedirectTests {
    private let session = URLSession.testing()

    private struct Seen: Sendable {
      var authorization: String?
      var cookie: String?
    }

    /// A server that redirects "/" with a status, and notes the requests of other paths.
    private func server(
      _ status: Int, to location: String = "/next", noting seen: Log<Seen>
    ) throws -> Server {
      try Server {
        guard $0.path != "/" else {
          $0.send(
            "HTTP/1.1 \(status) Moved\r\nConnection: close\r\nLocation: \(location)\r\n"
              + "Content-Length: 0\r\n\r\n")
          return
        }
        seen.append(
          Seen(authorization: $0.header("Authorization"), cookie: $0.header("Cookie")))
        $0.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nin")
      }
    }

    private func post(_ url: URL) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = Data("body".utf8)
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
      request.setValue("a=b", forHTTPHeaderField: "Cookie")
      return request
    }

    @Test("307 and 308 with a body fail with the remedy in the error", arguments: [307, 308])
    func bodyAgain(status: Int) async throws {
      let seen = Log<Seen>([])
      let server = try server(status, noting: seen)
      var streamed = post(try server.url())
      streamed.httpBodyStream = InputStream(data: Data("body".utf8))
      for request in [post(try server.url()), streamed] {
        let error = await #expect(throws: URLError.self) { try await session.fetch(request) }
        #expect(error?.code == .requestBodyStreamExhausted && error?.httpStatus == status)
        #expect(error?.localizedDescription.contains("not sent twice") == true)
        #expect(error.map { RetryStrategy.isTransient($0) } == false)
      }
      #expect(seen.value.isEmpty)
    }

    @Test("Another origin gets no credentials of the request, and what the session adds (fact 12)")
    func otherOrigin() async throws {
      let seen = Log<Seen>([])
      let other = try server(200, noting: seen)
      let server = try server(302, to: other.url("/next").absoluteString, noting: seen)
      #expect(try await session.fetch(post(server.url())) == Data("in".utf8))
      #expect(seen.value.map(\.authorization) == [nil] && seen.value.map(\.cookie) == [nil])
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["Authorization": "Bearer 2"]
      let adding = URLSession(configuration: configuration)
      _ = try await adding.fetch(URLRequest(url: server.url()))
      #expect(seen.value.last?.authorization == "Bearer 2")
    }

    @Test("The delegate gets the corrected request and decides")
    func delegate() async throws {
      let (seen, asked) = (Log<Seen>([]), Box<URLRequest?>(nil))
      let server = try server(302, noting: seen)
      let delegate = SessionDelegate(redirect: { request, answer in
        asked.set(request)
        var changed = request
        changed.setValue("Bearer 3", forHTTPHeaderField: "Authorization")
        answer(changed)
      })
      let request = post(try server.url())
      let data = try await withSession(delegate) { try await $0.fetch(request) }
      #expect(data == Data("in".utf8))
      #expect(asked.value?.httpMethod == "GET" && asked.value?.httpBody == nil)
      #expect(seen.value.map(\.authorization) == ["Bearer 3"])
    }

    @Test("A circle of redirects ends after 20 of them")
    func circle() async throws {
      let server = try server(302, to: "/", noting: Log<Seen>([]))
      let url = try server.url()
      let error = await session.failure(of: url) as? URLError
      #expect(error?.code == .httpTooManyRedirects)
      #expect(error?.httpStatus == 302 && error?.failingURL == url)
      #expect(server.requests.value == 21)
    }

    @Test("20 redirects in a row are followed, each relative to the one before")
    func many() async throws {
      let server = try Server {
        let number = Int($0.path.split(separator: "/").last ?? "") ?? 0
        let head = "Connection: close\r\nContent-Length: 2\r\n"
        $0.send(
          number == 20
            ? "HTTP/1.1 200 OK\r\n\(head)\r\nin"
            : "HTTP/1.1 308 Moved\r\nLocation: \(number == 5 ? "a/" : "")\(number + 1)\r\n\(head)\r\non"
        )
      }
      #expect(try await session.fetch(server.url("/0")) == Data("in".utf8))
    }

    @Test(
      "A redirect away from HTTP, or without a place to go, is an error with its status",
      arguments: ["Location: file:///etc/passwd\r\n", ""])
    func nowhere(header: String) async throws {
      let server = try Server("HTTP/1.1 302 Found\r\n\(header)Content-Length: 0\r\n\r\n")
      let url = try server.url()
      #expect((await session.failure(of: url) as? HTTPStatusError)?.status == 302)
    }
  }
#endif
