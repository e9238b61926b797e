import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("A walk")
struct WalkTests {
  @Test("agrees with du on links, holes and folders in folders", .enabled(if: isLinux))
  func agreesOnATree() throws {
    let tree = try Tree()
    try tree.addFolder("a/b/c")
    try tree.addFolder("empty")
    try tree.addFile("one", bytes: 1)
    try tree.addFile("a/sparse", bytes: 1 << 40)
    try tree.addFile("a/b/two", bytes: 12_345)
    tree.link("a/b/c/two", to: "a/b/two")
    tree.link("again", to: "a/b/two")
    tree.addSymbolicLink("a/up", to: "..")
    tree.addSymbolicLink("a/usr", to: "/usr")
    tree.addSymbolicLink("broken", to: "nowhere")
    tree.link("a/b/broken", to: "broken")
    #expect(mkfifo("\(tree)/fifo", 0o600) == 0)
    try tree.addFile(Array("not UTF-8 ".utf8) + [0xFF, 0xFE], bytes: 7)
    try tree.addFile("new\nline", bytes: 9)

    let tally = Walk.tally(of: tree.path)
    #expect(tally.bytes == (try diskUsage(of: "\(tree)")))
    #expect(tally.files == (try fileCount(at: "\(tree)")))
    #expect(tally.files == 9)
    #expect(tally.unreadable == 0 && tally.trouble == nil && tally.links.isEmpty)
    for name in ["a", "a/b", "a/b/two", "a/up", "broken", "empty"] {
      #expect(Walk.tally(of: tree.path(name)).bytes == (try diskUsage(of: "\(tree)/\(name)")))
    }
  }

  @Test("shows running totals that grow to the result")
  func runningTotals() async throws {
    let tree = try Tree()
    for folder in 0..<6 {
      try tree.addFolder("\(folder)")
      for file in 0..<100 { try tree.addFile("\(folder)/\(file)", bytes: 1) }
    }
    let (totals, shown) = AsyncStream.makeStream(of: Tally.self)
    let context = UpdateContext<Path, Tally>(
      token: RowToken(row: tree.path, generation: 1), shown: { shown.yield($0) })
    let tally = try await Walk.measure(context, showingEach: .zero)
    shown.finish()
    let counts = await totals.reduce(into: []) { $0.append($1.files) }
    #expect(counts.count >= 2 && counts == counts.sorted() && counts[0] > 0)
    #expect(tally.files == 600 && counts.allSatisfy { $0 <= tally.files })
  }

  @Test(
    "agrees with du on folders of this system", .enabled(if: isLinux),
    arguments: ["/usr/share/doc", "/etc", "/dev/fd"])
  func agreesOnTheSystem(folder: String) throws {
    // Where the path is a symbolic link, the link itself counts.
    let tally = Walk.tally(of: Path(folder.utf8))
    #expect(tally.bytes == (try diskUsage(of: folder)))
    #expect(tally.files == (try fileCount(at: folder)))
  }

  @Test(
    "reaches the bottom of a tree deeper than the longest path of the system", .enabled(if: isLinux)
  )
  func deepTree() throws {
    let tree = try Tree()
    let name = String(repeating: "d", count: 200)
    var folder = open("\(tree)", O_RDONLY | O_DIRECTORY)
    for _ in 0..<400 {
      #expect(mkdirat(folder, name, 0o755) == 0)
      let inner = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = inner
    }
    let file = openat(folder, "file", O_CREAT | O_WRONLY, 0o644)
    #expect(ftruncate(file, 4321) == 0 && close(file) == 0 && close(folder) == 0)

    let tally = Walk.tally(of: tree.path)
    #expect(tally.files == 1 && tally.unreadable == 0)
    #expect(tally.bytes == (try diskUsage(of: "\(tree)")))
    // The same holds from far below, where a person may have gone.
    var path = tree.path
    for _ in 0..<399 { path = path.appending(name.utf8) }
    #expect(try Listing(path).entries.map(\.name) == [Array(name.utf8)])
    #expect(Walk.tally(of: path.appending(name.utf8)).files == 1)
  }

  @Test("finds its way back up after a folder has moved, and to the folders beside it")
  func moving() throws {
    for steps in 0..<80 {
      let tree = try Tree()
      // Folders beside and below each other, of which one moves out of the tree at any moment.
      for name in ["top/a/b/c", "top/a/d", "top/e", "elsewhere"] {
        try tree.addFolder(name)
        for number in 0..<9 { try tree.addFile("\(name)/\(number)", bytes: 1) }
      }
      let all = Walk.tally(of: tree.path("top"))
      #expect(all.files == 27)
      var walk = Walk(tree.path("top"))
      let isUnderWay = walk.advance(over: steps)
      #expect(rename("\(tree)/top/a/b", "\(tree)/elsewhere/b") == 0)
      while isUnderWay, walk.advance(over: 7) {}
      // The folder that moved is counted or not; nothing outside of the tree is, and nothing twice.
      #expect((18...27).contains(walk.tally.files) && walk.tally.unreadable == 0)
    }
  }

  @Test("comes back from a folder whose entries it may name but not reach", .enabled(if: isLinux))
  func blindAlley() throws {
    let tree = try Tree()
    for name in ["top/a", "top/b", "top/c"] {
      try tree.addFolder(name)
      try tree.addFile("\(name)/file", bytes: 1)
    }
    for name in ["a", "b", "c"] { #expect(chmod("\(tree)/top/\(name)", 0o444) == 0) }
    defer { for name in ["a", "b", "c"] { _ = chmod("\(tree)/top/\(name)", 0o700) } }
    try asOrdinaryUser {
      let tally = Walk.tally(of: tree.path("top"))
      #expect(tally.unreadable == 3 && tally.files == 0 && tally.trouble == nil)
    }
  }

  @Test("opens each folder of a deep tree by its name alone", .enabled(if: isLinux))
  func shortPaths() throws {
    let tree = try Tree()
    try tree.addFolder("top/a/b/c/d")
    try tree.addFile("top/a/b/c/d/file", bytes: 1)
    var walk = Walk(tree.path("top"))
    _ = walk.advance(over: 1)
    // From here on the path leads nowhere.
    #expect(rename("\(tree)/top", "\(tree)/moved") == 0)
    #expect(mkdir("\(tree)/top", 0o700) == 0)
    while walk.advance(over: 1) {}
    #expect(walk.tally.files == 1)
  }

  @Test("of a folder that vanishes meanwhile has no figures of a part")
  func vanishedTop() throws {
    let tree = try Tree()
    try tree.addFolder("top/inner")
    for number in 0..<20 { try tree.addFile("top/\(number)", bytes: 1) }
    var walk = Walk(tree.path("top"))
    let isUnderWay = walk.advance(over: 10)
    #expect(isUnderWay && walk.tally.files > 0)
    try tree.remove("top")
    while walk.advance(over: 1000) {}
    #expect(walk.tally == Tally(trouble: .gone))
  }

  @Test(
    "lists files that have names elsewhere, so that a total counts each of them once",
    .enabled(if: isLinux))
  func total() throws {
    let tree = try Tree()
    try tree.addFolder("a")
    try tree.addFolder("b")
    try tree.addFile("a/inside", bytes: 10)
    tree.link("a/inside too", to: "a/inside")
    try tree.addFile("a/shared", bytes: 1000)
    tree.link("b/shared", to: "a/shared")
    tree.link("b/shared too", to: "a/shared")
    tree.link("shared", to: "a/shared")

    let listing = try Listing(tree.path)
    var contents = Contents(listing, by: .size)
    for row in listing.entries.indices {
      let tally = Walk.tally(of: listing.path(of: row))
      #expect(tally.links.count == 1)
      contents.shows(tally, in: row)
    }
    #expect(contents.bytes == (try diskUsage(of: "\(tree)")))
    #expect(contents.total.files == 2)
    #expect(contents.due.isEmpty)
    // A second measurement replaces the first: one row is empty now, and one has grown.
    contents.shows(Tally(), in: 0)
    contents.shows(Tally(bytes: 50, files: 5), in: 2)
    let b = Walk.tally(of: tree.path("b"))
    #expect(contents.bytes == listing.bytes + b.bytes + 50 && contents.total.files == b.files + 5)
    // A cancelled measurement leaves no size, and its row is still due.
    contents.measureAnew()
    contents.shows(nil, in: 2, isFinal: false)
    #expect(contents.bytes == listing.bytes + b.bytes && contents.due.contains(2))
    #expect(contents.order.place(of: 2) == listing.entries.count - 1)
  }

  @Test("continues past entries that vanish or change their kind")
  func vanishing() throws {
    // Folders that it has counted vanish, and so do folders that it has yet to enter.
    for steps in stride(from: 0, through: 72, by: 4) {
      let tree = try Tree()
      for name in ["a", "b", "c"] {
        try tree.addFolder("\(name)/inner")
        for number in 0..<20 { try tree.addFile("\(name)/inner/\(number)", bytes: 1) }
      }
      var walk = Walk(tree.path)
      let isUnderWay = walk.advance(over: steps)
      #expect(isUnderWay)
      for name in ["a", "b"] { try tree.remove(name) }
      tree.addSymbolicLink("a", to: "/usr")
      try tree.addFile("b", bytes: 1)
      while walk.advance(over: 7) {}
      #expect((20...60).contains(walk.tally.files))
      #expect(walk.tally.unreadable == 0 && walk.tally.trouble == nil)
    }
    let tree = try Tree()
    #expect(Walk.tally(of: tree.path("nothing")) == Tally(trouble: .gone))
  }

  @Test("reports entries that it cannot read, and counts the rest")
  func unreadable() throws {
    let tree = try Tree()
    try tree.addFolder("top/closed/inner")
    try tree.addFolder("top/blind")
    try tree.addFile("top/file", bytes: 100)
    try tree.addFile("top/blind/file", bytes: 100)
    // `closed` cannot be read; `blind` has entries with names but without a status.
    #expect(chmod("\(tree)/top/closed", 0) == 0 && chmod("\(tree)/top/blind", 0o444) == 0)
    defer { _ = chmod("\(tree)/top/closed", 0o700) + chmod("\(tree)/top/blind", 0o700) }
    try asOrdinaryUser {
      let tally = Walk.tally(of: tree.path("top"))
      #expect(tally.unreadable == 2 && tally.trouble == nil && tally.files == 1)
      let folders = try ["top", "top/blind", "top/closed"].map { try FileStatus(of: tree.path($0)) }
      #expect(tally.bytes == 100 + folders.reduce(0) { $0 + $1.bytes })
      let closed = Walk.tally(of: tree.path("top/closed"))
      #expect(closed == Tally(bytes: folders[2].bytes, unreadable: 1, trouble: .unreadable))
      let hidden = Walk.tally(of: tree.path("top/closed/inner"))
      #expect(hidden == Tally(unreadable: 1, trouble: .unreadable))
      #expect(throws: FileError.self) { try Listing(tree.path("top/closed")) }
    }
  }

  @Test("stops at the largest number when a sum exceeds it")
  func clamping() {
    var total = Total()
    total.add(Tally(bytes: .max - 1, files: 1))
    total.add(Tally(bytes: 5, files: 1))
    #expect(total.bytes == .max)
    total.remove(Tally(bytes: .max, files: 1))
    total.remove(Tally(bytes: 5, files: 1))
    #expect(total == Total())
  }

  /// Runs as a user without the rights of root.
  private func asOrdinaryUser(_ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    // Unlike `seteuid`, this call concerns one thread only.
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    _ = setUser(65534)
    defer { _ = setUser(0) }
    try body()
  }
}
