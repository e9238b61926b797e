import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("A browser, between folders,", .timeLimit(.minutes(10)))
@MainActor
struct FolderTests {
  private let tree: Tree
  private let gate = LoadGate<Path, Tally>()

  init() throws { tree = try Tree() }

  @Test("stops a walk when its folder is left, and frees the slot at once")
  func leavingAHugeFolder() async throws {
    // Several strides each, and as many as there are slots.
    let huge = ["huge 1", "huge 2", "huge 3", "huge 4"]
    for name in huge {
      try tree.addFolder("\(name)/inner")
      _ = try tree.addFiles(2 * Walk.stride + 10, in: "\(name)/")
    }
    try tree.addFolder("a/b")
    // The gate ignores cancellation, so that only the walk's own check stops the walk.
    let gate = LoadGate<Path, Tally>(stopsWhenCancelled: false)
    let (events, log) = AsyncStream.makeStream(of: String.self)
    let browser = Browser(try Listing(tree.path)) { context in
      do {
        return try await Walk.measure(context) {
          log.yield("stride")
          _ = try? await gate.load(context)
        }
      } catch {
        log.yield("stopped")
        throw error
      }
    }
    let watch = Watch(browser)
    browser.height = 10
    browser.layOut()
    await gate.waitForLoads(Set(huge.map(tree.path)))
    // The fifth row, which is small, needs no stride.
    await watch.wait { browser.contents.due.count == 4 }
    browser.press(.open)
    await browser.opening?.value
    // Its row gets a slot although the walks still wait at the gate.
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.lines.map(\.path) == [tree.path("a/b")])
    #expect(gate.log.waiting.count == 4)
    gate.openAll { _ in Tally() }
    // No walk continues with its next stride.
    var seen: [String] = []
    for await event in events {
      seen.append(event)
      if seen.count(where: { $0 == "stopped" }) == 4 { break }
    }
    #expect(seen == Array(repeating: "stride", count: 4) + Array(repeating: "stopped", count: 4))
  }

  @Test(
    "opens folders, returns to the row that it left, and says why a row does not open",
    .enabled(if: isLinux))
  func folders() async throws {
    for name in ["a", "b/inner", "c"] { try tree.addFolder(name) }
    try tree.addFile("d\n")
    tree.addSymbolicLink("e", to: "/usr")
    let browser = Browser(try Listing(tree.path))
    let watch = Watch(browser)
    browser.height = 5
    browser.press(.sort)
    browser.layOut()
    func press(_ keys: Key...) async {
      for key in keys { browser.press(key) }
      await browser.opening?.value
      browser.layOut()
    }
    await press(.down, .open)
    #expect(browser.contents.listing.folder == tree.path("b"))
    #expect(browser.lines.map(\.path) == [tree.path("b/inner")])
    await press(.open)
    #expect(browser.lines.isEmpty)
    await press(.open, .down, .end, .up, .pageDown, .sort, .sort)
    await press(.back)
    await press(.back)
    #expect(browser.contents.listing.folder == tree.path)
    #expect(browser.contents.path(at: browser.cursor) == tree.path("b"))
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.contents.bytes == (try diskUsage(of: "\(tree)")))
    await press(.end, .open)
    #expect(browser.message?.text == "e is a symbolic link, which is not followed.")
    await press(.up, .open)
    #expect(browser.message?.text == #"d\n is not a folder."#)
    await press(.home)
    try tree.remove("a")
    await press(.open)
    #expect(browser.message?.text == "a cannot be opened: it is not there any more.")
    #expect(browser.contents.listing.folder == tree.path)
  }

  @Test("goes up to the nearest folder that exists when the parent is gone")
  func vanishedParents() async throws {
    try tree.addFolder("a/b/c/d")
    try tree.addFolder("a/other")
    let browser = Browser(try Listing(tree.path("a/b/c/d")))
    browser.height = 5
    func back() async {
      browser.press(.back)
      await browser.opening?.value
      browser.layOut()
    }
    // A file in the place of a folder on the way is no folder either.
    try tree.remove("a/b")
    try tree.addFile("a/b")
    await back()
    #expect(browser.contents.listing.folder == tree.path("a"))
    #expect(browser.lines.map(\.path) == [tree.path("a/b"), tree.path("a/other")])
    #expect(
      browser.message?.text == "c is not there any more; this is the nearest folder above it.")
    try tree.remove("a")
    await back()
    #expect(browser.contents.listing.folder == tree.path && browser.message == nil)
    #expect(browser.lines.isEmpty)
  }

  @Test("reads and measures again on request, and shows old values until then")
  func refreshing() async throws {
    let paths = try tree.addFiles(3)
    let gate = gate
    let browser = Browser(try Listing(tree.path)) { try await gate.load($0) }
    let watch = Watch(browser)
    browser.height = 5
    browser.layOut()
    await gate.waitForLoads(Set(paths))
    for (size, path) in paths.enumerated() { gate.open(path, with: Tally(bytes: UInt64(size + 1))) }
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.lines.map(\.path) == paths.reversed())
    // The cursor stays with its row.
    browser.press(.down)
    try tree.remove("file 1002")
    try tree.addFile("new")
    let added = tree.path("new")
    browser.press(.refresh)
    await browser.opening?.value
    browser.layOut()
    #expect(browser.lines.map(\.path) == [paths[1], paths[0], added])
    #expect(browser.contents.path(at: browser.cursor) == paths[1])
    #expect(browser.lines.map { $0.phase.value?.bytes } == [2, 1, nil])
    await gate.waitForLoads([paths[0], paths[1], added])
    for path in [paths[0], paths[1], added] {
      gate.open(path, with: Tally(bytes: path == added ? 9 : 5))
    }
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.lines.map(\.path) == [added, paths[0], paths[1]])
    #expect(browser.contents.path(at: browser.cursor) == paths[1])
    #expect(browser.contents.bytes == browser.contents.listing.bytes + 19)
  }
}
