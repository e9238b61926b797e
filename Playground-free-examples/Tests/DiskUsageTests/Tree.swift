import Foundation
import Testing

@testable import disk_usage

/// A temporary folder that lives as long as this object.
final class Tree {
  let path: Path

  init() throws {
    // On some systems the temporary directory is a symbolic link.
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("disk-usage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = Path(folder.path.utf8)
  }

  deinit { _ = try? run("rm -rf '\(self)'") }

  func path(_ name: String) -> Path { path.appending(name.utf8) }

  /// Makes a folder and those on the way to it.
  func addFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(self)/\(name)", withIntermediateDirectories: true)
  }

  /// Makes a sparse file, which takes no room on the disk.
  func addFile(_ name: some Sequence<UInt8>, bytes: Int = 0) throws {
    let file = withCString(path.appending(name).bytes) { open($0, O_CREAT | O_WRONLY, 0o644) }
    #expect(file >= 0 && ftruncate(file, bytes) == 0 && close(file) == 0)
  }

  func addFile(_ name: String, bytes: Int = 0) throws { try addFile(name.utf8, bytes: bytes) }

  /// Makes empty files, and returns their paths in the order of their names.
  func addFiles(_ count: Int, in folder: String = "") throws -> [Path] {
    try (0..<count).map { number in
      let name = "\(folder)file \(1000 + number)"
      try addFile(name)
      return path(name)
    }
  }

  /// Gives a file another name.
  func link(_ name: String, to file: String) {
    #expect(Foundation.link("\(self)/\(file)", "\(self)/\(name)") == 0)
  }

  func addSymbolicLink(_ name: String, to target: String) {
    #expect(symlink(target, "\(self)/\(name)") == 0)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(self)/\(name)")
  }
}

extension Tree: CustomStringConvertible {
  var description: String { String(decoding: path.bytes, as: UTF8.self) }
}

/// Whether du, find and the C library agree with the figures of the tests.
let isLinux: Bool = {
  #if os(Linux)
    true
  #else
    false
  #endif
}()

/// Runs a shell command and returns its output.
func run(_ command: String) throws -> String {
  let pipe = try #require(popen(command, "r"))
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
    text += buffer.prefix(count)
  }
  pclose(pipe)
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that `du -sb` prints for a path.
func diskUsage(of path: String) throws -> UInt64 {
  func bytes(_ path: String) throws -> UInt64 {
    try #require(UInt64(try run("du -sb '\(path)'").prefix { $0 != "\t" }))
  }
  let empty = try Tree()
  guard try bytes("\(empty)") == 0 else { return try bytes(path) }
  // From 9.2 on, du no longer counts the folders themselves.
  let folders = try run("find '\(path)' -type d -printf '%s\\n'")
  return try folders.split(separator: "\n").compactMap { UInt64($0) }.reduce(bytes(path), +)
}

/// How many files are below a path, each counted once however many names it has.
func fileCount(at path: String) throws -> Int {
  let files = try run("find '\(path)' ! -type d -printf '%D %i\\n'")
  return Set(files.split(separator: "\n")).count
}

extension Walk {
  /// The result of a whole walk.
  static func tally(of path: Path) -> Tally {
    var walk = Walk(path)
    while walk.advance(over: 1000) {}
    return walk.tally
  }
}
