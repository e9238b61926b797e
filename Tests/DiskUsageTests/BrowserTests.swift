import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("A browser", .timeLimit(.minutes(10)))
@MainActor
struct BrowserTests {
  private let tree: Tree
  private let gate = LoadGate<Path, Tally>()

  init() throws { tree = try Tree() }

  @Test("keeps each value with its row, while rows move as they load, by any order of loads")
  func movingRows() async throws {
    let sizes: [UInt64] = (0..<40).map { ($0 * 7919 + 13) % 41 + 1 }
    let paths = try addFiles(sizes.count)
    let expected = Dictionary(uniqueKeysWithValues: zip(paths, sizes))
    for seed in 1...8 {
      var random = SeededGenerator(seed: UInt64(seed))
      let gate = LoadGate<Path, Tally>()
      let browser = Browser(try Listing(tree.path)) { try await gate.load($0) }
      let watch = Watch(browser)
      browser.height = 9
      browser.layOut()
      while !browser.contents.due.isEmpty {
        // While some load, a person moves about, and looks at the other order.
        let keys: [Key] = [.down, .pageDown, .up, .pageUp, .end]
        for key in [keys.randomElement(using: &random) ?? .up, .sort, .sort] {
          browser.press(key)
          browser.layOut()
          check(browser, expected)
        }
        await Self.until(browser) { !gate.log.waiting.isEmpty || browser.contents.due.isEmpty }
        guard let path = gate.log.waiting.map(\.row).randomElement(using: &random) else { break }
        let due = browser.contents.due.count
        let began = gate.log.began.count
        let pathOfCursor = browser.contents.path(at: browser.cursor)
        let lineOfCursor = browser.cursor - browser.top
        gate.open(path, with: Tally(bytes: expected[path] ?? 0, files: 1))
        // The tracker may have cancelled that load meanwhile. Then another load begins.
        await Self.until(browser) {
          browser.contents.due.count < due || gate.log.began.count > began
        }
        check(browser, expected)
        // The cursor's row stays where it is on screen, but for the ends of the list.
        #expect(browser.contents.path(at: browser.cursor) == pathOfCursor)
        #expect(browser.top == max(0, min(browser.cursor - lineOfCursor, sizes.count - 9)))
      }
      await watch.wait { browser.lines.allSatisfy { $0.phase.value != nil } }
      check(browser, expected)
      browser.press(.home)
      browser.layOut()
      #expect(
        browser.lines.map { $0.phase.value?.bytes } == sizes.sorted(by: >).prefix(9).map { $0 })
      #expect(browser.contents.bytes - browser.contents.listing.bytes == sizes.reduce(0, +))
    }
  }

  /// Lets the main queue take turns until a condition holds, and lays the list out after each.
  private static func until(_ browser: Browser, _ condition: () -> Bool) async {
    browser.layOut()
    while !condition() {
      await Task.yield()
      browser.layOut()
    }
  }

  private func check(_ browser: Browser, _ expected: [Path: UInt64]) {
    let contents = browser.contents
    #expect(browser.lines.count == min(browser.height, contents.order.count))
    #expect(browser.top <= browser.cursor && browser.cursor < browser.top + browser.lines.count)
    for (index, line) in browser.lines.enumerated() {
      #expect(line.path == contents.path(at: browser.top + index))
      if let tally = line.phase.value { #expect(tally.bytes == expected[line.path]) }
    }
  }

  /// Makes so many empty files, and returns them by name.
  private func addFiles(_ count: Int, in folder: String = "") throws -> [Path] {
    try (0..<count).map { number in
      let name = "\(folder)file \(1000 + number)"
      try tree.addFile(name)
      return tree.path(name)
    }
  }

  @Test("stops a walk on its way when the folder is left, and gives its slot away at once")
  func leavingAHugeFolder() async throws {
    // Several strides each, and as many as there are slots.
    let huge = ["huge 1", "huge 2", "huge 3", "huge 4"]
    for name in huge {
      try tree.addFolder("\(name)/inner")
      _ = try addFiles(2 * Walk.stride + 10, in: "\(name)/")
    }
    try tree.addFolder("a/b")
    // It does not heed a cancel: what stops the walk is its own question.
    let gate = LoadGate<Path, Tally>(heedsCancellation: false)
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
    // There is room for its row though the walks have not moved since.
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.lines.map(\.path) == [tree.path("a/b")])
    #expect(gate.log.waiting.count == 4)
    gate.openAll { _ in Tally() }
    // None of them goes on to its next stride.
    var seen: [String] = []
    for await event in events {
      seen.append(event)
      if seen.count(where: { $0 == "stopped" }) == 4 { break }
    }
    #expect(seen == Array(repeating: "stride", count: 4) + Array(repeating: "stopped", count: 4))
  }

  @Test("by name, measures what is on screen and near it; by size, everything; and nothing twice")
  func claims() async throws {
    let paths = try addFiles(100)
    let (measured, log) = AsyncStream.makeStream(of: Path.self)
    let browser = Browser(try Listing(tree.path)) { context in
      log.yield(context.row)
      return Tally(bytes: 1, files: 1)
    }
    let watch = Watch(browser)
    browser.height = 5
    func settle(_ due: Range<Int>) async {
      await watch.wait { browser.contents.due.count <= due.count }
      await browser.waitUntilIdle()
      browser.layOut()
      #expect(browser.contents.due == due.reversed())
    }
    browser.press(.sort)
    await settle(15..<100)
    browser.press(.end)
    await settle(15..<85)
    browser.press(.home)
    await settle(15..<85)
    browser.press(.sort)
    await settle(0..<0)
    log.finish()
    var rows: [Path] = []
    for await row in measured { rows.append(row) }
    #expect(rows.count == paths.count && Set(rows) == Set(paths))
  }

  @Test("cancels what scrolls away for what comes on screen", arguments: [true, false])
  func scrollingAway(isBySize: Bool) async throws {
    let paths = try addFiles(100)
    let gate = gate
    let browser = Browser(try Listing(tree.path)) { try await gate.load($0) }
    browser.height = 5
    if !isBySize { browser.press(.sort) }
    browser.layOut()
    await gate.waitForLoads(Set(paths[..<4]))
    browser.press(.end)
    browser.layOut()
    await gate.waitForLoads(Set(paths[95..<99]))
    #expect(Set(gate.log.cancelled.map(\.row)) == Set(paths[..<4]))
  }

  @Test(
    "goes into folders and back to where it was, and says why it does not", .enabled(if: isLinux))
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

  @Test("reads and measures again when it is told to, and shows old values until then")
  func refreshing() async throws {
    let paths = try addFiles(3)
    let gate = gate
    let browser = Browser(try Listing(tree.path)) { try await gate.load($0) }
    let watch = Watch(browser)
    browser.height = 5
    browser.layOut()
    await gate.waitForLoads(Set(paths))
    for (size, path) in paths.enumerated() { gate.open(path, with: Tally(bytes: UInt64(size + 1))) }
    await watch.wait { browser.contents.due.isEmpty }
    #expect(browser.lines.map(\.path) == paths.reversed())
    // The cursor goes with its row.
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

  @Test("needs no room: neither lines nor rows")
  func noRoom() async throws {
    let browser = Browser(try Listing(tree.path))
    for height in [0, 1, 3] {
      browser.height = height
      for key in [Key.down, .end, .open, .sort, .pageUp, .home] {
        browser.press(key)
        browser.layOut()
        #expect(browser.lines.isEmpty && browser.cursor == 0 && browser.top == 0)
      }
    }
    _ = try addFiles(3)
    browser.press(.refresh)
    await browser.opening?.value
    browser.height = 0
    browser.layOut()
    #expect(browser.lines.isEmpty)
    browser.height = 2
    browser.press(.end)
    browser.layOut()
    #expect(browser.lines.count == 2 && browser.top == 1)
  }
}

/// Lays a browser out whenever it has something new.
@MainActor
private final class Watch {
  private let browser: Browser
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ browser: Browser) {
    self.browser = browser
    browser.onChange = { [weak self] in
      self?.waiter?.resume()
      self?.waiter = nil
    }
  }

  func wait(until condition: () -> Bool) async {
    browser.layOut()
    while !condition() {
      await withCheckedContinuation { waiter = $0 }
      browser.layOut()
    }
  }
}
