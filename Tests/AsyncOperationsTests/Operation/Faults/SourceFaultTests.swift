import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Rules for the sources, where the compiler and the sanitizer do not help.
@Suite("Compiler and sanitizer (faults 23 to 25)", .timeLimit(.minutes(10)))
struct SourceFaultTests {
  private static let folders = ["AsyncOperations", "RowOperations/Update"]

  private struct Source: CustomStringConvertible {
    let description: String
    let lines: [Substring]
  }

  private static func sources() throws -> [Source] {
    let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Tests" }
    return try folders.flatMap { folder in
      let path = NSString.path(withComponents: root + ["Sources", folder])
      let names = try FileManager.default.subpathsOfDirectory(atPath: path)
      return try names.filter { $0.hasSuffix(".swift") }.map { name in
        let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.contains("///") }
        return Source(description: name, lines: lines)
      }
    }
  }

  @Test("Fault 23: every unchecked Sendable has a comment that explains its protection")
  func uncheckedSendable() throws {
    for source in try Self.sources() {
      let unchecked = source.lines.filter {
        $0.contains("@unchecked Sendable") || $0.contains("nonisolated(unsafe)")
      }
      let explained = source.lines.filter { $0.contains("// Sendable:") }
      #expect(unchecked.count == explained.count, "\(source)")
    }
  }

  @Test("Fault 24: no source imports Synchronization, because the sanitizer cannot see its Mutex")
  func noMutex() throws {
    let sources = try Self.sources()
    #expect(sources.count > 10)
    for source in sources {
      #expect(!source.lines.contains { $0.contains("import Synchronization") }, "\(source)")
    }
  }
}
