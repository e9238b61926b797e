import Console
import Foundation

/// The entries of a folder, by name.
struct Folder: Sendable {
  struct Entry: Hashable, Sendable {
    let path: String
    let isFolder: Bool

    var name: String { (path as NSString).lastPathComponent }
  }

  let path: String
  let entries: [Entry]

  /// Reads a folder.
  ///
  /// - Throws: A `Complaint` if that is not possible.
  init(_ path: String) throws {
    self.path = path
    do throws(SystemError) {
      entries = try Self.names(in: path).sorted().map { name in
        let path = Self.path(of: name, in: path)
        return Entry(path: path, isFolder: (try? FileStatus(path))?.isFolder ?? false)
      }
    } catch {
      throw Complaint("'\(path)' cannot be opened: \(error).")
    }
  }

  /// The folder above; `nil` for the root.
  var parent: String? { path == "/" ? nil : (path as NSString).deletingLastPathComponent }

  static func path(of name: String, in folder: String) -> String {
    folder == "/" ? "/" + name : "\(folder)/\(name)"
  }

  static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError() }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// The error of the system's last call.
struct SystemError: Error, CustomStringConvertible {
  let number = errno

  var description: String { String(cString: strerror(number)) }
}

/// The system's record of a file, or of a symbolic link itself.
struct FileStatus {
  let bytes: Int
  let isFolder: Bool

  init(_ path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError() }
    bytes = Int(status.st_size)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
