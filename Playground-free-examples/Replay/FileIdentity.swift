import Foundation

/// Which regular file a path leads to, be it there already or not.
///
/// Two paths of one file are equal, also through symbolic and hard links.
enum FileIdentity: Hashable {
  case existing(device: UInt64, number: UInt64)
  case new(path: String)

  /// - Returns: `nil` for a device or a pipe, which keeps nothing.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .existing(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    } else {
      let url = URL(fileURLWithPath: path).standardizedFileURL
      let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
      self = .new(path: folder.appendingPathComponent(url.lastPathComponent).path)
    }
  }
}
