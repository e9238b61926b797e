import Foundation
import RowOperations
import Testing

@testable import fling

@Suite("The server of fling")
struct RowServerTests {
  private func reply(_ path: String, _ options: String = "") throws -> Server.Reply {
    let words = "--rows 10 --latency 0 \(options)".split(separator: " ").map(String.init)
    return RowServer(try Options.parse(words)).answer(path)
  }

  private func documents(_ reply: Server.Reply) throws -> [RowDocument] {
    guard case .document(let data) = reply else { return [] }
    let decoder = JSONDecoder()
    return try (try? decoder.decode([RowDocument].self, from: data))
      ?? [decoder.decode(RowDocument.self, from: data)]
  }

  @Test("has the same document for a row each time, and one for each row of a batch")
  func rows() throws {
    let single = try documents(reply(RowServer.path(of: 7)))
    #expect(single.map(\.row) == [7])
    #expect(try documents(reply(RowServer.path(of: [3, 7]), "--batch 9"))[1] == single[0])
  }

  @Test("has changes of a row only where documents change")
  func changes() throws {
    let change = try documents(reply(RowServer.path(ofChange: 3), "--live 10"))
    #expect(change.map(\.row) == [3])
    #expect(try reply(RowServer.path(ofChange: 3)) == .failure(status: 404))
    #expect(RowDocument.madeUp(for: 3, edition: 2) != RowDocument.madeUp(for: 3, edition: 3))
  }

  @Test(
    "refuses other paths and rows",
    arguments: ["/", "/rows/", "/rows/10", "/rows/-1", "/rows/3,7", "/batch/3,x", "/batch/3,10"])
  func misuse(path: String) throws {
    #expect(try reply(path) == .failure(status: 404))
  }

  @Test("fails in four ways, as often as it should")
  func failures() throws {
    let server = RowServer(try Options.parse(["--latency", "0", "--failures", "50"]))
    let replies = (0..<400).map { server.answer(RowServer.path(of: $0)) }
    let good = RowServer(Options())
    let wrong = replies.enumerated().filter { row, reply in
      guard case .document(let data) = reply else { return true }
      return (try? JSONDecoder().decode(RowDocument.self, from: data))?.row != row
    }
    #expect((150...250).contains(wrong.count))
    #expect(replies.contains(.never) && replies.contains(.failure(status: 500)))
    #expect(good.answer("/") == .failure(status: 404))
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
