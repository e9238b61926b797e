import Foundation
import Testing

@testable import disk_usage

@Suite("The plain rows")
struct PlainTests {
  private func contents(_ tree: Tree, _ tallies: [Tally]) throws -> Contents {
    for row in tallies.indices { try tree.addFile("\(row)") }
    var contents = Contents(try Listing(tree.path), by: .size)
    for (row, tally) in tallies.enumerated() { contents.shows(tally, in: row) }
    return contents
  }

  @Test("are the largest ones, as bytes, files and name")
  func largest() throws {
    let tree = try Tree()
    let tallies = [Tally(bytes: 5, files: 1), Tally(bytes: 7, files: 2), Tally(bytes: 6, files: 3)]
    let rows = PlainRows(try contents(tree, tallies), count: 2)
    #expect(rows.lines == ["7\t2\t1", "6\t3\t2"] && rows.complaints.isEmpty)
  }

  @Test("have a sentence about those that are too small, and about those that vanished")
  func complaints() throws {
    let tree = try Tree()
    let tallies = [Tally(bytes: 5, unreadable: 3), Tally(trouble: .gone), Tally(bytes: 6)]
    let rows = PlainRows(try contents(tree, tallies), count: 9)
    #expect(rows.lines == ["6\t0\t2", "5\t0\t0"])
    #expect(
      rows.complaints == [
        "Some sizes are too small, as not everything could be read in: 0 (3 unreadable).",
        "Rows that vanished meanwhile are left out: 1.",
      ])
  }

  @Test("leave out a row that vanished after it was measured")
  func vanishedRow() throws {
    let tree = try Tree()
    let tallies = [Tally(bytes: 5, files: 1), Tally(bytes: 6, files: 1)]
    let contents = try contents(tree, tallies)
    try tree.remove("1")
    let rows = PlainRows(contents, count: 9)
    #expect(rows.lines == ["5\t1\t0"])
    #expect(rows.complaints == ["Rows that vanished meanwhile are left out: 1."])
  }

  @Test("name five of many that vanished")
  func manyNames() throws {
    let tree = try Tree()
    let gone = try contents(tree, Array(repeating: Tally(trouble: .gone), count: 7))
    #expect(
      PlainRows(gone, count: 9).complaints
        == ["Rows that vanished meanwhile are left out: 0, 1, 2, 3, 4 and 2 more."])
  }

  @Test("are none if the folder vanished meanwhile")
  func vanished() throws {
    let tree = try Tree()
    try tree.addFolder("folder")
    try tree.addFile("folder/file", bytes: 9)
    var contents = Contents(try Listing(tree.path("folder")), by: .size)
    contents.shows(Tally(bytes: 9, files: 1), in: 0)
    try tree.remove("folder")
    let rows = PlainRows(contents, count: 9)
    #expect(rows.lines.isEmpty)
    #expect(
      rows.complaints
        == ["\(tree.path("folder").quoted) vanished while it was measured. Run it again."])
  }
}

@Suite("A complaint")
struct ComplaintTests {
  private func complaint(_ path: Path) -> String? {
    guard let resolved = withCString(path.bytes, { realpath($0, nil) }) else {
      return Complaint.cannotFind(path, errno).description
    }
    free(resolved)
    return nil
  }

  @Test("says why there is no folder at a path")
  func paths() throws {
    let tree = try Tree()
    try tree.addFile("file")
    tree.addSymbolicLink("broken", to: "nowhere")
    tree.addSymbolicLink("loop", to: "loop")
    func quoted(_ name: String) -> String { tree.path(name).quoted }
    #expect(complaint(tree.path("nothing")) == "There is no folder \(quoted("nothing")).")
    #expect(complaint(tree.path("file/")) == "\(quoted("file")) is a file, not a folder.")
    #expect(complaint(tree.path("file/x")) == "\(quoted("file/x")) leads through a file.")
    #expect(
      complaint(tree.path("broken"))
        == "\(quoted("broken")) is a symbolic link to something that is missing.")
    #expect(
      complaint(tree.path("loop"))
        == "\(quoted("loop")) is a symbolic link that leads back to itself.")
    #expect(complaint(Path("".utf8)) == "There is no folder ''.")
    #expect(complaint(Path("//".utf8)) == nil)
  }

  #if os(Linux)
    @Test("says why nothing can be printed")
    func fullOutput() {
      let full = open("/dev/full", O_WRONLY)
      defer { close(full) }
      let complaint = #expect(throws: Complaint.self) { try printOrFail("text", to: full) }
      #expect(
        complaint?.description == "The standard output cannot be written: No space left on device.")
    }
  #endif

  @Test("says why nothing can be drawn")
  func terminals() {
    #expect(Terminal.obstacle(isTerminal: true, type: "xterm") == nil)
    #expect(Terminal.obstacle(isTerminal: true, type: nil) == nil)
    #expect(Terminal.obstacle(isTerminal: true, type: "dumb")?.contains("TERM is 'dumb'") == true)
    #expect(Terminal.obstacle(isTerminal: false, type: "dumb")?.contains("no terminal") == true)
  }
}
