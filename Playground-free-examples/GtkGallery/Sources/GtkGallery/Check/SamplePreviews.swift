import CGtk
import Foundation

extension DesktopThumbnails {
  private static let size = "normal"

  /// Writes a small picture for a file as a file manager does, but one that differs from the file.
  func write(_ number: Int, of path: FileName) throws {
    guard let uri = Self.uri(of: path), let time = Self.time(of: path) else {
      throw Complaint("'\(path)' cannot be read.")
    }
    let url = url(of: uri, size: Self.size)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SamplePictures.paint(
      number, (128, 128), to: url.path,
      texts: ["tEXt::Thumb::URI": uri, "tEXt::Thumb::MTime": String(time)])
  }

  /// The small picture as the gallery must show it until the file is decoded.
  func expected(of path: FileName, side: Int) -> Texture? {
    guard let uri = Self.uri(of: path),
      let picture = gdk_pixbuf_new_from_file(url(of: uri, size: Self.size).path, nil)
    else { return nil }
    defer { g_object_unref(picture.raw) }
    return Texture(scaling: picture, to: side)
  }
}
