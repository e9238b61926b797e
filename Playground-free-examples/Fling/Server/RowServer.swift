import Foundation
import RowOperationsTesting

/// The document of a row: its value.
struct RowDocument: Codable, Hashable, Sendable {
  let row: Int
  let title: String
  let text: String

  /// The document that the server makes up for a row, the same each time.
  static func madeUp(for row: Int) -> RowDocument {
    let words = ["lists", "scroll", "rows", "come", "and", "go", "while", "cells", "stay"]
    var random = SeededGenerator(seed: UInt64(row))
    let text = (0..<80).map { _ in words.randomElement(using: &random) ?? "" }
    return RowDocument(row: row, title: "Row \(row)", text: text.joined(separator: " "))
  }
}

/// The server's answers: documents, late, and sometimes wrong.
struct RowServer: Sendable {
  private enum Fault: CaseIterable { case error, cut, malformed, never }

  private let options: Options
  private let requests = Locked(0)

  init(_ options: Options) { self.options = options }

  /// Where a row is.
  static func path(of row: Int) -> String { "/rows/\(row)" }

  func answer(_ path: String) -> Server.Reply {
    let request = requests.change { count in
      count += 1
      return count
    }
    let prefix = "/rows/"
    guard path.hasPrefix(prefix), let row = Int(path.dropFirst(prefix.count)),
      0..<options.rows ~= row
    else { return .failure(status: 404) }
    var random = SeededGenerator(seed: options.seed &+ UInt64(row) << 20 &+ UInt64(request))
    let delay = Int.random(in: options.latency, using: &random)
    Thread.sleep(forTimeInterval: Double(delay) / 1000)
    let fails = Int.random(in: 0..<100, using: &random) < options.failures
    switch fails ? Fault.allCases.randomElement(using: &random) : nil {
    case .error: return .failure(status: 500)
    case .never: return .never
    case .cut: return .cut(Data(repeating: 0, count: 512))
    case .malformed: return .document(Data("{\"row\": ".utf8))
    case nil:
      let data = try? JSONEncoder().encode(RowDocument.madeUp(for: row))
      return data.map { .document($0) } ?? .failure(status: 500)
    }
  }
}
