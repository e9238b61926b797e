import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("The order of rows")
struct OrderTests {
  @Test("equals that of a plain sort, for any order of sizes")
  func model() {
    var random = SeededGenerator(seed: 7)
    for count in [0, 1, 2, 3, 10, 60] {
      var order = RowOrder(count: count)
      var sizes = [UInt64?](repeating: nil, count: count)
      for _ in 0..<(count * 4) {
        let row = Int.random(in: 0..<count, using: &random)
        let size = UInt64.random(in: 0...9, using: &random)
        let newSize = Bool.random(using: &random) ? size : nil
        sizes[row] = newSize
        order.setSize(newSize, of: row)
        order.key = Bool.random(using: &random) ? .size : .name
        let sorted = (0..<count).sorted { a, b in
          if order.key == .name { return a < b }
          let (sizeA, sizeB) = (sizes[a].map(Int.init) ?? -1, sizes[b].map(Int.init) ?? -1)
          return (-sizeA, a) < (-sizeB, b)
        }
        #expect((0..<count).map { order[$0] } == sorted)
        #expect(sorted.enumerated().allSatisfy { order.place(of: $1) == $0 })
        #expect(order.largest == sizes.compactMap { $0 }.max() ?? 0)
      }
    }
  }
}

@Suite("A listing")
struct ListingTests {
  @Test("orders names by their bytes, and finds its rows again")
  func order() throws {
    let tree = try Tree()
    let names = [[0xFF], Array("ab".utf8), Array("B".utf8), Array("a".utf8), Array("é".utf8)]
    for name in names { try tree.addFile(name) }
    try tree.addFolder("folder")
    tree.addSymbolicLink("link", to: "folder")
    let listing = try Listing(tree.path)
    let expected = ["B", "a", "ab", "folder", "link", "é"].map { Array($0.utf8) } + [[0xFF]]
    #expect(listing.entries.map(\.name) == expected)
    #expect(
      listing.entries.map(\.kind) == [.other, .other, .other, .folder, .link, .other, .other])
    for row in expected.indices { #expect(listing.row(of: listing.path(of: row)) == row) }
    #expect(listing.row(of: tree.path("b")) == nil)
    #expect(listing.row(of: tree.path("folder/a")) == nil)
  }

  @Test("refuses paths that are no folders")
  func refusals() throws {
    let tree = try Tree()
    try tree.addFile("file")
    tree.addSymbolicLink("link", to: "/usr")
    for name in ["file", "link", "nothing"] {
      #expect(throws: FileError.self) { try Listing(tree.path(name)) }
    }
  }

  @Test("finds parents and children of paths")
  func paths() {
    let root = Path("/".utf8)
    #expect(root.parent == nil)
    #expect(root.appending("usr".utf8) == Path("/usr".utf8))
    #expect(root.appending("usr".utf8).parent == root)
    #expect(Path("/usr/lib".utf8).parent == Path("/usr".utf8))
    #expect(Path("/usr/lib".utf8).name.elementsEqual("lib".utf8))
  }
}

@Suite("Typed input")
struct InputTests {
  @Test("gives the same keys in portions of any size")
  func keys() {
    let input =
      "\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[F\r\u{7F}srq\u{1B}[1;5Azé\u{1B}q\u{1B}[C"
    let expected: [Key] = [
      .up, .down, .pageUp, .pageDown, .home, .end, .open, .back, .sort, .refresh, .quit, .quit,
      .open,
    ]
    for portion in 1...input.utf8.count {
      var reader = KeyReader()
      let bytes = Array(input.utf8)
      let keys = stride(from: 0, to: bytes.count, by: portion).flatMap { start in
        reader.read(bytes[start..<min(start + portion, bytes.count)])
      }
      #expect(keys == expected)
    }
  }

  @Test("have a help of at most 80 columns, which lists both names of the help")
  func help() {
    let lines = Options.help.components(separatedBy: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains { $0.hasPrefix("  -h, --help ") })
    #expect(Options.help.contains("swift run -c release disk-usage"))
  }

  @Test("keeps the bytes of a command line")
  func options() throws {
    func parse(_ arguments: String...) throws -> Options {
      try Options.parse(arguments.map { Array($0.utf8) })
    }
    #expect(try parse() == Options())
    #expect(try parse("/usr", "--plain", "5") == Options(folder: Path("/usr".utf8), plain: 5))
    #expect(try parse("--plain=7", "--", "-x") == Options(folder: Path("-x".utf8), plain: 7))
    #expect(try parse("-h").showsHelp)
    #expect(try Options.parse([[0x2F, 0xFF]]).folder == Path([0x2F, 0xFF]))
    #expect(try parse("--plain", "99999999999999999999").plain == .max)
    #expect(try parse("--live", "/usr") == Options(folder: Path("/usr".utf8), isLive: true))
    let all = [
      ["-x"], ["--plain"], ["--plain", "0"], ["--plain=x"], ["a", "b"], ["--plain="],
      ["--live", "--plain", "3"],
    ]
    for wrong in all {
      #expect(throws: Complaint.self) { try Options.parse(wrong.map { Array($0.utf8) }) }
    }
    // The name of the command stands before it.
    let several = #expect(throws: Complaint.self) { try parse("a", "b", "c") }
    #expect(several?.description == "Name one folder, not 3.")
  }
}
