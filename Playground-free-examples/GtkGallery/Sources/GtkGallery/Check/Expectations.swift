import CGtk
import Foundation

/// What each file is to look like, decoded by other means than the gallery's.
struct Expectations {
  enum Look: Hashable {
    case picture(Int)
    case failed
  }

  private let folder: Folder
  private let previews: DesktopThumbnails
  private let side: Int
  private var looks: [String: Look] = [:]
  /// What a file that was replaced may look like until it is loaded again.
  private var former: [String: Look] = [:]
  private var small: [String: Look] = [:]

  init(_ folder: Folder, previews: DesktopThumbnails, side: Int) {
    (self.folder, self.previews, self.side) = (folder, previews, side)
  }

  /// Decodes files beside the main thread.
  func looks(of names: [String]) async -> [String: Look] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, look(of: $0)) })
  }

  mutating func add(_ new: [String: Look]) {
    former.merge(looks.filter { new[$0.key] != nil }) { $1 }
    looks.merge(new) { $1 }
  }

  /// The rows that are shown by their small pictures until they are decoded.
  mutating func addPreviews(of names: [String]) {
    for name in names where isPicture(name) {
      let preview = previews.expected(of: folder.path(of: name), side: side)
      small[name] = preview.map { .picture($0.digest) }
    }
  }

  mutating func rested() { (former, small) = ([:], [:]) }

  func holds(_ look: Look, for name: String) -> Bool {
    look == looks[name] || look == former[name] || isPreview(look, of: name)
  }

  func isPreview(_ look: Look, of name: String) -> Bool { look == small[name] }

  func isPicture(_ name: String) -> Bool { looks[name] != .failed }

  private func look(of name: String) -> Look {
    (try? Texture(atOnce: folder.path(of: name), side: side)).map { .picture($0.digest) } ?? .failed
  }
}

extension Texture {
  /// Decodes a file in one piece.
  convenience init(atOnce path: String, side: Int) throws {
    var (width, height): (gint, gint) = (0, 0)
    let format = gdk_pixbuf_get_file_info(path, &width, &height)
    let isDrawing = format.map { gdk_pixbuf_format_is_scalable($0) != 0 } ?? false
    guard isDrawing || Int(width) * Int(height) <= PictureSize.mostPixels else {
      throw Complaint("'\(path)' is too large.")
    }
    let fitting = min(gint(side), max(width, height))
    guard let picture = gdk_pixbuf_new_from_file_at_scale(path, fitting, fitting, 1, nil) else {
      throw Complaint("'\(path)' is no picture.")
    }
    defer { g_object_unref(picture.raw) }
    self.init(upright: picture)
  }

  /// The same for the same pixels.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(width)
    pixels.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

extension Thumbnails {
  /// What a gallery must not do.
  @MainActor
  func loadOnMainLoop(_ row: String) throws -> Texture {
    try Texture(atOnce: folder.path(of: row), side: side)
  }
}
