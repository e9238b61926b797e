import Foundation
import RowOperationsTesting

/// What a row shows: what its bytes said, and what they were.
struct RowDocument: Hashable, Sendable {
  /// The row that the document says it is for.
  let row: Int
  let title: String
  let byteCount: Int
  let digest: UInt64
}

/// The document of a row as it travels.
struct WireDocument: Codable, Sendable {
  var row: Int?
  var title: String?
  var text: String?

  /// The document that the embedded server makes up for a row.
  static func madeUp(for row: Int) -> WireDocument {
    let words = ["lists", "scroll", "rows", "come", "and", "go", "while", "cells", "stay"]
    var random = SeededGenerator(seed: UInt64(row))
    let text = (0..<80).map { _ in words.randomElement(using: &random) ?? "" }
    return WireDocument(row: row, title: "Row \(row)", text: text.joined(separator: " "))
  }

  var data: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(self)
    }
  }
}

/// The FNV-1a hash of bytes, 64 bits wide (Fowler, Noll and Vo).
struct FNV1a {
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
