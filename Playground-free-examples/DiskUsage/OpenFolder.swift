import Foundation

/// Why a file or a folder cannot be read.
enum FileError: Error, CustomStringConvertible {
  /// It does not exist, or is no longer of the same kind: another program has changed it.
  case gone
  /// The system refuses it with this code.
  case refused(Int32)

  init(_ code: Int32) {
    self = [ENOENT, ENOTDIR, ELOOP].contains(code) ? .gone : .refused(code)
  }

  var description: String {
    switch self {
    case .gone: "it is not there any more"
    case .refused(let code): String(cString: strerror(code))
    }
  }
}

/// The identity of a file, which all its names share.
struct FileID: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
}

/// The system's record of a file, or of a symbolic link itself.
struct FileStatus {
  let id: FileID
  let bytes: UInt64
  let isFolder: Bool
  let isLink: Bool
  /// How many names it has.
  let names: Int

  init(of path: Path) throws(FileError) {
    var status = stat()
    let code = path.reach { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
    guard code == 0 else { throw FileError(errno) }
    self.init(status)
  }

  init(_ status: stat) {
    id = FileID(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    bytes = UInt64(clamping: status.st_size)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isLink = status.st_mode & S_IFMT == S_IFLNK
    names = Int(status.st_nlink)
  }
}

extension Path {
  var isGone: Bool {
    do throws(FileError) {
      _ = try FileStatus(of: self)
      return false
    } catch {
      if case .gone = error { return true }
      return false
    }
  }
}

/// A folder that is being read, open as long as the object lives.
final class OpenFolder {
  #if canImport(Darwin)
    private let stream: UnsafeMutablePointer<DIR>
  #else
    private let stream: OpaquePointer
  #endif

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Opens a folder, but not through a symbolic link in its place.
  convenience init(_ path: Path) throws(FileError) {
    try self.init(file: path.reach { openat($0, $1, Self.flags) } ?? -1)
  }

  /// Opens a folder inside another one, or the one above for `..`.
  convenience init(_ name: [UInt8], in folder: OpenFolder) throws(FileError) {
    try self.init(file: withCString(name) { openat(dirfd(folder.stream), $0, Self.flags) })
  }

  /// - Parameter file: The descriptor of an open folder; negative if that failed.
  private init(file: Int32) throws(FileError) {
    guard file >= 0 else { throw FileError(errno) }
    guard let stream = fdopendir(file) else {
      let code = errno
      close(file)
      throw FileError(code)
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// The next entry's name, and its kind if the folder records it; `nil` at the end.
  func next() throws(FileError) -> (name: [UInt8], kind: Int32)? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileError(errno) }
        return nil
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) {
        return (name, Int32(entry.pointee.d_type))
      }
    }
  }

  func status(of name: [UInt8]) throws(FileError) -> FileStatus {
    var status = stat()
    let code = withCString(name) { fstatat(dirfd(stream), $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard code == 0 else { throw FileError(errno) }
    return FileStatus(status)
  }

  /// The system's record of the folder itself.
  var status: FileStatus {
    get throws(FileError) {
      var status = stat()
      guard fstat(dirfd(stream), &status) == 0 else { throw FileError(errno) }
      return FileStatus(status)
    }
  }
}
