import Foundation
import Testing

/// Compiles the Swift code of the README, of all articles and of all documentation comments.
///
/// Code for UIKit and SwiftUI is compiled on systems that have them, and elsewhere only parsed. For
/// AppKit there are stand-ins. `SNIPPETS=DIR` leaves the files in a folder, so that the SDKs of
/// other systems can check them.
@Suite("Code in the documentation", .serialized, .timeLimit(.minutes(10)))
struct SnippetTests {
  #if os(macOS) || os(Linux)
    @Test("All of it compiles, without a warning")
    func compiles() async throws {
      let kept = ProcessInfo.processInfo.environment["SNIPPETS"].map(URL.init(fileURLWithPath:))
      let outcome = try await compile(in: kept)
      #expect(outcome.isSuccess, "\(outcome.output)")
    }

    @Test("An error in a block names the line of the document")
    func mistake() async throws {
      let outcome = try await compile {
        $0.replacing("await queue.value(of: Download", with: "await (Downlaod")
      }
      #expect(!outcome.isSuccess)
      #expect(outcome.output.contains("WritingAnAsynchronousOperation.md:"))
    }

    private func compile(
      in folder: URL? = nil, change: (String) -> String = { $0 }
    ) async throws -> Compiler.Outcome {
      let manager = FileManager.default
      let files =
        folder ?? manager.temporaryDirectory.appendingPathComponent("snippets-\(UUID().uuidString)")
      try manager.createDirectory(at: files, withIntermediateDirectories: true)
      defer { if folder == nil { try? manager.removeItem(at: files) } }
      return try await Compiler.compile(
        try prelude(in: files)
          + Document.all.flatMap { Listing($0).sources(change: change) }.map { name, source in
            let file = files.appendingPathComponent(name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            return file
          })
    }

    private func prelude(in folder: URL) throws -> [URL] {
      try Document.files(below: "Tests/SnippetTests/Prelude").map { path in
        let source = Document.root.appendingPathComponent(path)
        let file = folder.appendingPathComponent("Prelude-" + source.lastPathComponent)
        try Data(contentsOf: source).write(to: file)
        return file
      }
    }
  #endif
}
