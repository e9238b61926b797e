import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import RowInspector

@Suite("Timelines", .timeLimit(.minutes(10)))
@MainActor
struct TimelineTests {
  private typealias Kind = TrackerEventKind

  /// Strips of events at milliseconds, all of them closed.
  private func strips(_ events: [(Int, Int, Kind)]) -> TimelineStrips {
    var strips = TimelineStrips()
    for (time, row, kind) in events {
      strips.record(
        TrackerEvent(row: row, kind: kind, time: .milliseconds(time)), of: row, at: row)
    }
    return strips.closed()
  }

  private func strip(
    _ kind: TimelineStrips.Strip.Kind, _ row: Int, _ start: Double, _ end: Double
  ) -> TimelineStrips.Strip {
    .init(kind: kind, position: row, start: start, end: end)
  }

  @Test("A row waits, loads in stages, and is shown until it leaves")
  func life() {
    let strips = strips([
      (0, 3, .displayed), (0, 3, .waiting), (100, 3, .started(7)),
      (200, 3, .ran(.decode, 7, since: .milliseconds(180))),
      (180, 3, .ran(.fetch, 7, since: .milliseconds(110))), (250, 3, .finished(7)),
      (900, 3, .endedDisplaying),
    ])
    #expect(
      Set(strips.strips) == [
        strip(.waiting, 3, 0, 0.1), strip(.loading, 3, 0.1, 0.25),
        strip(.stage("fetch"), 3, 0.11, 0.18), strip(.stage("decode"), 3, 0.18, 0.2),
        strip(.shown, 3, 0.25, 0.9),
      ])
    #expect(strips.marks == [.init(kind: .applied, position: 3, time: 0.25)])
    #expect(strips.viewports.map(\.rows) == [[3...3], []])
  }

  @Test("A cancelled load ends where it was cancelled, a failed one leaves nothing to show")
  func ends() {
    let strips = strips([
      (0, 1, .displayed), (0, 1, .started(1)), (50, 1, .cancelled(1)),
      (80, 1, .stopped(1, at: nil)),
      (100, 1, .started(2)), (150, 1, .failed(2, CancellationError())),
    ])
    #expect(
      strips.strips == [strip(.loading, 1, 0, 0.05), strip(.loading, 1, 0.1, 0.15)])
    #expect(strips.marks.map(\.kind) == [.cancelled, .failed])
  }

  @Test("Displays that follow each other closely are one step a millisecond, not one in all")
  func viewportSteps() {
    var strips = TimelineStrips()
    for row in 0..<10 {
      strips.record(
        TrackerEvent(row: row, kind: .displayed, time: .microseconds(row * 900)), of: row, at: row)
    }
    #expect(strips.closed().viewports.map(\.rows.last) == [0...1, 0...3, 0...5, 0...7, 0...9])
  }

  @Test("A row that moves in the list ends where it began, and leaves the screen")
  func movedRow() {
    var place = 3
    let timeline = Timeline<String> { _ in place }
    for (time, kind) in [
      (0, .displayed), (0, .waiting), (10, .started(1)), (20, .finished(1)), (30, .listening),
      (40, .stoppedListening), (50, .endedDisplaying),
    ] as [(Int, Kind)] {
      timeline.record(TrackerEvent(row: "a", kind: kind, time: .milliseconds(time)))
      place += 100
    }
    // Another event after the end, which anything that goes on would reach.
    timeline.record(TrackerEvent(row: "b", kind: .prefetched, time: .seconds(1)))
    let strips = timeline.strips.closed()
    #expect(
      Set(strips.strips) == [
        strip(.waiting, 103, 0, 0.01), strip(.loading, 203, 0.01, 0.02),
        strip(.shown, 303, 0.02, 0.05), strip(.live, 403, 0.03, 0.04),
      ])
    #expect(strips.viewports.map(\.rows) == [[3...3], []])
  }

  @Test("What still goes on at the end reaches to the end")
  func open() {
    let strips = strips([
      (0, 1, .waiting), (0, 2, .started(1)), (0, 3, .displayed), (10, 3, .started(2)),
      (20, 3, .finished(2)), (90, 4, .prefetched),
    ])
    #expect(
      Set(strips.strips) == [
        strip(.waiting, 1, 0, 0.09), strip(.loading, 2, 0, 0.09), strip(.loading, 3, 0.01, 0.02),
        strip(.shown, 3, 0.02, 0.09),
      ])
  }

  @Test("A row that two cells show is on screen until both have left; a kept value shows at once")
  func twoCells() {
    let strips = strips([
      (0, 1, .started(1)), (10, 1, .finished(1)), (20, 1, .displayed), (30, 1, .displayed),
      (40, 1, .endedDisplaying), (50, 1, .endedDisplaying), (60, 1, .displayed), (70, 1, .evicted),
      (80, 1, .waiting),
    ])
    #expect(
      strips.strips.filter { $0.kind == .shown }
        == [strip(.shown, 1, 0.02, 0.05), strip(.shown, 1, 0.06, 0.07)])
  }

  @Test("Long stretches of rows to which nothing happened take no room")
  func scale() {
    let scale = RowScale([0, 10, 5_000, 5_009], height: 214)
    #expect(scale.bands.map(\.rows) == [0...10, 5_000...5_009])
    #expect(abs(scale.rowHeight - 200.0 / 21) < 1e-9)
    #expect(scale.top(of: 0) == 0)
    #expect(scale.top(of: 5_000) == 11 * scale.rowHeight + RowScale.gap)
    #expect(scale.top(of: 2_000) == nil)
    #expect(RowScale([], height: 100).bands == [])
  }

  /// The legend of loads of a second each, with a stage up to each of some milliseconds.
  private func legend(_ stages: [(UpdateStage, Int)], of rows: Int = 3) -> [String] {
    let timeline = Timeline<Int> { $0 }
    for row in 0..<rows {
      func record(_ time: Int, _ kind: Kind) {
        timeline.record(TrackerEvent(row: row, kind: kind, time: .milliseconds(time)))
      }
      record(0, .displayed)
      record(0, .started(UInt64(row)))
      var start = 0
      for (stage, end) in stages {
        record(end, .ran(stage, UInt64(row), since: .milliseconds(start)))
        start = end
      }
      record(1000, .endedDisplaying)
      record(1000, .finished(UInt64(row)))
    }
    let names = timeline.svg(title: "").matches(of: /y="[0-9.]+">([a-z, ]+)<\/text>/)
    return names.map { String($0.1) }
  }

  @Test("A marked moment is a line with its words, and lies inside the picture")
  func moments() {
    let timeline = Timeline<Int> { $0 }
    timeline.record(TrackerEvent(row: 0, kind: .displayed, time: .zero))
    timeline.mark("stop, <3 blank", at: .seconds(4))
    let picture = timeline.svg(title: "Run")
    #expect(picture.contains(">stop, &lt;3 blank</text>"))
    // It is the last moment: the right end of the plot.
    #expect(picture.contains(#"<path class="note" d="M944 "#))
    #expect(picture.components(separatedBy: #"class="note""#).count == 2)
  }

  @Test("The words of a marked moment lie inside the picture, also at its ends")
  func momentsAtTheEnds() {
    let timeline = Timeline<Int> { $0 }
    timeline.record(TrackerEvent(row: 0, kind: .displayed, time: .zero))
    for (second, blank) in [(0, 14), (2, 0), (4, 14)] {
      timeline.mark("stopped quite early, \(blank) blank", at: .seconds(second))
    }
    let anchors = timeline.svg(title: "Run").matches(
      of: /x="([0-9.]+)" y="44" text-anchor="([a-z]+)">stopped/)
    #expect(anchors.map { "\($0.1) \($0.2)" } == ["76 start", "510 middle", "944 end"])
  }

  @Test("A row that waits on screen is drawn darker than one that waits elsewhere")
  func waits() {
    let timeline = Timeline<Int> { $0 }
    for (row, kind) in [(0, Kind.displayed), (0, .waiting), (9, .prefetched), (9, .waiting)] {
      timeline.record(TrackerEvent(row: row, kind: kind, time: .zero))
    }
    timeline.record(TrackerEvent(row: 0, kind: .endedDisplaying, time: .seconds(1)))
    let picture = timeline.svg(title: "Run")
    let clip = picture.components(separatedBy: #"<clipPath id="v0"><path d=""#).last ?? ""
    let screen = picture.components(separatedBy: #"<path class="viewport" d=""#).last ?? ""
    #expect(clip.prefix { $0 != "\"" } == screen.prefix { $0 != "\"" } && !clip.isEmpty)
    #expect(picture.contains(##"<g clip-path="url(#v0)"><path class="waiting""##))
    #expect(picture.contains("waiting on screen") && picture.contains("waiting off screen"))
  }

  @Test("The legend names what is in the picture, and the stages that can be seen")
  func legend() {
    #expect(
      legend([(.fetch, 600), (.decode, 1000)])
        == ["on screen", "loading", "fetch", "decode", "applied"])
    #expect(legend([(.fetch, 600)]) == ["on screen", "loading", "fetch", "applied"])
    #expect(legend([(.fetch, 999), (.decode, 1000)]) == ["on screen", "loading", "applied"])
    #expect(legend([]) == ["on screen", "loading", "applied"])
    #expect(legend([], of: 0) == ["on screen"])
  }

  @Test("A tracker's run becomes a picture and a trace with all of its loads")
  func ofTracker() async throws {
    let timeline = Timeline<Int> { $0 }
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = timeline.record
    let tracker = DisplayTracker(configuration: configuration) { context in
      try await context.stage(.fetch) { context.row }
    }
    let cells = (0..<5).map { SimulatedCell(number: $0) }
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    withExtendedLifetime(cells) {}
    let picture = timeline.svg(title: "A < B & C")
    #expect(picture.hasPrefix("<svg "))
    #expect(picture.contains("A &lt; B &amp; C"))
    #expect(picture.contains("prefers-color-scheme: dark"))

    let trace = try JSONSerialization.jsonObject(with: Data(timeline.trace().utf8))
    let events = try #require((trace as? [String: Any])?["traceEvents"] as? [[String: Any]])
    let names = events.compactMap { $0["name"] as? String }
    #expect(names.count { $0 == "fetch" } == 5)
    #expect(names.count { $0 == "applied" } == 5)
    for row in 0..<5 { #expect(names.contains("row \(row)")) }
    let tracks = Set(
      events.filter { $0["pid"] as? Int == 1 && $0["ph"] as? String == "X" }
        .compactMap { $0["tid"] as? Int })
    #expect(tracks.isSubset(of: Set(1...6)), "as many tracks as slots")
  }
}
