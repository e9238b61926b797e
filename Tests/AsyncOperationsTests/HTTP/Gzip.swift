/// Bodies with `Content-Encoding: gzip`.
enum Gzip {
  private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

  /// A valid body that holds up to 65,535 bytes as they are.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(bytes.count)
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return header + [1] + littleEndian(length) + littleEndian(~length) + bytes
      + littleEndian(~crc) + littleEndian(UInt32(length))
  }

  /// The beginning of a body of zeros.
  ///
  /// Each ``bombPattern`` after it adds ``bombPatternLength`` of them.
  static let bombStart: [UInt8] = {
    var bits = Bits()
    bits.append([0, 1, 0])  // A block with fixed codes, not the last one.
    bits.append([0, 0, 1, 1, 0, 0, 0, 0])  // A zero.
    bits.append(repeatedZeros)
    return header + bits.bytes
  }()

  /// 13 bytes.
  static let bombPattern: [UInt8] = {
    var bits = Bits()
    for _ in 0..<8 { bits.append(repeatedZeros) }
    return bits.bytes
  }()

  static let bombPatternLength = 8 * 258

  /// The last byte 258 times: the code of the length, then the code of the distance.
  private static let repeatedZeros: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]

  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func append(_ bits: [UInt8]) {
      for bit in bits {
        if count % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= bit << UInt8(count % 8)
        count += 1
      }
    }
  }

  private static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian, Array.init)
  }
}
