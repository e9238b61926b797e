import Foundation
import RowOperations
import Testing

@testable import fling

@Suite("The server of fling")
struct RowServerTests {
  private func row(_ reply: Server.Reply) -> Int? {
    guard case .document(let data) = reply else { return nil }
    return (try? JSONDecoder().decode(RowDocument.self, from: data))?.row
  }

  private func reply(_ path: String) throws -> Server.Reply {
    RowServer(try Options.parse(["--rows", "10", "--latency", "0"])).answer(path)
  }

  @Test("has the document of each row, the same one each time")
  func rows() throws {
    #expect(try (0..<10).map { row(try reply(RowServer.path(of: $0))) } == Array(0..<10))
    #expect(RowDocument.madeUp(for: 3) == RowDocument.madeUp(for: 3))
  }

  @Test(
    "refuses other paths and rows",
    arguments: ["/", "/rows/", "/rows/10", "/rows/-1", "/rows/3,7", "/batch/3"])
  func misuse(path: String) throws {
    #expect(try reply(path) == .failure(status: 404))
  }

  @Test("fails in four ways, as often as it should")
  func failures() throws {
    let server = RowServer(try Options.parse(["--latency", "0", "--failures", "50"]))
    let replies = (0..<400).map { server.answer(RowServer.path(of: $0)) }
    #expect((150...250).contains(replies.enumerated().count { row($1) != $0 }))
    #expect(replies.contains(.never) && replies.contains(.failure(status: 500)))
  }

  @Test("has a reason in the same words for loads that fail alike")
  func reasons() {
    func cut(_ bytes: Int) -> URLError {
      let words = "transfer closed with \(bytes) bytes remaining to read"
      return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words])
    }
    #expect(reason(of: cut(1)) == "connection cut" && reason(of: cut(2)) == reason(of: cut(1)))
    #expect(reason(of: HTTPStatusError(status: 503)) == "HTTP 503")
    let tracker = OperationError(code: .timedOut, description: "It took too long.")
    #expect(reason(of: tracker) == reason(of: URLError(.timedOut)))
  }
}
