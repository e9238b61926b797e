import Foundation
import Testing

@testable import disk_usage

/// A folder for one test, with files of so many bytes.
@MainActor
private func withFiles<Output>(
  _ files: [String: Int], _ body: (String) async throws -> Output
) async throws -> Output {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for (name, size) in files {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: size).write(to: file)
  }
  return try await body(folder.path)
}

@Suite("disk-usage", .timeLimit(.minutes(2)))
@MainActor
struct DiskUsageTests {
  /// A browser whose rows are all measured.
  private func measured(_ path: String, lines: Int = 3) async throws -> Browser {
    let browser = Browser(try Folder(path))
    // Each layout claims further rows.
    for _ in 0..<10 {
      browser.layOut(lines: lines)
      await browser.waitUntilIdle()
    }
    browser.layOut(lines: lines)
    return browser
  }

  @Test("A row is as large as everything in it, and the largest is the first one")
  func sizes() async throws {
    try await withFiles(["a": 1, "b/c/d": 9_000, "b/e": 500, "f": 70_000]) { path in
      let browser = try await measured(path)
      #expect(browser.rows.map(\.name) == ["f", "b", "a"])
      #expect(browser.sizes["\(path)/f"] == Tally(bytes: 70_000, files: 1))
      let folders = try FileStatus("\(path)/b").bytes + FileStatus("\(path)/b/c").bytes
      #expect(browser.sizes["\(path)/b"] == Tally(bytes: 9_500 + folders, files: 2))
      browser.press(.sort)
      browser.layOut(lines: 3)
      #expect(browser.rows.map(\.name) == ["a", "b", "f"])
    }
  }

  @Test("Rows off screen are measured too, since one of them may be the largest")
  func offScreen() async throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<90).map { ("\(100 + $0)", $0) })
    try await withFiles(files) { path in
      let browser = try await measured(path)
      #expect(browser.measured.count == 90)
      #expect(browser.lines.map(\.entry.name) == ["189", "188", "187"])
    }
  }

  @Test("The cursor keeps its row when the order changes, and follows folders down and up")
  func cursor() async throws {
    try await withFiles(["a": 1, "b/c": 1, "d": 90_000]) { path in
      let browser = Browser(try Folder(path))
      browser.layOut(lines: 3)
      browser.press(.end)
      await browser.waitUntilIdle()
      browser.layOut(lines: 3)
      #expect(browser.rows.first?.name == "d" && browser.cursor == 0)
      browser.press(.down)
      browser.press(.open)
      #expect(browser.folder.path == "\(path)/b")
      browser.press(.open)
      #expect(browser.message == "c is not a folder.")
      browser.press(.back)
      #expect(browser.folder.path == path && browser.rows[browser.cursor].name == "b")
    }
  }

  @Test("A refresh measures again, and shows new rows")
  func refresh() async throws {
    try await withFiles(["a": 1]) { path in
      let browser = try await measured(path)
      try Data(count: 50).write(to: URL(fileURLWithPath: "\(path)/a"))
      try Data(count: 60).write(to: URL(fileURLWithPath: "\(path)/b"))
      browser.press(.refresh)
      browser.layOut(lines: 3)
      await browser.waitUntilIdle()
      browser.layOut(lines: 3)
      #expect(browser.rows.map(\.name) == ["b", "a"])
      #expect(browser.sizes["\(path)/a"]?.bytes == 50)
    }
  }

  @Test("A live row follows its file, and says that it is gone")
  func live() async throws {
    try await withFiles(["a": 1]) { path in
      let file = URL(fileURLWithPath: "\(path)/a")
      var last = 0
      await #expect(throws: SystemError.self) {
        for try await tally in Tally.changes(of: file.path, every: .zero) where tally.bytes != last
        {
          last = tally.bytes
          if last == 1 {
            try Data(count: 7).write(to: file)
          } else if last == 7 {
            try FileManager.default.removeItem(at: file)
          }
        }
      }
      #expect(last == 7)
    }
  }

  @Test("Folders that cannot be opened are named, with the reason")
  func unreadable() {
    let complaint = #expect(throws: (any Error).self) { try Folder("/nowhere/at/all") }
    #expect(
      complaint.map { "\($0)" }
        == "'/nowhere/at/all' cannot be opened: No such file or directory.")
  }

  @Test("No line is wider than the screen or controls the terminal")
  func frame() async throws {
    try await withFiles(["a\u{1B}[2J\nb": 1, "folder/file": 1, "long name of a file": 5]) { path in
      let browser = try await measured(path)
      for columns in 0..<100 {
        for count in [0, 1, 4, 5, 20] {
          let lines = browser.frame(columns: columns, lines: count)
          #expect(lines.count <= count)
          let texts = lines.map { $0.replacing(/\u{1B}\[[0-9;]+m/, with: "") }
          #expect(texts.allSatisfy { $0.count <= max(columns, 12) && !$0.contains("\u{1B}") })
        }
      }
      let text = browser.frame(columns: 80, lines: 10).joined()
      #expect(text.contains("a?[2J?b") && text.contains("folder/"))
    }
  }

  @Test("Sizes have at most eight columns")
  func figures() {
    #expect(
      [0, 999, 1_000, 999_949, 999_950, 1_000_000, .max].map(Figure.size) == [
        "0 B", "999 B", "1.0 kB", "999.9 kB", "1.0 MB", "1.0 MB", "9.2 EB",
      ])
    #expect(Figure.bar(1, columns: 4) == "████" && Figure.bar(0.01, columns: 4) == "▏   ")
  }

  @Test("Keys are understood in whatever portions their bytes arrive")
  func keys() {
    let bytes = Array("\u{1B}[A\u{1B}OB\u{1B}[5~s\u{1B}[99~\rq".utf8)
    var reader = KeyReader()
    #expect(reader.read(bytes) == [.up, .down, .pageUp, .sort, .open, .quit])
    #expect(bytes.flatMap { reader.read([$0]) } == [.up, .down, .pageUp, .sort, .open, .quit])
  }
}
