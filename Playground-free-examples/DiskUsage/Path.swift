import Foundation

/// The path of a file, in the bytes by which the system knows it: they need not be UTF-8.
struct Path: Hashable, Sendable {
  private static let slash = UInt8(ascii: "/")

  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The bytes after the last slash.
  var name: ArraySlice<UInt8> {
    bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]
  }

  /// The path of its folder; `nil` for the root.
  var parent: Path? {
    guard let end = bytes.lastIndex(of: Self.slash), bytes.count > 1 else { return nil }
    return Path(bytes[..<max(end, 1)])
  }

  /// The path without the slashes that ask for a folder.
  var withoutSlashesAtEnd: Path {
    Path(bytes.reversed().drop { $0 == Self.slash }.reversed())
  }

  func appending(_ name: some Sequence<UInt8>) -> Path {
    Path((bytes == [Self.slash] ? [] : bytes) + [Self.slash] + name)
  }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Calls `body` with an open folder and a path from there that is short enough for the system.
  ///
  /// - Returns: `nil` if a folder on the way cannot be opened; `errno` says why.
  func reach<Output>(_ body: (Int32, UnsafePointer<CChar>) -> Output) -> Output? {
    Self.reach(bytes[...], from: AT_FDCWD, body)
  }

  private static func reach<Output>(
    _ path: ArraySlice<UInt8>, from base: Int32,
    _ body: (Int32, UnsafePointer<CChar>) -> Output
  ) -> Output? {
    guard path.count >= Int(PATH_MAX), let cut = path.prefix(Int(PATH_MAX) - 1).lastIndex(of: slash)
    else { return withCString(path) { body(base, $0) } }
    let folder = withCString(path[..<cut]) { openat(base, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    return reach(path[(cut + 1)...], from: folder, body)
  }
}

/// Calls `body` with the bytes and a zero after them, as system calls need it.
func withCString<Output>(
  _ bytes: some Sequence<UInt8>, _ body: (UnsafePointer<CChar>) -> Output
) -> Output {
  (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body("")
  }
}
