import Foundation
import Testing

@testable import fling

@Suite("The summary of a film")
struct FilmSummaryTests {
  private static let first = recording("A", [.waiting, .shown, .shown])
  private static let second = recording("B", [.waiting, .waiting, .waiting])

  /// Two rows, at frames with an interval in seconds.
  private static func recording(
    _ name: String, _ looks: [RowLook], interval: Double = 0.05
  ) -> Recording {
    var recording = Recording(name: name, rowHeight: 100, viewport: 200)
    for (index, look) in looks.enumerated() {
      recording.append(
        Recording.Frame(
          time: Double(index) * interval, offset: 0, firstRow: 0, looks: [look, look]))
    }
    return recording
  }

  private func lines(_ first: Figures, _ second: Figures) -> [String] {
    FilmSummary.text([(Self.first, first), (Self.second, second)]).components(separatedBy: "\n")
  }

  private func figures(checked: Int, wrong: Int?) -> Figures {
    Figures.sample { ($0.rowsShown, $0.rowsChecked, $0.wrongRows) = (40, checked, wrong) }
  }

  @Test("has the blank time of each run, and the rows of both")
  func good() {
    #expect(
      lines(figures(checked: 40, wrong: 0), figures(checked: 30, wrong: 0)) == [
        "A: 0.1 s of blank rows in all", "B: no row loaded", "Rows checked in both lists: 70 of 80",
        "Wrong rows in both lists: 0",
      ])
  }

  @Test("calls no row right that was not checked")
  func unknown() {
    let unknown = figures(checked: 0, wrong: nil)
    #expect(
      lines(unknown, unknown).suffix(2) == [
        "Rows checked in both lists: 0 of 80", "Wrong rows in both lists: unknown",
      ])
    #expect(
      lines(figures(checked: 40, wrong: 0), unknown).last == "Wrong rows in both lists: unknown")
    #expect(lines(figures(checked: 40, wrong: 3), unknown).last == "Wrong rows in both lists: 3")
  }

  @Test("ends with the frames if they came too late")
  func lateFrames() {
    let late = Self.recording("B", [.shown, .shown], interval: 1)
    let text = FilmSummary.text([(Self.first, Figures.sample()), (late, Figures.sample())])
    #expect(text.hasSuffix("\n" + (FramePace.remark([FramePace([0, 1])]) ?? "none")))
  }
}

@Suite("The pace of frames")
struct FramePaceTests {
  /// Frames at these intervals, in milliseconds.
  private func pace(_ intervals: [Double]) -> FramePace {
    var times = [0.0]
    for interval in intervals { times.append((times.last ?? 0) + interval / 1000) }
    return FramePace(times)
  }

  @Test("is the share of time in frames that are more than 50 ms late")
  func share() {
    #expect(pace([]).lateShare == 0)
    #expect(FramePace([]).lateShare == 0)
    #expect(pace([17, 17, 66, 66]).lateShare == 0)
    #expect(abs(pace([50, 50, 100]).lateShare - 0.5) < 1e-9)
  }

  @Test("is worth a remark if any run passed a third of its time so")
  func remark() {
    let steady = pace(Array(repeating: 20, count: 500))
    // As measured on a machine with some load, and with far too much.
    let some = pace(Array(repeating: 20, count: 370) + [300, 500, 800, 1_000])
    let busy = pace(Array(repeating: 20, count: 230) + [500, 700, 1_800, 2_000])
    #expect(FramePace.remark([steady, some]) == nil)
    for runs in [[busy, steady], [steady, busy]] {
      #expect(
        FramePace.remark(runs) == """
          The machine was too busy for the frames, which came late for 52 % of the time. \
          The figures say little.
          """)
    }
  }
}
