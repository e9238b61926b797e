import CGtk
import Foundation

/// What each file is to look like, decoded by other means than the gallery's.
struct Expectations {
  enum Look: Hashable {
    case picture(Int)
    case failed
  }

  private let folder: Folder
  private let side: Int
  private var looks: [String: Look] = [:]
  /// What a file that was replaced may look like until it is loaded again.
  private var former: [String: Look] = [:]

  init(_ folder: Folder, side: Int) {
    (self.folder, self.side) = (folder, side)
  }

  mutating func add(_ names: [String]) {
    for name in names where looks[name] == nil { looks[name] = look(of: name) }
  }

  mutating func replaced(_ name: String) {
    former[name] = looks[name]
    looks[name] = look(of: name)
  }

  mutating func rested() { former = [:] }

  func holds(_ look: Look, for name: String) -> Bool {
    look == looks[name] || look == former[name]
  }

  func isPicture(_ name: String) -> Bool { looks[name] != .failed }

  private func look(of name: String) -> Look {
    let path = folder.path(of: name)
    var (width, height): (gint, gint) = (0, 0)
    gdk_pixbuf_get_file_info(path, &width, &height)
    let fitting = gint(min(side, Int(max(width, height))))
    guard let picture = gdk_pixbuf_new_from_file_at_scale(path, fitting, fitting, 1, nil) else {
      return .failed
    }
    defer { g_object_unref(picture.raw) }
    let upright = gdk_pixbuf_apply_embedded_orientation(picture)
    defer { g_object_unref(upright?.raw) }
    return .picture(Texture(gdk_texture_new_for_pixbuf(upright)).digest)
  }
}

extension Texture {
  /// The same for the same pixels.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(width)
    pixels.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
