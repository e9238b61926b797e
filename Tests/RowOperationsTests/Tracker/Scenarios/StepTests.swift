// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Previews and progress of a load", .timeLimit(.minutes(10)))
@MainActor
struct StepTests {
  private typealias Loaded = TrackerRig.Loaded

  private let rig = TrackerRig { $0.slots = UpdateSlots(4) }

  /// The phase with which a cell was last rendered.
  private func shown(_ cell: Int) -> RowPhase<Loaded>? { rig.player.content(ofCell: cell)?.phase }

  /// The phase of row 1 after a preview.
  private func preview(_ generation: UInt64 = 1_000) -> Loaded {
    Loaded(row: 1, generation: generation)
  }

  private let loaded = Loaded(row: 1, generation: 0)

  // MARK: Showing

  @Test("A preview is shown while the row loads, and the final value replaces it")
  func preview() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | s1")
    #expect(shown(0) == .loading(previous: nil), "a turn of the main queue shows it")
    try await rig.playToTheEnd("|")
    #expect(shown(0) == .loading(previous: preview()))
    #expect(rig.tracker.phase(of: 1) == .loading(previous: preview()))
    #expect(rig.tracker.metrics.finished == 0 && rig.tracker.metrics.applied == 0)
    try await rig.playToTheEnd("F1 |")
    #expect(shown(0) == .loaded(loaded))
    #expect(rig.violations == [])
  }

  @Test("A preview schedules a turn of the main queue by itself")
  func ownTurn() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) |")
    rig.show(1)
    await rig.tracker.waitUntil { _ in shown(0)?.value != nil }
    #expect(shown(0) == .loading(previous: preview()))
  }

  @Test("Progress is shown with the previous value and with a preview")
  func progress() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | F1 | ![1] |")
    let context = try #require(rig.context(of: 1))
    for (reported, progress) in [(0.25, 0.25), (7, 1), (-.infinity, 0), (.nan, 0)] {
      context.report(progress: reported)
      rig.tracker.endPass()
      #expect(shown(0) == .loading(previous: loaded, progress: progress))
    }
    rig.show(1)
    rig.tracker.endPass()
    #expect(shown(0) == .loading(previous: preview(), progress: 0))
    context.report(progress: 0.5)
    rig.tracker.endPass()
    #expect(shown(0) == .loading(previous: preview(), progress: 0.5))
    try await rig.playToTheEnd("F1 |")
    #expect(shown(0) == .loaded(loaded))
  }

  @Test("A slow main thread renders only the newest preview, once per turn")
  func newestOnly() async throws {
    let cell = SimulatedCell(number: 0)
    var phases: [RowPhase<Loaded>] = []
    rig.tracker.bind(cell, to: 1) { phases.append($1) }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    await rig.loadsBegan()
    for step in 1...1_000 {
      rig.show(1, UInt64(step))
      rig.context(of: 1)?.report(progress: Double(step) / 1_000)
    }
    rig.tracker.endPass()
    let last = RowPhase.loading(previous: preview(1_000), progress: 1)
    #expect(phases == [.waiting(previous: nil), .loading(previous: nil), last])
  }

  @Test("A cell off screen is not rendered for a preview, and shows it when it is displayed")
  func offScreen() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) c1(b) | s1 |")
    #expect(shown(1) == .waiting(previous: nil))
    try await rig.playToTheEnd("W1(b)")
    #expect(shown(1) == .loading(previous: preview()))
  }

  // MARK: The end of a preview

  @Test("After a failure the row has the value that it had before")
  func failure() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | s1 p1 | f1 |")
    #expect(shown(0) == .failed(TrackerRig.Failure(row: 1), previous: nil))
    try await rig.playToTheEnd("y1 | F1 | ![1] | s1 | f1 |")
    #expect(shown(0) == .failed(TrackerRig.Failure(row: 1), previous: loaded))
    #expect(rig.tracker.core.state.steps.isEmpty, "no preview is kept")
    #expect(rig.violations == [])
  }

  @Test("After a cancel the row has its previous value, and the next load begins without a preview")
  func cancel() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | s1 p1 | E1(a) | +1000ms |")
    #expect(rig.tracker.phase(of: 1) == .waiting(previous: nil))
    try await rig.playToTheEnd("W1(a) |")
    #expect(shown(0) == .loading(previous: nil))
    #expect(rig.tracker.core.state.steps.isEmpty)
  }

  @Test("A value that the app sets ends the load, and later previews of that load are ignored")
  func setValue() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | s1 | v1 s1 p1 |")
    #expect(shown(0) == .loaded(loaded))
    #expect(rig.violations == [])
  }

  @Test("A cancelled load shows no preview in the load that follows it")
  func noOtherLoad() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false)
    try await rig.playToTheEnd("c1(a) W1(a) |")
    let first = try #require(rig.context(of: 1))
    try await rig.playToTheEnd("v1 | -[1] c1(a) W1(a) |")
    first.show(preview(666))
    first.report(progress: 1)
    rig.tracker.endPass()
    #expect(rig.player.content(ofCell: 0)?.phase == .loading(previous: nil))
    rig.gate.openAll { Loaded(row: $0, generation: 0) }
    await rig.tracker.waitUntilIdle()
    first.show(preview(666))
    rig.tracker.endPass()
    #expect(rig.player.content(ofCell: 0)?.phase == .loaded(loaded))
  }

  @Test("Previews are released when they are no longer shown")
  func released() async throws {
    final class Picture: Sendable {}
    let gate = LoadGate<Int, Picture>()
    let contexts = Box<[UpdateContext<Int, Picture>]>([])
    let tracker = DisplayTracker<Int, Picture> { context in
      contexts.change { $0.append(context) }
      return try await gate.load(context)
    }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    await gate.waitForLoads([1])
    weak var first: Picture?
    weak var second: Picture?
    do {
      let pictures = [Picture(), Picture()]
      (first, second) = (pictures[0], pictures[1])
      for picture in pictures {
        contexts.value[0].show(picture)
        tracker.endPass()
      }
    }
    #expect(first == nil && second != nil)
    gate.open(1, with: Picture())
    await tracker.waitUntilIdle()
    await tracker.waitUntil { _ in second == nil }
    withExtendedLifetime(cell) {}
  }

  // MARK: Metrics

  @Test("A preview ends blank time and counts as the first value; progress does not")
  func measured() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | +100ms p1 | +100ms s1 | +100ms F1 |")
    #expect(rig.tracker.metrics.blankTime == .milliseconds(200))
    #expect(rig.tracker.metrics.timeToFirstValue.count == 1)
    #expect(rig.tracker.metrics.finished == 1)
  }

  @Test("A display counts one first value, also if its preview is lost")
  func measuredOnce() async throws {
    try await rig.playToTheEnd("c1(a) W1(a) | +100ms s1 | +100ms f1 | y1 | +100ms F1 |")
    #expect(rig.tracker.metrics.timeToFirstValue.count == 1)
    #expect(rig.tracker.metrics.blankTime == .milliseconds(200))
    try await rig.playToTheEnd("E1(a) | W1(a) |")
    #expect(rig.tracker.metrics.timeToFirstValue.count == 2, "it is another display")
  }

  // MARK: Any thread

  @Test("Previews from many threads lose no newest value and harm no other row")
  func threads() async throws {
    let tracker = DisplayTracker<Int, Loaded> { context in
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for step in 0..<50 {
              context.show(Loaded(row: context.row, generation: UInt64(thread * 1_000 + step)))
              context.report(progress: Double(step) / 50)
            }
          }
        }
      }
      return Loaded(row: context.row, generation: 0)
    }
    let app = TrackedList(tracker) { $0.row }
    let list = ListSimulator(rows: Array(0..<60), viewport: 600) { app.handle($0) }
    list.layOut()
    await tracker.waitUntilIdle()
    while list.offset < list.maximumOffset {
      list.drag(by: 90)
      await Task.yield()
    }
    await tracker.waitUntilIdle()
    #expect(app.wrongRows == 0 && tracker.audit() == [])
    #expect(list.visibleRows.allSatisfy { tracker.phase(of: $0).kind == .loaded })
    #expect(tracker.core.state.steps.isEmpty)
  }
}
