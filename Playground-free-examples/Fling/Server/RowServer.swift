import Foundation
import RowOperationsTesting

/// The document of a row: its value.
struct RowDocument: Codable, Hashable, Sendable {
  let row: Int
  let title: String
  let text: String

  /// The document that the server makes up for a row.
  ///
  /// - Parameter edition: The same number makes the same document.
  static func madeUp(for row: Int, edition: Int = 1) -> RowDocument {
    let words = ["lists", "scroll", "rows", "come", "and", "go", "while", "cells", "stay"]
    var random = SeededGenerator(seed: UInt64(row) &+ UInt64(edition - 1) << 32)
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

  /// Where a row is, where its next change is, and where several rows are.
  static func path(of row: Int) -> String { "/rows/\(row)" }
  static func path(ofChange row: Int) -> String { "/next/\(row)" }
  static func path(of rows: [Int]) -> String {
    "/batch/" + rows.map(String.init).joined(separator: ",")
  }

  func answer(_ path: String) -> Server.Reply {
    let request = requests.change { count in
      count += 1
      return count
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, ["rows", "next", "batch"].contains(parts[1]) else {
      return .failure(status: 404)
    }
    let (kind, names) = (parts[1], parts[2].split(separator: ",", omittingEmptySubsequences: false))
    let rows = names.compactMap { Int($0) }
    guard rows.count == names.count, rows.allSatisfy({ 0..<options.rows ~= $0 }),
      kind == "batch" || rows.count == 1, kind != "next" || options.live != nil
    else { return .failure(status: 404) }
    var random = SeededGenerator(seed: options.seed &+ UInt64(rows[0]) << 20 &+ UInt64(request))
    var delay = Int.random(in: options.latency, using: &random)
    if kind == "next", let pace = options.live {
      delay += Int.random(in: pace / 2...pace * 3 / 2, using: &random)
    }
    Thread.sleep(forTimeInterval: Double(delay) / 1000)
    let fails = Int.random(in: 0..<100, using: &random) < options.failures
    switch fails ? Fault.allCases.randomElement(using: &random) : nil {
    case .error: return .failure(status: 500)
    case .never: return .never
    case .cut: return .cut(Data(repeating: 0, count: 512))
    case .malformed: return .document(Data("{\"row\": ".utf8))
    case nil:
      let edition = kind == "next" ? request : 1
      let documents = rows.map { RowDocument.madeUp(for: $0, edition: edition) }
      let encoder = JSONEncoder()
      let data = try? kind == "batch" ? encoder.encode(documents) : encoder.encode(documents[0])
      return data.map { .document($0) } ?? .failure(status: 500)
    }
  }
}
