import CGtk
import Foundation

/// Writes pictures of so many pixels that decoding takes longer than a frame.
///
/// They have four colours, and few bytes: decoders get most of the pixels in one piece.
enum LargePicture {
  /// - Parameters:
  ///   - number: The number of the picture, from which its colours follow.
  ///   - side: A multiple of 100, in pixels.
  static func write(_ number: Int, side: Int, to path: String) throws {
    var png = Data([0x89]) + Data("PNG\r\n".utf8) + Data([0x1a, 0x0a])
    // Two bits for each pixel, which are an index into the palette.
    png.append(chunk: "IHDR", bytes(side) + bytes(side) + [2, 3, 0, 0, 0])
    let palette = [0xF6D9B8, 0xC58C85, 0x7A5A79, 0x2E2A47]
    png.append(chunk: "PLTE", palette.flatMap { color(number, bytes($0)) })
    png.append(chunk: "IDAT", try pixels(side))
    png.append(chunk: "IEND", [])
    try png.write(to: URL(fileURLWithPath: path))
  }

  /// Exchanges red, green and blue.
  private static func color(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    (0..<3).map { bytes[1 + ($0 + number) % 3] }
  }

  fileprivate static func bytes(_ number: Int) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The lines of a picture of hills, compressed.
  private static func pixels(_ side: Int) throws -> [UInt8] {
    let memory = g_memory_output_stream_new_resizable()
    defer { g_object_unref(memory) }
    let compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 1)
    defer { g_object_unref(compressor?.raw) }
    let stream = g_converter_output_stream_new(memory, compressor)
    defer { g_object_unref(stream) }
    // A line that repeats the one above it consists of zeros.
    let (repeated, height) = ([2] + [UInt8](repeating: 0, count: side / 4), side / 100)
    var error: UnsafeMutablePointer<GError>?
    for y in 0..<side {
      let line = y % height == 0 ? [0] + line(Double(y) / Double(side), width: side / 4) : repeated
      guard g_output_stream_write_all(stream, line, gsize(line.count), nil, nil, &error) != 0
      else { throw LibraryError.taken(error) }
    }
    guard g_output_stream_close(stream, nil, &error) != 0 else { throw LibraryError.taken(error) }
    let data = g_memory_output_stream_get_data(memory?.cast(to: GMemoryOutputStream.self))
    let count = g_memory_output_stream_get_data_size(memory?.cast(to: GMemoryOutputStream.self))
    return [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
  }

  /// - Parameter y: 0 for the line at the top and 1 for the one at the bottom.
  private static func line(_ y: Double, width: Int) -> [UInt8] {
    stride(from: 0, to: width, by: 25).flatMap { byte in
      let x = Double(byte) / Double(width)
      let hills = (1...3).filter { layer in
        let layer = Double(layer)
        return y > 0.2 + 0.2 * layer + 0.08 * sin(x * (12 - 2 * layer) + 2 * layer)
      }
      return [UInt8](repeating: UInt8(hills.count * 0b0101_0101), count: 25)
    }
  }
}

extension Data {
  /// Adds a part of a PNG file.
  fileprivate mutating func append(chunk name: String, _ content: [UInt8]) {
    let part = Data(name.utf8) + content
    let sum = ~part.reduce(~0) {
      $0 >> 8 ^ Self.remainders[Int(UInt8(truncatingIfNeeded: $0) ^ $1)]
    }
    append(contentsOf: LargePicture.bytes(content.count))
    append(part)
    append(contentsOf: LargePicture.bytes(Int(sum)))
  }

  /// The table for the checksum of PNG.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
  }
}
