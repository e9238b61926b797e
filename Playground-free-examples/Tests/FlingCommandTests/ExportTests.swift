import Foundation
import Testing

@testable import fling

@Suite("An export of fling")
struct ExportTests {
  @Test("reports the files that it wrote, and how to serve them")
  func report() async throws {
    try await withFolder { folder in
      let export = try Export.write(3, to: folder.path)
      let files = try (0..<3).map {
        try Data(contentsOf: folder.appendingPathComponent("rows/\($0).json"))
      }
      #expect(export.bytes == files.map(\.count).reduce(0, +))
      let lines = export.report.components(separatedBy: "\n")
      #expect(
        lines[0]
          == "Wrote rows/0.json to rows/2.json into \(folder.path): \(export.bytes) bytes.")
      #expect(lines[1].hasSuffix("--directory \(folder.path)"))
      #expect(lines[2].hasSuffix(" with --origin http://127.0.0.1:8000 --rows 3"))
    }
  }

  @Test("counts the files on the way")
  func progress() async throws {
    try await withFolder { folder in
      var counts: [Int] = []
      _ = try Export.write(3, to: folder.path, onProgress: { counts.append($0) })
      #expect(counts == [0, 1, 2])
    }
  }

  @Test("ends between two files if it is interrupted, and says how many it wrote")
  func interrupt() async throws {
    try await withFolder { folder in
      var count = 0
      let complaint = try #require(throws: Complaint.self) {
        try Export.write(3, to: folder.path, isInterrupted: { count == 2 }) { _ in count += 1 }
      }
      let rows = folder.appendingPathComponent("rows").path
      #expect(complaint.description == "interrupted; 2 of 3 documents are in \(rows)")
      #expect(complaint.exitStatus == 130)
      #expect(try FileManager.default.contentsOfDirectory(atPath: rows).count == 2)
    }
  }

  @Test("makes the folders on the way, and says which one cannot be made")
  func folders() async throws {
    try await withFolder { folder in
      _ = try Export.write(1, to: folder.appendingPathComponent("a/b").path)
      let link = folder.appendingPathComponent("link")
      #expect(symlink(folder.appendingPathComponent("none").path, link.path) == 0)
      let file = folder.appendingPathComponent("a/b/rows/0.json").path
      for (place, part, reason) in [
        (link.path + "/c", link.path + "/c", "No such file or directory"),
        (file + "/c", file + "/c/rows", "Not a directory"),
      ] {
        let complaint = #expect(throws: Complaint.self) { try Export.write(1, to: place) }
        #expect(complaint?.description == "The folder \(part) cannot be made: \(reason).")
      }
    }
  }

  @Test("quotes a folder's name for the shell")
  func quotes() {
    let report = Export(folder: "my list's", count: 10_000, bytes: 4_563_000).report
    #expect(report.contains("--directory 'my list'\\''s'\n"))
    #expect(report.contains("4.6 MB") && !report.contains("--rows"))
  }
}
