// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperations
import RowOperationsTesting
import Testing

// The article "Testing your own list" quotes these tests: change both.

@Suite("The article “Testing your own list”")
struct ArticleTests {
  @Test("Each line of code in the article stands in this file")
  func quotes() throws {
    let folder = "Sources/RowOperationsTesting/RowOperationsTesting.docc"
    let tests = URL(fileURLWithPath: #filePath)
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let articles = ["TestingYourOwnList", "SimulatingAList"]
    let quotes = try articles.flatMap { article in
      let text = try lines(of: root.appendingPathComponent("\(folder)/\(article).md"))
      return text.split(separator: "```swift").dropFirst().map { $0.prefix { $0 != "```" } }
        .filter { $0.count > 4 && $0.first != ".testTarget(" }
    }
    #expect(quotes.count == 4)
    let known = Set(try lines(of: tests))
    for line in quotes.joined() { #expect(known.contains(line)) }
  }

  private func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// An app's list: pictures that are called by number and loaded as text.
@MainActor
final class Gallery {
  let tracker: DisplayTracker<Int, String>
  private(set) var captions: [Int: String] = [:]

  init(
    configuration: TrackerConfiguration<Int, String> = .init(),
    load: @escaping @Sendable (UpdateContext<Int, String>) async throws -> String
  ) {
    tracker = DisplayTracker(configuration: configuration, update: load)
  }

  /// What the app's data source and delegate do.
  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row):
      tracker.bind(cell, to: row) { [weak self] cell, phase in
        self?.captions[cell.number] = phase.value ?? "…"
      }
    case .willDisplay(let cell): tracker.willDisplay(cell)
    case .didEndDisplaying(let cell, _): tracker.didEndDisplaying(cell)
    case .unbind(let cell): tracker.unbind(cell)
    case .prefetch(let rows): tracker.prefetch(rows)
    case .cancelPrefetch(let rows): tracker.cancelPrefetch(rows)
    case .scrollWillBegin: tracker.scrollWillBegin()
    case .scrollDidMove: tracker.scrollDidMove()
    case .scrollWillEnd(let rows): tracker.scrollWillEnd(landingOn: rows)
    case .scrollDidSettle: tracker.scrollDidSettle()
    case .didDisappear: tracker.suspend()
    case .didAppear(let cells):
      tracker.resume()
      tracker.reconcile(displayedCells: cells)
    }
  }
}

@Suite("The example of the documentation", .timeLimit(.minutes(10)))
@MainActor
struct ExampleTests {
  @Test("A cell that moved on to another row never shows the first row's late value")
  func reusedCell() async throws {
    let clock = ManualClock()
    let gate = LoadGate<Int, String>(stopsWhenCancelled: false)
    let recorder = TrackerRecorder<Int>()
    var configuration = TrackerConfiguration<Int, String>()
    configuration.clock = clock
    configuration.onEvent = recorder.record
    let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
    let player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { Int($0) ?? -1 })

    player.play(try EventScript("c1(a) W1(a) |"))
    await gate.waitForLoads([1])
    player.play(try EventScript("E1(a) c2(a) W2(a) | +150ms |"))
    await gate.waitForLoads([1, 2])

    gate.open(1, with: "1")
    await recorder.wait { $0.stopped == [1] }
    #expect(player.content(ofCell: 0)?.phase == .loading(previous: nil))

    gate.open(2, with: "2")
    await recorder.wait { $0.finished == [2] }
    tracker.endPass()
    #expect(player.content(ofCell: 0)?.phase == .loaded("2"))
    #expect(player.app.wrongRows == 0)
    #expect(tracker.violations() == [])
  }

  nonisolated static let behaviors: [ListBehavior] = [
    .tableView, .collectionView, .gtkListView,
  ]

  @Test("After a fling every row on screen shows its own caption", arguments: behaviors)
  func fling(behavior: ListBehavior) async throws {
    let clock = ManualClock()
    var configuration = TrackerConfiguration<Int, String>()
    configuration.clock = clock
    let gallery = Gallery(configuration: configuration) { "Picture \($0.row)" }
    let list = ListSimulator(
      rows: Array(0..<10_000), viewport: 600, behavior: behavior, handle: gallery.handle)

    list.layOut()
    list.fling(velocity: 3)
    while list.isMoving {
      clock.advance(by: .milliseconds(16))
      list.advance(by: .milliseconds(16))
      gallery.tracker.endPass()
      #expect(gallery.tracker.violations() == [])
    }
    await gallery.tracker.waitUntilIdle()

    for row in list.visibleRows {
      let cell = try #require(list.cell(for: row))
      #expect(gallery.captions[cell.number] == "Picture \(row)")
    }
  }

  @Test("A fling leaves its rows blank for three seconds in all and loads 40 of them at most")
  func scrollBudget() async {
    let clock = ManualClock()
    let gate = LoadGate<Int, String>()
    var configuration = TrackerConfiguration<Int, String>()
    configuration.clock = clock
    let gallery = Gallery(configuration: configuration) { try await gate.load($0) }
    let list = ListSimulator(rows: Array(0..<10_000), viewport: 600, handle: gallery.handle)
    func frame() async {
      clock.advance(by: .milliseconds(16))
      list.advance(by: .milliseconds(16))
      gallery.tracker.endPass()
      await gate.openLoads(of: gallery.tracker, after: .milliseconds(100)) { "Picture \($0)" }
    }

    list.layOut()
    for _ in 0..<60 { await frame() }
    let before = gallery.tracker.metrics
    list.fling(velocity: 3)
    while list.isMoving { await frame() }

    let fling = gallery.tracker.metrics - before
    #expect(fling.blankTime < .seconds(3))
    #expect(fling.started <= 40)
  }
}
