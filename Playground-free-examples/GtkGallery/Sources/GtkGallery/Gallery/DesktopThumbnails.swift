import CGtk
import Foundation

/// Small pictures of files, which file managers make and share.
///
/// A standard of freedesktop.org defines their places and names.
struct DesktopThumbnails: Sendable {
  let folder: URL

  /// The thumbnails of the user.
  static let own = DesktopThumbnails(
    folder: URL(fileURLWithPath: String(cString: g_get_user_cache_dir()) + "/thumbnails"))

  /// The names of their sizes, the most fitting first.
  private static let sizes = ["large", "normal", "x-large"]

  /// The small picture of a file, scaled to the side, unless the file has changed since.
  func texture(of path: FileName, side: Int) -> Texture? {
    guard let uri = Self.uri(of: path), let time = Self.time(of: path) else { return nil }
    for size in Self.sizes {
      let small = url(of: uri, size: size).path
      guard let picture = gdk_pixbuf_new_from_file(small, nil) else { continue }
      defer { g_object_unref(picture.raw) }
      guard Self.text("Thumb::URI", of: picture) == uri,
        Self.text("Thumb::MTime", of: picture) == String(time)
      else { continue }
      return Texture(scaling: picture, to: side)
    }
    return nil
  }

  func url(of uri: String, size: String) -> URL {
    let sum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1)
    defer { g_free(sum) }
    let name = sum.map { String(cString: $0) } ?? ""
    return folder.appendingPathComponent("\(size)/\(name).png")
  }

  static func uri(of path: FileName) -> String? {
    guard let uri = path.withCString({ g_filename_to_uri($0, nil, nil) }) else { return nil }
    defer { g_free(uri) }
    return String(cString: uri)
  }

  /// The time of a file's last change, in seconds since 1970.
  static func time(of path: FileName) -> Int? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? status.st_mtim.tv_sec : nil
  }

  private static func text(_ key: String, of picture: OpaquePointer) -> String? {
    gdk_pixbuf_get_option(picture, "tEXt::" + key).map { String(cString: $0) }
  }
}

extension Texture {
  /// Scales a small picture to the size of the decoded one.
  convenience init?(scaling picture: OpaquePointer, to side: Int) {
    let size = PictureSize(
      width: Int(gdk_pixbuf_get_width(picture)), height: Int(gdk_pixbuf_get_height(picture))
    ).filling(side)
    guard
      let scaled = gdk_pixbuf_scale_simple(
        picture, gint(size.width), gint(size.height), GDK_INTERP_BILINEAR)
    else { return nil }
    defer { g_object_unref(scaled.raw) }
    self.init(gdk_texture_new_for_pixbuf(scaled))
  }
}
