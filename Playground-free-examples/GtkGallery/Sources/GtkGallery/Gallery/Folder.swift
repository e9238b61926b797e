import CGtk
import Foundation

/// Something that keeps the gallery from doing what it was asked to, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A folder of pictures.
struct Folder: Sendable {
  let url: URL

  /// What tells whether a picture is still the one that was loaded.
  struct Stamp: Hashable, Sendable {
    let file: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// A picture's file, without its folder.
  struct Entry: Sendable {
    let name: String
    let stamp: Stamp
  }

  init(path: String) { url = URL(fileURLWithPath: path).standardizedFileURL }

  var name: String { url.lastPathComponent }

  func path(of name: String) -> String { url.path + "/" + name }

  /// The pictures in the folder, by their names' endings, ordered as people count.
  func entries() throws -> [Entry] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw Complaint("There is no folder '\(url.path)'.")
    }
    guard isFolder.boolValue else { throw Complaint("'\(url.path)' is no folder.") }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
      throw Complaint("The folder '\(url.path)' cannot be read.")
    }
    return names.filter(Self.isPicture).compactMap(entry)
      .map { ($0, Self.order(of: $0.name)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      .map(\.0)
  }

  /// Regular files only: what else has such a name may never end.
  private func entry(_ name: String) -> Entry? {
    var status = stat()
    guard stat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Entry(
      name: name,
      stamp: Stamp(
        file: UInt64(status.st_ino), size: Int64(status.st_size),
        seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
  }

  private static func isPicture(_ name: String) -> Bool {
    guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }

  private static let endings: Set<String> = {
    var endings: Set<String> = []
    let formats = gdk_pixbuf_get_formats()
    defer { g_slist_free(formats) }
    for format in sequence(first: formats, next: { $0?.pointee.next }) {
      guard let data = format?.pointee.data else { break }
      let names = gdk_pixbuf_format_get_extensions(OpaquePointer(data))
      defer { g_strfreev(names) }
      for name in sequence(first: names, next: { $0.map { $0 + 1 } }) {
        guard let text = name?.pointee else { break }
        endings.insert(String(cString: text))
      }
    }
    return endings
  }()

  private static func order(of name: String) -> [UInt8] {
    let key = g_utf8_collate_key_for_filename(name, -1)
    defer { g_free(key) }
    guard let key else { return [] }
    return UnsafeBufferPointer(start: key, count: strlen(key)).map { UInt8(bitPattern: $0) }
  }
}
