import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import RowInspector

@Suite("Batches on timelines")
@MainActor
struct TimelineBatchTests {
  /// Rows 0, 1, 2 and 9 load in batch 7, and row 2 leaves it; row 4 loads alone.
  private func timeline() -> Timeline<Int> {
    let timeline = Timeline<Int> { $0 }
    func record(_ row: Int, _ time: Int, _ kind: TrackerEventKind) {
      timeline.record(TrackerEvent(row: row, kind: kind, time: .milliseconds(time)))
    }
    for row in [0, 1, 2, 4, 9] { record(row, 0, .displayed) }
    for row in [9, 0, 1, 2] {
      record(row, 100, .joined(UInt64(row + 10), batch: 7))
      record(row, 100, .started(UInt64(row + 10)))
    }
    record(4, 120, .started(4))
    record(2, 200, .cancelled(12))
    record(4, 300, .finished(4))
    for row in [0, 1, 9] {
      record(row, 380, .ran(.fetch, UInt64(row + 10), since: .milliseconds(100)))
      record(row, 400, .ran(.decode, UInt64(row + 10), since: .milliseconds(380)))
      record(row, 400, .finished(UInt64(row + 10)))
    }
    return timeline
  }

  private struct Bracket {
    let path: String
    let words: String
    /// `nil` without room for it.
    let count: String?
  }

  private func brackets(_ picture: String) -> [Bracket] {
    picture.matches(
      of:
        /<path class="request" d="([^"]*)"><title>([^<]*)<\/title><\/path>(?:\n<text class="count"[^>]*>([0-9]+))?/
    ).map { Bracket(path: String($0.1), words: String($0.2), count: $0.3.map(String.init)) }
  }

  @Test("A picture holds the rows of a batch together by a bracket with their number")
  func picture() throws {
    let picture = timeline().svg(title: "Run")
    let brackets = brackets(picture)
    #expect(brackets.map(\.count) == ["4"])
    let bracket = try #require(brackets.first)
    #expect(bracket.words == "one request for 4 rows: 0–2, 9, 0.3 s")
    #expect(bracket.path.count { $0 == "H" } == 4, "a stroke to each of its rows")
    #expect(picture.contains(">one request</text>"))
  }

  @Test("Brackets of batches that start together stand side by side")
  func lanes() {
    let timeline = Timeline<Int> { $0 }
    for row in 0..<4 {
      let load = UInt64(row)
      timeline.record(
        TrackerEvent(row: row, kind: .joined(load, batch: 8 + load % 2), time: .seconds(1)))
      timeline.record(TrackerEvent(row: row, kind: .started(load), time: .seconds(1)))
    }
    timeline.record(TrackerEvent(row: 0, kind: .displayed, time: .seconds(2)))
    let brackets = brackets(timeline.svg(title: ""))
    #expect(
      brackets.map(\.words) == [
        "one request for 2 rows: 0, 2, 1 s",
        "one request for 2 rows: 1, 3, 1 s",
      ])
    #expect(Set(brackets.compactMap { $0.path.split(separator: " ").first }).count == 2)
  }

  @Test("Brackets of thin rows have neither strokes to each row nor numbers")
  func thinRows() {
    let timeline = Timeline<Int> { $0 }
    timeline.record(TrackerEvent(row: 0, kind: .displayed, time: .zero))
    timeline.record(TrackerEvent(row: 50, kind: .displayed, time: .zero))
    timeline.record(TrackerEvent(row: 100, kind: .displayed, time: .zero))
    for row in 0..<10 {
      let load = UInt64(row)
      timeline.record(
        TrackerEvent(row: row, kind: .joined(load, batch: load < 3 ? 20 : 21), time: .zero))
      timeline.record(TrackerEvent(row: row, kind: .started(load), time: .zero))
    }
    timeline.record(TrackerEvent(row: 100, kind: .endedDisplaying, time: .seconds(1)))
    let brackets = brackets(timeline.svg(title: ""))
    #expect(brackets.map(\.count) == [nil, "7"])
    #expect(brackets.allSatisfy { $0.path.count { $0 == "H" } == 2 })
    #expect(Set(brackets.compactMap { $0.path.split(separator: " ").first }).count == 1)
  }

  @Test("A legend with many entries has a second line, inside the picture")
  func legend() throws {
    let timeline = timeline()
    for row in [20, 21] {
      timeline.record(TrackerEvent(row: row, kind: .waiting, time: .zero))
      timeline.record(TrackerEvent(row: row, kind: .listening, time: .zero))
    }
    let picture = timeline.svg(title: "Run")
    let size = try #require(picture.firstMatch(of: /viewBox="0 0 960 ([0-9.]+)"/))
    let heights = picture.matches(of: /<text class="ink" x="[0-9.]+" y="([0-9.]+)">/)
      .compactMap { Double($0.1) }
    #expect(Set(heights).count == 2)
    #expect(heights.allSatisfy { $0 < Double(size.1) ?? 0 })
  }

  @Test("A batch of one row, and rows without batches, have no bracket")
  func single() {
    let timeline = Timeline<Int> { $0 }
    timeline.record(TrackerEvent(row: 0, kind: .joined(1, batch: 2), time: .zero))
    timeline.record(TrackerEvent(row: 0, kind: .started(1), time: .zero))
    timeline.record(TrackerEvent(row: 1, kind: .started(3), time: .zero))
    timeline.record(TrackerEvent(row: 0, kind: .finished(1), time: .seconds(1)))
    let picture = timeline.svg(title: "")
    #expect(brackets(picture).isEmpty && !picture.contains("one request"))
    #expect(timeline.trace().contains(#""name":"row 0""#))
  }

  @Test("A trace has a batch as one load in one track, and the ends of its rows")
  func trace() throws {
    struct File: Decodable {
      struct Event: Decodable {
        let name: String
        let ph: String
        let pid: Int
        let tid: Int
        let dur: Double?
        let args: [String: String]?
      }
      let traceEvents: [Event]
    }
    let file = try JSONDecoder().decode(File.self, from: Data(timeline().trace().utf8))
    let loads = file.traceEvents.filter { $0.pid == 1 && $0.ph != "M" }
    let batch = try #require(loads.first { $0.name == "4 rows" })
    #expect(batch.args == ["rows": "0–2, 9"])
    #expect(abs((batch.dur ?? 0) - 300_000) < 1)
    let inTrack = loads.filter { $0.tid == batch.tid }
    #expect(
      inTrack.map(\.name).sorted()
        == ["4 rows", "applied", "applied", "applied", "cancelled", "decode", "fetch"])
    #expect(
      inTrack.filter { $0.ph == "i" }.map { $0.args?["row"] } == ["0", "1", "2", "9"])
    #expect(Set(loads.filter { $0.ph == "X" }.map(\.tid)).count == 2, "as many tracks as loads")
  }

  @Test("Two batches of a tracker are two brackets of its picture")
  func ofTracker() async {
    let timeline = Timeline<Int> { $0 }
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.onEvent = timeline.record
    configuration.slots = UpdateSlots(1)
    let tracker = DisplayTracker(configuration: configuration, batchesOf: 4) { batch in
      Dictionary(uniqueKeysWithValues: batch.rows.map { ($0, $0) })
    }
    let cells = (0..<8).map { SimulatedCell(number: $0) }
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    withExtendedLifetime(cells) {}
    #expect(brackets(timeline.svg(title: "")).map(\.count) == ["4", "4"])
  }
}
