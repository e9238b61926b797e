import Foundation
import Testing

@testable import disk_usage

/// A folder for a test, which goes with it.
final class Tree {
  let path: Path

  init() throws {
    // Where it leads: on some systems the place for such folders is a symbolic link.
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

  /// Makes a file that takes no room, whatever its size.
  func addFile(_ name: some Sequence<UInt8>, bytes: Int = 0) throws {
    let file = withCString(path.appending(name).bytes) { open($0, O_CREAT | O_WRONLY, 0o644) }
    #expect(file >= 0 && ftruncate(file, bytes) == 0 && close(file) == 0)
  }

  func addFile(_ name: String, bytes: Int = 0) throws { try addFile(name.utf8, bytes: bytes) }

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

/// Whether du, find and the C library are those that figures are compared with.
let isLinux: Bool = {
  #if os(Linux)
    true
  #else
    false
  #endif
}()

/// Runs a command of the shell and returns what it prints.
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

/// What `du -sb` says of a path.
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

/// How many files, by whatever names, are at a path.
func fileCount(at path: String) throws -> Int {
  let files = try run("find '\(path)' ! -type d -printf '%D %i\\n'")
  return Set(files.split(separator: "\n")).count
}

extension Walk {
  /// What a walk comes to that nobody disturbs.
  static func tally(of path: Path) -> Tally {
    var walk = Walk(path)
    while walk.advance(over: 1000) {}
    return walk.tally
  }
}
