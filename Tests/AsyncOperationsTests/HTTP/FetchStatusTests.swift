import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Responses with any status", .timeLimit(.minutes(10)))
struct FetchStatusTests {
  private let session = URLSession.testing()

  private static let statuses = [
    "200 OK", "201 Created", "206 Partial Content", "300 Choices", "401 Unauthorized",
    "404 Not Found", "413 Too Large", "422 Unprocessable", "429 Slow Down", "503 Unavailable",
  ]

  @Test("A response has the body, the header and the status", arguments: statuses)
  func response(status: String) async throws {
    let server = try Server(
      "HTTP/1.1 \(status)\r\nConnection: close\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello")
    let (data, response) = try await session.response(for: URLRequest(url: server.url()))
    #expect(data == Data("hello".utf8) && response.statusCode == Int(status.prefix(3)))
    #expect(response.value(forHTTPHeaderField: "ETag") == "\"1\"")
    let fetched = try? await session.fetch(server.url())
    #expect(fetched == (status.hasPrefix("2") ? data : nil))
  }

  @Test("A response without a body is empty, whatever length it announces", arguments: [204, 304])
  func empty(status: Int) async throws {
    let server = try Server(
      "HTTP/1.1 \(status) None\r\nConnection: close\r\nContent-Length: 5\r\n\r\n")
    let (data, response) = try await session.response(for: URLRequest(url: server.url()))
    #expect(data.isEmpty && response.statusCode == status)
    let error = await session.failure(of: try server.url()) as? HTTPStatusError
    #expect(error?.status == (status == 304 ? status : nil))
  }

  @Test("An unmet challenge is a response with its body")
  func challenge() async throws {
    let server = try Server(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 2\r\n\r\n{}")
    let request = URLRequest(url: try server.url())
    let (data, response) = try await session.response(for: request)
    #expect(data == Data("{}".utf8) && response.statusCode == 401)
    let error = await session.failure(of: try server.url()) as? HTTPStatusError
    #expect(error?.body == Data("{}".utf8) && error?.headers["www-authenticate"] == "Bearer")
  }

  // MARK: What a refused status carries

  @Test(
    "The error of a status has the header, the body and the time after which to try again",
    arguments: statuses.filter { !$0.hasPrefix("2") })
  func error(status: String) async throws {
    let server = try Server(
      "HTTP/1.1 \(status)\r\nContent-Type: application/problem+json\r\nRetry-After: 30\r\n"
        + "Content-Length: 2\r\n\r\n{}")
    let url = try server.url()
    let error = await session.failure(of: url) as? HTTPStatusError
    #expect(error?.status == Int(status.prefix(3)) && error?.body == Data("{}".utf8))
    #expect(error?.headers["content-type"] == "application/problem+json")
    #expect(error?.retryAfter == .seconds(30) && error?.url == url)
  }

  @Test("Of a long body, an error has 64 KiB, and its request ends", arguments: [true, false])
  func long(isAnnounced: Bool) async throws {
    let wasClosed = Box<Bool?>(nil)
    let server = try Server {
      $0.send("HTTP/1.1 500 Wrong\r\n\(isAnnounced ? "Content-Length: 900000\r\n" : "")\r\n")
      $0.send([UInt8](repeating: 65, count: 1 << 17))
      wasClosed.set($0.waitForClose())
    }
    let error = await session.failure(of: try server.url(), limit: 10) as? HTTPStatusError
    #expect(error?.body == Data(repeating: 65, count: 1 << 16))
    await until { wasClosed.value != nil }
    #expect(wasClosed.value == true)
  }

  @Test(
    "The body of a challenge is bounded too, also for a session with a delegate",
    arguments: [1 << 17, 0])
  func challengeBody(count: Int) async throws {
    let server = try Server {
      $0.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\n\r\n")
      $0.send([UInt8](repeating: 65, count: count))
      $0.waitForClose()
    }
    let url = try server.url()
    let error = await withSession(SessionDelegate()) { await $0.failure(of: url) }
    #expect((error as? HTTPStatusError)?.body.count == min(count, 1 << 16))
  }

  @Test("A body that stalls delays the error a little, and its request ends", arguments: ["", "a"])
  func stalled(part: String) async throws {
    let wasClosed = Box<Bool?>(nil)
    let server = try Server {
      $0.send("HTTP/1.1 503 Unavailable\r\nContent-Length: 5\r\n\r\n\(part)")
      wasClosed.set($0.waitForClose())
    }
    let error = await session.failure(of: try server.url()) as? HTTPStatusError
    #expect(error?.status == 503 && error?.body == Data(part.utf8))
    await until { wasClosed.value != nil }
    #expect(wasClosed.value == true)
  }

  @Test("A refused body that breaks off does not hide the status")
  func cut() async throws {
    let server = try Server("HTTP/1.1 422 Wrong\r\nContent-Length: 500\r\n\r\nhello")
    let error = await session.failure(of: try server.url()) as? HTTPStatusError
    #expect(error?.status == 422 && error?.body == Data("hello".utf8))
  }

  @Test(
    "A server that stalls ends at the time limit of the request, which may be tried again",
    arguments: [
      "", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
    ])
  func stalls(start: String) async throws {
    let server = try Server {
      $0.send(start)
      $0.waitForClose()
    }
    var request = URLRequest(url: try server.url())
    request.timeoutInterval = 1
    let error = await #expect(throws: URLError.self) { try await session.fetch(request) }
    #expect(error?.code == .timedOut)
    #expect(error.map { RetryStrategy.isTransient($0) } == true)
  }
}
