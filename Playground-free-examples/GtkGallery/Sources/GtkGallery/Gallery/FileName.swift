import Foundation

/// A file's name or path in the bytes by which the system knows it: they need not be UTF-8.
struct FileName: Hashable, Sendable {
  private static let slash = UInt8(ascii: "/")

  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  init(_ text: String) { self.init(text.utf8) }

  init(cString: UnsafePointer<CChar>) {
    self.init(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
  }

  /// The bytes after the last slash.
  var last: FileName {
    FileName(bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...])
  }

  /// The bytes after the last dot, as text in small letters; empty if there is no dot.
  var ending: String {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return FileName(bytes[(dot + 1)...]).description.lowercased()
  }

  /// The name without its ending.
  var stem: FileName {
    FileName(bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)])
  }

  func appending(_ name: FileName) -> FileName { FileName(bytes + [Self.slash] + name.bytes) }

  static func + (name: FileName, text: String) -> FileName { FileName(name.bytes + text.utf8) }

  func withCString<Output>(_ body: (UnsafePointer<CChar>) throws -> Output) rethrows -> Output {
    try (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      try buffer.baseAddress.map(body) ?? body("")
    }
  }
}

extension FileName: CustomStringConvertible {
  /// The text to show: bytes that are not UTF-8 become `\xff`.
  var description: String {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var (text, rest) = (String.UnicodeScalarView(), bytes[...])
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        text.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) {
          text.append(contentsOf: "\\x\(String(byte, radix: 16))".unicodeScalars)
        }
        rest = rest.dropFirst(length)
      case .emptyInput:
        return String(text)
      }
    }
  }
}
