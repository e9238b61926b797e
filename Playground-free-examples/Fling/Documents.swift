import Foundation
import RowOperations
import RowOperationsTesting

/// The value of a row: the reply to its request.
struct RowDocument: Hashable, Sendable {
  /// The row that asked.
  let row: Int
  /// The row whose number the document has, which may mean something else on a foreign server.
  let namedRow: Int?
  let fingerprint: Fingerprint

  /// Whether the document names another row than the one that asked.
  var namesAnotherRow: Bool { namedRow.map { $0 != row } ?? false }

  /// Reads the bytes of a reply as JSON.
  ///
  /// - Parameters:
  ///   - first: The number of the first row on the server.
  ///   - number: The field that has the row's number.
  init(
    json data: Data, row: Int, first: Int = 0, number: NumberField = .row
  ) throws(DocumentFault) {
    guard !data.isEmpty else { throw .empty }
    let named: Int?
    do {
      named = try number.number(in: data)
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw .noObject
    } catch {
      if Self.isHTML(data) { throw .html }
      throw Self.isNestedTooDeeply(data) ? .tooDeep : .notJSON
    }
    self.row = row
    namedRow = named.map { $0 &- first }
    fingerprint = Fingerprint(data)
  }

  /// Takes the bytes of a file as they are.
  init(file data: Data, row: Int) {
    self.row = row
    namedRow = nil
    fingerprint = Fingerprint(data)
  }

  /// Reads the documents of several rows, which a reply has as an object, by their numbers.
  static func documents(json data: Data, rows: [Int]) throws(DocumentFault) -> [Int: RowDocument] {
    guard !data.isEmpty else { throw .empty }
    let texts: [String: String]
    do {
      texts = try JSONDecoder().decode([String: String].self, from: data)
    } catch {
      throw .notJSON
    }
    var documents: [Int: RowDocument] = [:]
    for row in rows {
      if let text = texts[String(row)] {
        documents[row] = try RowDocument(json: Data(text.utf8), row: row)
      }
    }
    return documents
  }

  /// How many arrays and objects inside each other the system's decoder reads.
  static let depthLimit = 512

  private static func isHTML(_ data: Data) -> Bool {
    let text = String(decoding: data.prefix(1_000), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  /// Whether more arrays and objects lie inside each other than the decoder reads.
  private static func isNestedTooDeeply(_ data: Data) -> Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in data {
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        if depth > depthLimit { return true }
      }
    }
    return false
  }
}

/// Why the bytes of a reply are no document.
enum DocumentFault: Error, Hashable {
  case empty, notJSON, html, noObject
  /// More is nested than the decoder reads; whether it is JSON is unknown.
  case tooDeep
}

/// A reply that is no document, after a redirect.
struct RedirectedFault: Error {
  let fault: DocumentFault
  /// Where the redirect leads.
  let place: String
}

/// The status of an error, after a redirect.
struct RedirectedStatus: Error {
  let error: HTTPStatusError
  /// Where the redirect leads.
  let place: String
}

/// A reply with more bytes than a row may have.
struct ReplyTooLarge: Error {
  /// In bytes.
  let limit: Int
}

/// A reply with a longer header than the system reads.
struct HeaderTooLarge: Error {
  /// Whether the client has cookies of the server.
  let hasCookies: Bool
}

/// A status 431, as the client has cookies of the server, which fill the header of a request.
struct CookiesTooLarge: Error {}

/// The document of a row as the embedded server sends it.
struct WireDocument: Encodable, Sendable {
  let row: Int
  let title: String
  let text: String

  /// The document that the embedded server makes up for a row.
  ///
  /// - Parameter edition: The same number makes the same document.
  static func madeUp(for row: Int, edition: Int = 1) -> WireDocument {
    let words = ["lists", "scroll", "rows", "come", "and", "go", "while", "cells", "stay"]
    var random = SeededGenerator(seed: UInt64(row) &+ UInt64(edition - 1) << 32)
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
