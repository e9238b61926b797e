import Foundation
import RowOperationsTesting

/// The value of a row.
struct RowDocument: Hashable, Sendable {
  /// The row that the document says it is for, or else the row that it was loaded for.
  let row: Int
  /// Whether the document itself says its row.
  let namesRow: Bool
  let fingerprint: Fingerprint

  /// Reads the bytes of a reply as JSON.
  init(json data: Data, row: Int) throws(DocumentFault) {
    guard !data.isEmpty else { throw .empty }
    let said: Said
    do {
      said = try JSONDecoder().decode(Said.self, from: data)
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw .noObject
    } catch {
      throw .notJSON
    }
    self.row = said.row ?? row
    namesRow = said.row != nil
    fingerprint = Fingerprint(data)
  }

  /// Takes the bytes of a file as they are.
  init(file data: Data, row: Int) {
    self.row = row
    namesRow = false
    fingerprint = Fingerprint(data)
  }

  /// A foreign document, of which only a number "row" matters.
  private struct Said: Decodable {
    let row: Int?

    private enum CodingKeys: CodingKey { case row }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: CodingKeys.self)
      row = try? object.decode(Int.self, forKey: .row)
    }
  }
}

/// Why the bytes of a reply are no document.
enum DocumentFault: Error, Hashable {
  case empty, notJSON, noObject
}

/// The document of a row as the embedded server sends it.
struct WireDocument: Encodable, Sendable {
  let row: Int
  let title: String
  let text: String

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
