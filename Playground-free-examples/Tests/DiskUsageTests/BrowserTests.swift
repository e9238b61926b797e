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

  @Test("keeps each value with its row while rows move, for any order of loads")
  func movingRows() async throws {
    let sizes: [UInt64] = (0..<40).map { ($0 * 7919 + 13) % 41 + 1 }
    let paths = try tree.addFiles(sizes.count)
    let expected = Dictionary(uniqueKeysWithValues: zip(paths, sizes))
    for seed in 1...8 {
      var random = SeededGenerator(seed: UInt64(seed))
      let gate = LoadGate<Path, Tally>()
      let browser = Browser(try Listing(tree.path)) { try await gate.load($0) }
      let watch = Watch(browser)
      browser.height = 9
      browser.layOut()
      while !browser.contents.due.isEmpty {
        // While some rows load, a person moves about and looks at the other order.
        let keys: [Key] = [.down, .pageDown, .up, .pageUp, .end]
        for key in [keys.randomElement(using: &random) ?? .up, .sort, .sort] {
          browser.press(key)
          browser.layOut()
          check(browser, expected)
        }
        // A load that the tracker has cancelled may still be at the gate. Its end changes nothing.
        var loads: [Path] { gate.log.waiting.map(\.row).filter(browser.growing.contains) }
        await Self.until(browser) { !loads.isEmpty || browser.contents.due.isEmpty }
        guard let path = loads.randomElement(using: &random) else { break }
        let due = browser.contents.due.count
        let began = gate.log.began.count
        let pathOfCursor = browser.contents.path(at: browser.cursor)
        let lineOfCursor = browser.cursor - browser.top
        gate.open(path, with: Tally(bytes: expected[path] ?? 0, files: 1))
        // The tracker may cancel that load before its value arrives; then another load begins.
        await Self.until(browser) {
          browser.contents.due.count < due || gate.log.began.count > began
        }
        check(browser, expected)
        // The cursor's row keeps its line on screen, except at the ends of the list.
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

  /// Yields the main actor until a condition holds, and lays the list out after each turn.
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

  @Test("measures rows on or near the screen by name, all rows by size, and none twice")
  func claims() async throws {
    let paths = try tree.addFiles(100)
    let (measured, log) = AsyncStream.makeStream(of: Path.self)
    let browser = Browser(try Listing(tree.path)) { context in
      log.yield(context.row)
      return Tally(bytes: 1, files: 1)
    }
    let watch = Watch(browser)
    browser.height = 5
    func expectDue(_ due: Range<Int>) async {
      await watch.wait { browser.contents.due.count <= due.count }
      await browser.waitUntilIdle()
      browser.layOut()
      #expect(browser.contents.due == due.reversed())
    }
    browser.press(.sort)
    await expectDue(15..<100)
    browser.press(.end)
    await expectDue(15..<85)
    browser.press(.home)
    await expectDue(15..<85)
    browser.press(.sort)
    await expectDue(0..<0)
    log.finish()
    var rows: [Path] = []
    for await row in measured { rows.append(row) }
    #expect(rows.count == paths.count && Set(rows) == Set(paths))
  }

  @Test("cancels rows that leave the screen for rows that enter it", arguments: [true, false])
  func scrollingAway(isBySize: Bool) async throws {
    let paths = try tree.addFiles(100)
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

  @Test("places rows by their running totals, beside bars on one scale")
  func runningTotals() async throws {
    let paths = try tree.addFiles(6)
    let gate = gate
    let browser = Browser(try Listing(tree.path)) { context in
      let bytes: [Path: UInt64] = [paths[2]: 500, paths[3]: 900]
      if let bytes = bytes[context.row] { context.show(Tally(bytes: bytes)) }
      return try await gate.load(context)
    }
    let watch = Watch(browser)
    browser.height = 6
    browser.layOut()
    await gate.waitForLoads(Set(paths[..<4]))
    gate.open(paths[0], with: Tally(bytes: 700, files: 1))
    await watch.wait { browser.contents.due.count == 5 && browser.lines[2].path == paths[2] }
    #expect(browser.lines[..<3].map(\.path) == [paths[3], paths[0], paths[2]])
    #expect(browser.lines[..<3].map { $0.phase.value?.bytes } == [900, 700, 500])
    #expect(browser.contents.order.largest == 900)
    #expect(browser.contents.bytes - browser.contents.listing.bytes == 2100)
  }

  @Test("works without lines and without rows")
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
    _ = try tree.addFiles(3)
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
