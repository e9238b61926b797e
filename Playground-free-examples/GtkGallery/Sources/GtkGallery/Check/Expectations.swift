import CGtk
import Foundation

/// The look of each file, decoded by other calls than those of the gallery.
struct Expectations {
  enum Look: Hashable {
    case picture(Int)
    case failed
  }

  private let folder: Folder
  private let previews: DesktopThumbnails
  private let side: Int
  private var looks: [FileName: Look] = [:]
  /// The earlier looks of replaced files, which may stay until the files are loaded again.
  private var former: [FileName: Look] = [:]
  private var small: [FileName: Look] = [:]

  init(_ folder: Folder, previews: DesktopThumbnails, side: Int) {
    (self.folder, self.previews, self.side) = (folder, previews, side)
  }

  /// Decodes files on other threads than the main thread.
  func looks(of names: [FileName]) async -> [FileName: Look] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, look(of: $0)) })
  }

  mutating func add(_ new: [FileName: Look]) {
    former.merge(looks.filter { new[$0.key] != nil }) { $1 }
    looks.merge(new) { $1 }
  }

  /// Adds files that end before their picture does.
  mutating func add(cut names: [FileName]) {
    looks.merge(names.map { ($0, .failed) }) { $1 }
  }

  /// Adds rows that show their small pictures until they are decoded.
  mutating func addPreviews(of names: [FileName]) {
    for name in names where isPicture(name) {
      let preview = previews.expected(of: folder.path(of: name), side: side)
      small[name] = preview.map { .picture($0.digest) }
    }
  }

  mutating func rested() { (former, small) = ([:], [:]) }

  func holds(_ look: Look, for name: FileName) -> Bool {
    look == looks[name] || look == former[name] || isPreview(look, of: name)
  }

  func isPreview(_ look: Look, of name: FileName) -> Bool { look == small[name] }

  func isPicture(_ name: FileName) -> Bool { looks[name] != .failed }

  private func look(of name: FileName) -> Look {
    let path = folder.path(of: name)
    guard !PictureEnd.isCut(path), let texture = try? Texture(atOnce: path, side: side) else {
      return .failed
    }
    return .picture(texture.digest)
  }
}

extension PictureEnd {
  /// Whether a file ends before its picture, from all its bytes at once.
  fileprivate static func isCut(_ path: FileName) -> Bool {
    var (contents, length): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
    let isRead = path.withCString { g_file_get_contents($0, &contents, &length, nil) }
    defer { g_free(contents) }
    guard isRead != 0 else { return false }
    var end = PictureEnd()
    end.read([UInt8](UnsafeRawBufferPointer(start: contents, count: Int(length)))[...])
    return end.isCut
  }
}

extension Texture {
  /// Decodes a file in one piece.
  convenience init(atOnce path: FileName, side: Int) throws {
    var (width, height): (gint, gint) = (0, 0)
    let format = path.withCString { gdk_pixbuf_get_file_info($0, &width, &height) }
    let isDrawing = format.map { gdk_pixbuf_format_is_scalable($0) != 0 } ?? false
    guard isDrawing || Int(width) * Int(height) <= PictureSize.mostPixels else {
      throw Complaint("'\(path)' is too large.")
    }
    let fitting = min(gint(side), max(width, height))
    let decoded = path.withCString {
      gdk_pixbuf_new_from_file_at_scale($0, fitting, fitting, 1, nil)
    }
    guard let picture = decoded else {
      throw Complaint("'\(path)' is no picture.")
    }
    defer { g_object_unref(picture.raw) }
    self.init(upright: picture)
  }

  /// A number that is the same for the same pixels.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(width)
    pixels.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

extension Thumbnails {
  /// Decodes on the main loop, which a gallery must not do.
  @MainActor
  func loadOnMainLoop(_ row: FileName) throws -> Texture {
    try Texture(atOnce: folder.path(of: row), side: side)
  }
}
