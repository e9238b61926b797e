/// A command that a key stands for.
enum Key: Equatable, Sendable {
  case up, down, pageUp, pageDown, home, end, open, back, sort, refresh, quit
}

/// Turns the bytes that a terminal sends into keys, each of which may arrive in several portions.
struct KeyReader {
  private var rest: [UInt8] = []

  mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
    rest += bytes
    var keys: [Key] = []
    while let (key, length) = first() {
      rest.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key and its number of bytes; `nil` if some of them are missing.
  private func first() -> (key: Key?, length: Int)? {
    guard let byte = rest.first else { return nil }
    guard byte == 0x1B else { return (Self.plain[byte], 1) }
    guard rest.count > 1 else { return nil }
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (nil, 1) }
    guard let end = rest[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    return (Self.sequences[String(decoding: rest[2...end], as: UTF8.self)], end + 1)
  }

  private static let plain: [UInt8: Key] = [
    0x0D: .open, 0x0A: .open, 0x7F: .back, 0x08: .back, UInt8(ascii: "s"): .sort,
    UInt8(ascii: "r"): .refresh, UInt8(ascii: "q"): .quit,
  ]

  /// The keys by their bytes after `ESC [` or `ESC O`, for all common terminals.
  private static let sequences: [String: Key] = [
    "A": .up, "B": .down, "C": .open, "D": .back, "H": .home, "F": .end, "1~": .home, "4~": .end,
    "7~": .home, "8~": .end, "5~": .pageUp, "6~": .pageDown, "M": .open,
  ]
}
