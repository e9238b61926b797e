import Foundation
import RowOperations
import Testing

@testable import fling

@Suite("A timeline")
struct TimelineTests {
  private typealias Kind = TrackerEvent<Int>.Kind

  /// The timeline of events at milliseconds.
  private func timeline(_ events: [(Int, Int, Kind)]) -> Timeline {
    var timeline = Timeline()
    for (time, row, kind) in events {
      timeline.record(TrackerEvent(row: row, kind: kind, time: .milliseconds(time)))
    }
    return timeline.closed()
  }

  private func strip(
    _ kind: Timeline.Strip.Kind, _ row: Int, _ start: Double, _ end: Double
  ) -> Timeline.Strip {
    .init(kind: kind, row: row, start: start, end: end)
  }

  @Test("has a row that waits, loads, and is shown until it leaves")
  func life() {
    let timeline = timeline([
      (0, 3, .displayed), (0, 3, .waiting), (100, 3, .started(7)), (250, 3, .finished(7)),
      (900, 3, .endedDisplaying),
    ])
    #expect(
      Set(timeline.strips) == [
        strip(.waiting, 3, 0, 0.1), strip(.loading, 3, 0.1, 0.25), strip(.shown, 3, 0.25, 0.9),
      ])
    #expect(timeline.marks == [.init(kind: .applied, row: 3, time: 0.25)])
    #expect(timeline.viewports.map(\.rows) == [3...3, nil])
  }

  @Test("ends loads where they were cancelled or failed, and what goes on at the last moment")
  func ends() {
    let timeline = timeline([
      (0, 1, .started(1)), (50, 1, .cancelled(1)), (100, 1, .started(2)),
      (150, 1, .failed(2, CancellationError())), (150, 2, .waiting), (160, 4, .started(3)),
      (200, 5, .prefetched),
    ])
    #expect(
      Set(timeline.strips) == [
        strip(.loading, 1, 0, 0.05), strip(.loading, 1, 0.1, 0.15), strip(.waiting, 2, 0.15, 0.2),
        strip(.loading, 4, 0.16, 0.2),
      ])
    #expect(timeline.marks.map(\.kind) == [.cancelled, .failed])
  }

  @Test("shows a row that two cells show until both have left, and a kept value at once")
  func twoCells() {
    let timeline = timeline([
      (0, 1, .started(1)), (10, 1, .finished(1)), (20, 1, .displayed), (30, 1, .displayed),
      (40, 1, .endedDisplaying), (50, 1, .endedDisplaying), (60, 1, .displayed),
      (70, 1, .evicted), (80, 1, .waiting),
    ])
    #expect(
      timeline.strips.filter { $0.kind == .shown }
        == [strip(.shown, 1, 0.02, 0.05), strip(.shown, 1, 0.06, 0.07)])
  }

  @Test("takes no room for long stretches of rows to which nothing happened")
  func scale() {
    let scale = RowScale([0, 10, 5_000, 5_009], height: 214)
    #expect(scale.bands.map(\.rows) == [0...10, 5_000...5_009])
    #expect(abs(scale.rowHeight - 200.0 / 21) < 1e-9)
    #expect(scale.top(of: 5_000) == 11 * scale.rowHeight + RowScale.gap)
    #expect(scale.top(of: 2_000) == nil && RowScale([], height: 100).bands == [])
  }

  @Test("draws its moments inside the picture, and a row that waits on screen darker")
  func picture() {
    var timeline = timeline([
      (0, 0, .displayed), (0, 0, .waiting), (0, 9, .waiting), (4_000, 0, .endedDisplaying),
    ])
    for second in [0, 2, 4] { timeline.note("stopped quite early, 14 blank", at: .seconds(second)) }
    let picture = TimelinePicture([("Run", timeline)]).svg
    let anchors = picture.matches(of: /x="([0-9.]+)" y="44" text-anchor="([a-z]+)">stopped/)
    #expect(anchors.map { "\($0.1) \($0.2)" } == ["76 start", "510 middle", "944 end"])
    #expect(picture.contains(##"<g clip-path="url(#v0)"><path class="waiting""##))
    let legend = picture.matches(of: /y="[0-9.]+">([a-z ]+)<\/text>/).map { String($0.1) }
    #expect(legend == ["on screen", "waiting off screen", "waiting on screen"])
  }
}
