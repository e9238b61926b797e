import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A line that goes with each request to a foreign server, such as a token.
///
/// No message shows its value.
struct RequestHeader: Equatable, Sendable {
  let name: String
  let value: String

  /// Reads `Name: value`.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isOfName),
      !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      throw Complaint("--header must be 'Name: value', as in 'Accept-Language: en'.")
    }
    (name, self.value) = (String(parts[0]), value)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension URLRequest {
  init(_ url: URL, _ headers: [RequestHeader]) {
    self.init(url: url)
    for header in headers { addValue(header.value, forHTTPHeaderField: header.name) }
  }
}
