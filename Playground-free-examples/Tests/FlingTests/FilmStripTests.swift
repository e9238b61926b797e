import Foundation
import Testing

@testable import fling

@Suite("A film strip")
struct FilmStripTests {
  @Test("keeps changes, merges equal values, and takes the last value of a tick")
  func track() {
    var track = FilmTrack<String>()
    for (value, tick) in [("a", 3), ("a", 4), ("b", 5), ("c", 5), ("c", 6), ("d", 7), ("c", 7)] {
      track.append(value, at: tick)
    }
    #expect(track.keys == [.init(tick: 0, value: "a"), .init(tick: 5, value: "c")])
    #expect([0, 4, 5, 100].map { track.value(at: $0) } == ["a", "a", "c", "c"])
  }

  @Test("changes a row that comes back while it is off screen")
  func comesBack() {
    let strip = FilmStrip(
      Recording([
        "0 ww", "0 lw", "100 .w", "200 ..", "200 ..", "200 ..", "0 ss",
      ]))
    // Row 0 is seen last at 0.1 s and again at 0.6 s, row 1 at 0.2 s and at 0.6 s.
    #expect(
      strip.rows[0]?.keys == [
        .init(tick: 0, value: .waiting), .init(tick: 2, value: .loading),
        .init(tick: 7, value: .shown),
      ])
    #expect(strip.rows[1]?.keys.last == .init(tick: 8, value: .shown))
    #expect(strip.rows[3]?.keys == [.init(tick: 0, value: .notWanted)])
    #expect(strip.rows[4] == nil)
    #expect(strip.end == 12)
  }

  @Test("draws a scroll in few pieces, nowhere farther off than its tolerance")
  func path() {
    let points = (0...600).map { index in
      let time = Double(index) / 60
      return FilmPath.Point(time: time, offset: 4000 * (1 - exp(-2 * time)))
    }
    let path = FilmPath(points, tolerance: 1)
    #expect(path.points.count < 80)
    #expect(path.points.first == points.first && path.points.last == points.last)
    for point in points { #expect(abs(path.offset(at: point.time) - point.offset) <= 1) }
    #expect(path.offset(at: 99) == points.last?.offset)
  }

  @Test("keeps a scroll of one point, and of none")
  func shortPaths() {
    let point = FilmPath.Point(time: 0, offset: 5)
    #expect(FilmPath([point], tolerance: 1).points == [point])
    #expect(FilmPath([], tolerance: 1).points.isEmpty)
    #expect(FilmPath([point], tolerance: 1).offset(at: 3) == 5)
  }

  @Test("stops at the middle of the longest time in which the runs differ most")
  func poster() {
    let recipe = FilmStrip(Recording(["0 ss", "0 ww", "0 ss", "0 ww", "0 ww", "0 ww", "0 sw"]))
    let tracker = FilmStrip(Recording(["0 ss", "0 ss", "0 ss", "0 ss", "0 ss", "0 ss", "0 ss"]))
    #expect(recipe.tick(ofLargestDifferenceTo: tracker) == 9)
    #expect(tracker.tick(ofLargestDifferenceTo: tracker) == 6)
  }
}
