import CGtk
import Foundation

/// Why the gallery cannot do its work, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A folder of pictures.
struct Folder: Sendable {
  let path: FileName

  /// A value that differs once the file of a name is another one or has changed.
  struct Stamp: Hashable, Sendable {
    let file: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// A picture's file, without its folder.
  struct Entry: Sendable {
    let name: FileName
    let stamp: Stamp
  }

  init(_ path: FileName) {
    let absolute = path.withCString { g_canonicalize_filename($0, nil) }
    defer { g_free(absolute) }
    self.path = absolute.map { FileName(cString: $0) } ?? path
  }

  var name: FileName { path.last }

  func path(of name: FileName) -> FileName { path.appending(name) }

  /// The pictures in the folder, by the endings of their names, in the order in which people count.
  func entries() throws -> [Entry] {
    try names().filter(Self.isPicture).compactMap(entry)
      .map { ($0, Self.order(of: $0.name)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      .map(\.0)
  }

  private func names() throws -> [FileName] {
    guard let stream = path.withCString({ opendir($0) }) else {
      switch errno {
      case ENOENT: throw Complaint("There is no folder '\(path)'.")
      case ENOTDIR: throw Complaint("'\(path)' is a file, not a folder.")
      case let code:
        throw Complaint("The folder '\(path)' cannot be read: \(String(cString: strerror(code))).")
      }
    }
    defer { closedir(stream) }
    var names: [FileName] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { FileName($0.prefix { $0 != 0 }) })
    }
    return names
  }

  /// The entry of a regular file; other files, such as pipes, may never end.
  private func entry(_ name: FileName) -> Entry? {
    var status = stat()
    let code = path(of: name).withCString { stat($0, &status) }
    guard code == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Entry(
      name: name,
      stamp: Stamp(
        file: UInt64(status.st_ino), size: Int64(status.st_size),
        seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
  }

  private static func isPicture(_ name: FileName) -> Bool {
    name.bytes.first != UInt8(ascii: ".") && endings.contains(name.ending)
  }

  private static let endings: Set = [
    "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "svg", "ico",
  ]

  /// A key to sort by: the text of the name, then its bytes.
  private static func order(of name: FileName) -> [UInt8] {
    let key = g_utf8_collate_key_for_filename(name.description, -1)
    defer { g_free(key) }
    return (key.map { FileName(cString: $0).bytes } ?? []) + [0] + name.bytes
  }
}
