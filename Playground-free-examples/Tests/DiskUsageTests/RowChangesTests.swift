import Foundation
import Testing

@testable import disk_usage

@Suite("Changes of a row", .timeLimit(.minutes(10)))
struct RowChangesTests {
  private let tree: Tree

  init() throws { tree = try Tree() }

  /// Rules that spend no time on pauses.
  private func rules(limit: Int = 100, folders: Int = 100) -> RowChanges.Rules {
    RowChanges.Rules(
      events: FolderEvents(limit: limit), folders: folders, pause: { _ in await Task.yield() })
  }

  @Test("A size follows files that grow and come, in folders old and new", arguments: [100, 0])
  func growth(limit: Int) async throws {
    try tree.addFolder("row/inner")
    try tree.addFile("row/inner/file", bytes: 10)
    var sizes = RowChanges(of: tree.path("row"), rules(limit: limit)).makeAsyncIterator()
    #expect(try await sizes.next() == Walk.tally(of: tree.path("row")))
    let changes: [() throws -> Void] = [
      { try tree.addFile("row/inner/file", bytes: 1_000) },
      { try tree.addFolder("row/new/deep") },
      { try tree.addFile("row/new/deep/file", bytes: 7) },
      { try tree.remove("row/inner") },
      { try tree.addFile("row/new/deep/file", bytes: 70) },
    ]
    for change in changes {
      try change()
      let tally = Walk.tally(of: tree.path("row"))
      // A change of several steps may be seen halfway.
      while let next = try await sizes.next(), next != tally {}
    }
  }

  @Test("A file as a row is followed, also when another one takes its place")
  func file() async throws {
    try tree.addFile("file", bytes: 5)
    var sizes = RowChanges(of: tree.path("file"), rules()).makeAsyncIterator()
    #expect(try await sizes.next()?.bytes == 5)
    try tree.addFile("file", bytes: 6)
    #expect(try await sizes.next()?.bytes == 6)
    try tree.addFile("other", bytes: 7)
    #expect(rename("\(tree)/other", "\(tree)/file") == 0)
    while let next = try await sizes.next(), next.bytes != 7 {}
  }

  @Test("A row that is gone says so, and one that is back has its size")
  func gone() async throws {
    try tree.addFolder("row")
    try tree.addFile("row/file", bytes: 5)
    var sizes = RowChanges(of: tree.path("row"), rules()).makeAsyncIterator()
    #expect(try await sizes.next()?.files == 1)
    try tree.remove("row")
    while let next = try await sizes.next(), next.trouble != .gone {}
    try tree.addFolder("row")
    while let next = try await sizes.next(), next.trouble != nil {}
  }

  @Test("Watches have limits, and end with the row", .enabled(if: isLinux))
  func limits() async throws {
    for number in 0..<9 { try tree.addFolder("row/\(number)") }
    for (limit, folders, watched) in [(100, 100, 10), (100, 4, 0), (3, 100, 0)] {
      let rules = rules(limit: limit, folders: folders)
      do {
        var sizes = RowChanges(of: tree.path("row"), rules).makeAsyncIterator()
        _ = try await sizes.next()
        #expect(rules.events.count == watched)
        withExtendedLifetime(sizes) {}
      }
      #expect(rules.events.count == 0)
    }
  }

  @Test("Two rows in one folder watch it once, and one of them may leave", .enabled(if: isLinux))
  func shared() async throws {
    try tree.addFolder("row")
    let rules = rules()
    var stays = RowChanges(of: tree.path("row"), rules).makeAsyncIterator()
    _ = try await stays.next()
    do {
      var leaves = RowChanges(of: tree.path("row"), rules).makeAsyncIterator()
      _ = try await leaves.next()
      #expect(rules.events.count == 1)
      withExtendedLifetime(leaves) {}
    }
    try tree.addFile("row/file", bytes: 5)
    #expect(try await stays.next()?.files == 1)
  }

  @Test("The rows of a live browser follow their files, those off screen once they are back")
  @MainActor
  func browser() async throws {
    for name in ["a", "b", "c"] {
      try tree.addFolder(name)
      try tree.addFile("\(name)/file", bytes: 100)
    }
    let rules = rules()
    let browser = Browser(try Listing(tree.path), live: rules)
    let watch = Watch(browser)
    let bytes = { (name: String) in
      browser.contents.listing.row(of: tree.path(name)).map {
        browser.contents.tally(at: browser.contents.order.place(of: $0))?.bytes ?? 0
      }
    }
    let folder = Walk.tally(of: tree.path("a")).bytes - 100
    browser.press(.sort)
    browser.height = 2
    await watch.wait { bytes("a") == folder + 100 && bytes("b") == folder + 100 }
    try tree.addFile("b/file", bytes: 2_000)
    await watch.wait { bytes("b") == folder + 2_000 }
    let total = browser.contents.bytes
    try tree.addFile("a/file", bytes: 150)
    await watch.wait { browser.contents.bytes == total + 50 }
    // Row a leaves the screen.
    browser.press(.end)
    await watch.wait { browser.lines.map(\.path) == [tree.path("b"), tree.path("c")] }
    try tree.addFile("a/file", bytes: 200)
    browser.press(.home)
    await watch.wait { bytes("a") == folder + 200 }
    func header() -> String { browser.frame.lines(columns: 80, lines: 24)[1].text }
    try tree.remove("a")
    await watch.wait { browser.lines.first?.phase.value?.trouble == .gone }
    #expect(header().contains(" in "))
    try tree.remove("")
    await watch.wait { header() == "This folder is not there any more." }
  }
}
