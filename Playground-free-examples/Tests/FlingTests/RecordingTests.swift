import Testing

@testable import fling

@Suite("A recording of frames")
struct RecordingTests {
  @Test("adds up for how long rows were blank")
  func blankTime() {
    let recording = Recording(["0 .w", "0 ls", "0 sx", "0 ss"])
    #expect(recording.frames.map(recording.blankRows) == [2, 1, 1, 0])
    for (time, wanted) in zip(recording.blankRowSeconds, [0, 0.2, 0.3, 0.4]) {
      #expect(abs(time - wanted) < 1e-9)
    }
  }

  @Test("counts a row as blank only if its middle is on screen")
  func edges() {
    let recording = Recording(["4 ssw", "49 wsw", "50 wsw", "51 wsw", "96 wsx", "51 www"])
    #expect(recording.frames.map(recording.blankRows) == [0, 1, 1, 1, 1, 2])
  }

  @Test("finds the frame on screen at a time")
  func index() {
    let recording = Recording(["0 ss", "10 sss", "20 sss"])
    #expect([-1, 0, 0.05, 0.1, 0.15, 0.2, 9].map(recording.index) == [0, 0, 0, 1, 1, 2, 2])
  }

  @Test("says that a machine was too busy if a third of the time passed in late frames")
  func lateFrames() {
    /// Frames at intervals in milliseconds.
    func recording(_ intervals: [Double]) -> Recording {
      var recording = Recording(name: "A", rowHeight: 100, viewport: 100)
      var time = 0.0
      for interval in [0] + intervals {
        time += interval / 1000
        recording.append(.init(time: time, offset: 0, firstRow: 0, looks: [.shown]))
      }
      return recording
    }
    #expect(recording([]).lateShare == 0 && recording([17, 17, 66, 66]).lateShare == 0)
    let busy = recording(Array(repeating: 20, count: 230) + [500, 700, 1_800, 2_000])
    let runs = samples([.sample(), .sample()])
    #expect(
      Film.summary(of: runs, [busy, recording([17])]) == """
        A: 1.5 s of blank rows in all
        B: 1.5 s of blank rows in all
        Rows checked in both lists: 80
        Wrong rows in both lists: 0
        The machine was too busy for the frames, which came late for 52 % of the time. \
        The figures say little.
        """)
    #expect(!Film.summary(of: runs, [recording([17])]).contains("busy"))
  }
}

@Suite("A watched frame")
struct WatchFrameTests {
  private static let names = ["first", "second"]
  private static let first = Recording(name: "first", ["0 ww", "50 wls", "100 sx"])
  private static let second = Recording(name: "second", ["0 ..", "50 sss"])

  private func lines(
    _ recordings: [Recording], _ columns: Int = 26, _ lines: Int = 7, isColored: Bool = false
  ) -> [String] {
    WatchFrame(names: Self.names, recordings: recordings)
      .lines(columns: columns, lines: lines, isColored: isColored)
  }

  @Test("shows the first run beside the second at the same time")
  func replay() {
    #expect(
      lines([Self.first, Self.second]) == [
        "first         second      ",
        "       ░░░░░         █████",
        "     1 ▒▒▒▒▒       1 █████",
        "       ▒▒▒▒▒         █████",
        "     2 █████       2 █████",
        "2 rows blank  0 rows blank",
        "0.1 s  q quit  ░░ waits",
      ])
  }

  @Test("says that the first rows load, and leaves room for a run to come")
  func loading() {
    let empty = Recording(name: "second", [])
    #expect(lines([empty], 50, 5)[1].hasPrefix("loading the first rows…"))
    #expect(lines([Self.first], 26, 5)[1] == "     1 █████              ")
    #expect(lines([Self.first, empty], 50, 5)[1].hasSuffix("  loading the first rows… "))
  }

  @Test("never is wider or taller than the screen")
  func fits() {
    for columns in 0...100 {
      for height in [0, 1, 2, 3, 4, 5, 10, 24, 100] {
        let lines = lines([Self.first, Self.second], columns, height)
        #expect(lines.count <= height && lines.allSatisfy { $0.count <= columns })
      }
    }
    #expect(lines([]) == [])
  }

  @Test("shows looks by characters, and by colours if it may")
  func colors() {
    let line = lines([Self.first, Self.second], isColored: true)[2]
    #expect(line == "\u{1B}[94m     1 ▒▒▒▒▒\u{1B}[0m  \u{1B}[32m     1 █████\u{1B}[0m")
  }
}
