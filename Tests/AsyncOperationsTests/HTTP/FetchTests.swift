import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// - Returns: The error of a fetch.
  func failure(of url: URL, limit: Int = defaultFetchLimit) async -> (any Error)? {
    do {
      _ = try await fetch(url, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  /// - Returns: The body of a response with any status, for which nothing waits a second only.
  func anyBody(of url: URL) async throws -> Data {
    try await response(for: URLRequest(url: url)).0
  }
}

@Suite("Fetching over HTTP", .timeLimit(.minutes(10)))
struct FetchTests {
  private let session = URLSession.testing()

  @Test("The shared session can fetch")
  func shared() async throws {
    let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let request = URLRequest(url: try server.url(), cachePolicy: .reloadIgnoringLocalCacheData)
    #expect(try await URLSession.shared.fetch(request) == Data("hello".utf8))
  }

  @Test("A HEAD request gives no bytes, and its length does not count against the limit")
  func head() async throws {
    let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
    var request = URLRequest(url: try server.url())
    request.httpMethod = "HEAD"
    #expect(try await session.fetch(request, limit: 10).isEmpty)
  }

  @Test("The request's method, header and body reach the server")
  func post() async throws {
    let received = Box("")
    let server = try Server {
      received.set($0.request)
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    var request = URLRequest(url: try server.url("/form"))
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    request.setValue("7", forHTTPHeaderField: "X-Number")
    _ = try await session.fetch(request)
    #expect(received.value.hasPrefix("POST /form "))
    #expect(received.value.contains("X-Number: 7"))
    #expect(received.value.contains("Content-Length: 4"))
  }

  @Test("An interim response does not end a fetch")
  func interim() async throws {
    let server = try Server(
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    #expect(try await session.fetch(server.url()) == Data("hello".utf8))
  }

  @Test("A compressed body arrives decoded, and its length is not compared (fact 2)")
  func gzip() async throws {
    let text = [UInt8](repeating: 65, count: 1000)
    let body = Gzip.stored(text)
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n")
      $0.send("Content-Length: \(body.count)\r\n\r\n")
      $0.send(body)
    }
    let progress = Log<Double>([])
    let data = try await session.fetch(
      URLRequest(url: server.url()), progress: { progress.append($0) })
    #expect(data == Data(text))
    #expect(progress.value.isEmpty)
    // The compressed body has more bytes than the limit, the decoded one has not.
    #expect(try await session.fetch(server.url(), limit: 1000) == Data(text))
  }

  @Test("Progress rises to 1 if the length is known")
  func progress() async throws {
    let body = [UInt8](repeating: 65, count: 1 << 20)
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      $0.send(body)
    }
    let progress = Log<Double>([])
    let data = try await session.fetch(
      URLRequest(url: server.url()), progress: { progress.append($0) })
    #expect(data == Data(body))
    #expect(progress.value.last == 1)
    #expect(zip(progress.value, progress.value.dropFirst()).allSatisfy { $0 < $1 })
    #expect(progress.value.allSatisfy { 0...1 ~= $0 })
  }

  @Test("A fetch that has succeeded gives up the task of the system, which holds the fetch")
  func givesUpTask() async throws {
    let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let fetch = Fetch(URLRequest(url: try server.url()), over: session, limit: 100)
    _ = try await fetch.run()
    await until { fetch.task == nil }
    #expect(fetch.task == nil)
  }

  @Test("A port without a server is an error of the system, with its code and its cause")
  func unreachable() async throws {
    // No server has this port: it is reserved, and never a free port for another test.
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await session.failure(of: url) as? URLError
    #expect(error?.code == .cannotConnectToHost)
    #expect(error?.httpStatus == nil)
    #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
  }
}
