import Foundation
import Testing

@testable import replay

@Suite("The files of replay")
struct FileTests {
  private func complaint(_ body: () throws -> Void) -> String? {
    #expect(throws: Complaint.self) { try body() }?.description
  }

  @Test("Pipes are read to their end, as files are")
  func pipes() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("a recording".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try readText("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == "a recording")
    #expect(try readText("/dev/null") == "")
  }

  @Test("Files that cannot be read or written are named, with the reason")
  func reasons() {
    #expect(complaint { _ = try readText("") } == "There is no file ''.")
    #expect(complaint { _ = try readText("/dev") } == "'/dev' is a folder, not a recording.")
    #expect(
      complaint { try writeFile("", "/nowhere/run.svg") }
        == "'/nowhere/run.svg' cannot be written: No such file or directory.")
  }

  #if os(Linux)
    @Test("A full standard output is not taken for a success")
    func fullOutput() {
      let full = open("/dev/full", O_WRONLY)
      defer { close(full) }
      #expect(
        complaint { try printOrFail("text", to: full) }
          == "The standard output cannot be written: No space left on device.")
    }
  #endif
}
