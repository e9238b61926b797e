import Testing

@testable import fling

@Suite("A watched frame")
struct WatchFrameTests {
  private static let names = ["first", "second"]
  private static let first = Recording(name: "first", ["0 ww", "50 wls", "100 sx"])
  private static let second = Recording(name: "second", ["0 ..", "50 sss"])

  @Test("shows the first run beside the second at the same time")
  func replay() {
    let frame = WatchFrame(names: Self.names, recordings: [Self.first, Self.second])
    let texts = frame.lines(columns: 26, lines: 7).map(\.text)
    #expect(
      texts == [
        "first         second",
        "       ░░░░░         █████",
        "     1 ▒▒▒▒▒       1 █████",
        "       ▒▒▒▒▒         █████",
        "     2 █████       2 █████",
        "2 rows blank  0 rows blank",
        "0.1 s  q quit  ·· not want",
      ])
  }

  @Test("counts the rows that it draws, and no row of which it draws no line")
  func counts() {
    for (script, figures) in [
      ("20 ssw", "0 rows blank"), ("30 ssw", "1 row blank,"), ("30 ww.", "3 rows blank"),
      ("80 wss", "0 rows blank"),
    ] {
      let frame = WatchFrame(names: ["first"], recordings: [Recording([script])])
      #expect(frame.lines(columns: 12, lines: 7)[5].text == figures)
    }
  }

  @Test("leaves room for a run to come")
  func alone() {
    let frame = WatchFrame(names: Self.names, recordings: [Self.first])
    let lines = frame.lines(columns: 26, lines: 5)
    #expect(lines.map(\.text)[1...2] == ["     1 █████", "     2 xxxxx"])
    #expect(lines[1].spans.first?.look == .shown)
  }

  @Test("says that the first rows load, beside the start of a run before")
  func loading() {
    let empty = Recording(name: "second", [])
    let first = WatchFrame(names: Self.names, recordings: [empty])
    #expect(
      first.lines(columns: 50, lines: 4).map(\.text.trimmed)
        == [
          "first                     second", "loading the first rows…", "",
          "0.0 s  q quit  ·· not wanted  ░░ waits  ▒▒ loads",
        ])
    let second = WatchFrame(names: Self.names, recordings: [Self.first, empty])
    #expect(
      second.lines(columns: 50, lines: 4).map(\.text.trimmed)[1]
        == "     0 ░░░░░░░░░░░░░░░░░  loading the first rows…")
  }

  @Test("never is wider or taller than the screen")
  func fits() {
    let frame = WatchFrame(names: Self.names, recordings: [Self.first, Self.second])
    for columns in 0...100 {
      for height in [0, 1, 2, 3, 4, 5, 10, 24, 100] {
        let lines = frame.lines(columns: columns, lines: height)
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { $0.text.count <= columns })
      }
    }
    #expect(WatchFrame(names: Self.names, recordings: []).lines(columns: 80, lines: 24) == [])
  }

  @Test("shows looks by characters, and by colours if it may")
  func colors() {
    let span = WatchSpan(text: "░░", look: .waiting)
    #expect(span.escaped(isColored: false) == "░░")
    #expect(span.escaped(isColored: true) == "\u{1B}[33m░░\u{1B}[0m")
    #expect(WatchSpan(text: "a").escaped(isColored: true) == "a")
  }
}

extension String {
  /// Without the blanks at the end of a line.
  fileprivate var trimmed: String {
    String(prefix(upTo: lastIndex { $0 != " " }.map(index(after:)) ?? startIndex))
  }
}
