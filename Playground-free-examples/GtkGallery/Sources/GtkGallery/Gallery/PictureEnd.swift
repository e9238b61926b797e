import Foundation

/// Follows the parts of a picture's file and knows whether the last part has arrived.
///
/// GdkPixbuf accepts JPEG, PNG and BMP files that end too early, and leaves the rest of the picture
/// grey or black. It reports such GIF, TIFF and TGA files itself. Icons and PNM files are too rare
/// here for a rule of their own.
struct PictureEnd {
  private enum State {
    /// The first bytes of the file.
    case header
    /// Length and type of a part of a PNG file.
    case chunk
    /// Bytes of a JPEG file up to the next `FF`.
    case search
    /// The byte after an `FF`.
    case marker
    /// The length of a part of a JPEG file.
    case segment
    /// The last part has begun or is complete.
    case last
    /// A format without a rule here.
    case unknown

    /// How many bytes decide about the next state.
    var length: Int {
      switch self {
      case .header: 34
      case .chunk: 8
      case .marker: 1
      case .segment: 2
      case .search, .last, .unknown: 0
      }
    }
  }

  private var state = State.header
  private var gathered: [UInt8] = []
  /// How many bytes of the current part are missing.
  private var missing = 0

  /// Whether the picture goes on after the bytes so far.
  var isCut: Bool {
    switch state {
    case .header, .unknown: false
    case .last: missing > 0
    case .chunk, .search, .marker, .segment: true
    }
  }

  /// Follows the next bytes of the file.
  mutating func read(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      if missing > 0 {
        let count = min(missing, rest.count)
        missing -= count
        rest = rest.dropFirst(count)
        continue
      }
      switch state {
      case .last, .unknown: return
      case .search:
        rest = rest.dropFirst(Self.distanceToMarker(in: rest))
        if rest.popFirst() != nil { state = .marker }
      case .header, .chunk, .marker, .segment:
        let part = rest.prefix(state.length - gathered.count)
        gathered += part
        rest = rest.dropFirst(part.count)
        guard gathered.count == state.length else { return }
        let complete = gathered
        gathered = []
        advance(complete)
      }
    }
  }

  private mutating func advance(_ part: [UInt8]) {
    switch state {
    case .header: begin(part)
    case .chunk: endChunkHeader(part)
    case .marker: endMarker(part[0])
    case .segment:
      missing = max(part.bigEndian - 2, 0)
      state = .search
    case .search, .last, .unknown: break
    }
  }

  private mutating func begin(_ part: [UInt8]) {
    if part.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      state = .chunk
      read(part[8...])
    } else if part.starts(with: [0xFF, 0xD8]) {
      state = .search
      read(part[2...])
    } else if part.starts(with: [0x42, 0x4D]), let bytes = Self.bitmapBytes(part) {
      state = .last
      missing = max(bytes - part.count, 0)
    } else {
      state = .unknown
    }
  }

  private mutating func endChunkHeader(_ part: [UInt8]) {
    if part[4...].elementsEqual("IEND".utf8) {
      state = .last
    } else {
      // A checksum follows the content.
      missing = part[..<4].bigEndian + 4
    }
  }

  private mutating func endMarker(_ marker: UInt8) {
    switch marker {
    case 0xD9: state = .last
    case 0xFF: break
    // An `FF` among the pixels, a restart, and markers that have no content.
    case 0x00, 0x01, 0xD0...0xD8: state = .search
    default: state = .segment
    }
  }

  private static func distanceToMarker(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, let place = memchr(start, 0xFF, buffer.count) else {
        return buffer.count
      }
      return UnsafeRawPointer(place) - start
    }
  }

  /// The size of a BMP file; `nil` if its pixels are compressed.
  private static func bitmapBytes(_ part: [UInt8]) -> Int? {
    func field(_ place: Int, _ count: Int) -> Int {
      part[place..<place + count].reversed().bigEndian
    }
    guard field(14, 4) >= 40, [0, 3, 6].contains(field(30, 4)) else { return nil }
    let height = Int(Int32(truncatingIfNeeded: field(22, 4)).magnitude)
    let line = (field(18, 4) * field(28, 2) + 31) / 32 * 4
    let (pixels, isTooLarge) = line.multipliedReportingOverflow(by: height)
    return isTooLarge ? nil : field(10, 4) + pixels
  }
}

extension Sequence<UInt8> {
  fileprivate var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}

/// An error for a file that ends before its picture does.
struct CutOff: Error, CustomStringConvertible {
  var description: String { "Its file ends before the picture does." }
}
