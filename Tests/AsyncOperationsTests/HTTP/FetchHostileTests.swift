import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Fetching from a hostile server", .timeLimit(.minutes(10)))
struct FetchHostileTests {
  private let session = URLSession.testing()
  private static let chunk = [UInt8](repeating: 65, count: 1 << 16)

  // MARK: Too much

  @Test(
    "An announced length over the limit, or of exabytes, fails before the body comes",
    arguments: [1_000, 1_000_000_000_000_000_000])
  func announced(length: Int) async throws {
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
      $0.waitForClose()
    }
    #expect(isTooLarge(await session.failure(of: try server.url(), limit: 999)))
  }

  @Test(
    "A body of exactly the limit succeeds, with and without a length", arguments: [true, false])
  func exact(isAnnounced: Bool) async throws {
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nConnection: close\r\n")
      $0.send("\(isAnnounced ? "Content-Length: 5\r\n" : "")\r\nhello")
    }
    #expect(try await session.fetch(server.url(), limit: 5) == Data("hello".utf8))
    #expect(isTooLarge(await session.failure(of: try server.url(), limit: 4)))
  }

  @Test("An endless body ends at the limit, and so does its connection (fact 3)")
  func endless() async throws {
    let wasClosed = Box<Bool?>(nil)
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\n\r\n")
      wasClosed.set($0.sendForever(Self.chunk))
    }
    #expect(isTooLarge(await session.failure(of: try server.url(), limit: 1 << 20)))
    await until { wasClosed.value != nil }
    #expect(wasClosed.value == true)
    // The limit, the buffers of the sockets, and the bytes that arrive until the test goes on.
    #expect(server.sent.value < 1 << 29)
  }

  @Test(
    "A small body that decodes to 30 MB ends at the limit, also with a length below it (fact 3)",
    arguments: [true, false])
  func bomb(isAnnounced: Bool) async throws {
    let pattern = repeatElement(Gzip.bombPattern, count: 30_000_000 / Gzip.bombPatternLength)
    let body = Gzip.bombStart + Array(pattern.joined())
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
      $0.send(isAnnounced ? "Content-Length: \(body.count)\r\n\r\n" : "\r\n")
      $0.send(body)
    }
    #expect(body.count < 1 << 18)
    #expect(isTooLarge(await session.failure(of: try server.url(), limit: 1 << 18)))
  }

  #if canImport(FoundationNetworking)
    // The time that Linux needs is quadratic in the number of lines, so these are long.
    @Test("Endless headers end", arguments: ["X: \(String(repeating: "a", count: 2000))\r\n", "a"])
    func endlessHeaders(line: String) async throws {
      let lines = Array(repeatElement([UInt8](line.utf8), count: 100).joined())
      let server = try Server {
        $0.send("HTTP/1.1 200 OK\r\n")
        $0.sendForever(lines)
      }
      #expect(await session.failure(of: try server.url()) is URLError)
    }
  #endif

  // MARK: Too little

  @Test(
    "A body that breaks off is an error with its status",
    arguments: [
      "Content-Length: 500\r\n\r\nhello",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense",
      "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
    ])
  func cut(response: String) async throws {
    let server = try Server("HTTP/1.1 200 OK\r\n\(response)")
    let error = await session.failure(of: try server.url()) as? URLError
    #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
    #if canImport(FoundationNetworking)
      // Apple systems may decode a part of the body before they report the response.
      #expect(error?.httpStatus == 200)
    #endif
  }

  @Test(
    "A connection that is reset in a body, or closed before the response, is an error",
    arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello", ""])
  func reset(start: String) async throws {
    let server = try Server {
      $0.send(start)
      if !start.isEmpty { $0.reset() }
    }
    #expect(await session.failure(of: try server.url()) is URLError)
  }

  @Test(
    "A URL that is not one of HTTP is refused before any connection",
    arguments: ["ftp", "file", "data", "ws"])
  func otherScheme(scheme: String) async throws {
    let server = try Server("220 Welcome\r\n")
    let address = try server.url().absoluteString.replacingOccurrences(of: "http:", with: "")
    let url = try #require(URL(string: "\(scheme):\(address)"))
    let error = await session.failure(of: url) as? URLError
    #expect(error?.code == .unsupportedURL && server.connections.value == 0)
    #expect(error?.localizedDescription.contains("http or https") == true)
  }

  @Test(
    "A malformed response ends",
    arguments: [
      "hello\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello",
    ])
  func malformed(response: String) async throws {
    let server = try Server(response)
    if let error = await session.failure(of: try server.url()) { #expect(error is URLError) }
  }

  @Test("Bytes after the announced length are not part of the body")
  func longer() async throws {
    let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello")
    #expect(try await session.fetch(server.url()) == Data("he".utf8))
  }

  private func isTooLarge(_ error: (any Error)?) -> Bool {
    (error as? OperationError)?.code == .tooLarge
  }
}
