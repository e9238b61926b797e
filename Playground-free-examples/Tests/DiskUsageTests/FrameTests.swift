import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("A frame")
struct FrameTests {
  @Test(
    "is never wider or taller than the screen, and holds nothing invisible",
    .enabled(if: isLinux))
  func fits() throws {
    let width = try SystemWidth()
    var random = SeededGenerator(seed: 1)
    for columns in Array(1...40) + Array(stride(from: 41, through: 200, by: 3)) {
      for height in [1, 3, 4, 5, 24] {
        let frame = Self.frame(rows: Int.random(in: 0...30, using: &random), using: &random)
        let lines = frame.lines(columns: columns, lines: height)
        #expect(lines.count <= height)
        for line in lines {
          let ordinary = line.text.filter { !TextTests.emoji.contains(String($0)) }
          #expect(
            ordinary.unicodeScalars.allSatisfy { !$0.properties.isDefaultIgnorableCodePoint })
          let columnsBySystem = try line.text.reduce(0) { try $0 + #require(width.of($1)) }
          #expect(line.columns == columnsBySystem)
          #expect(line.columns <= columns)
        }
      }
    }
  }

  @Test("shows sizes, bars, counts and names as far as there is room")
  func columns() {
    let rows = [
      Frame.Row(
        name: Array("lib".utf8)[...], kind: .folder,
        phase: .loaded(Tally(bytes: 2_000_000, files: 1234))),
      Frame.Row(
        name: Array("half".utf8)[...], kind: .link,
        phase: .loading(previous: Tally(bytes: 1_000_000, files: 5, unreadable: 1))),
      Frame.Row(name: Array("new".utf8)[...], kind: .other, phase: .loading(previous: nil)),
      Frame.Row(name: Array("later".utf8)[...], kind: .other, phase: .waiting(previous: nil)),
      Frame.Row(
        name: Array("closed".utf8)[...], kind: .folder,
        phase: .loaded(Tally(bytes: 4096, unreadable: 1, trouble: .unreadable))),
      Frame.Row(name: Array("lost".utf8)[...], kind: .other, phase: .loaded(Tally(trouble: .gone))),
    ]
    let frame = Frame(
      folder: Path("/usr/local".utf8), bytes: 3_004_096, files: 1239, unreadable: 2, count: 6,
      due: 3, largest: 2_000_000, rows: rows, cursor: 1)
    #expect(
      frame.lines(columns: 60, lines: 9).map(\.text) == [
        "/usr/local                                           by size",
        "3.0 MB in 1,239 files so far, 3 of 6 rows, 2 unreadable",
        "    2.0 MB ████████████       1,234  lib/",
        "   >1.0 MB ██████                 5  half@                  ",
        "         …                           new",
        "         ·                           later",
        "unreadable ▏                         closed/",
        "      gone                           lost",
        "↑ ↓ Enter Backspace  s sort  r refresh  q quit",
      ])
    #expect(
      frame.lines(columns: 20, lines: 9).map(\.text) == [
        "/usr/local   by size", "3.0 MB in 1,239 fil…", "    2.0 MB lib/", "   >1.0 MB half@    ",
        "         … new", "         · later", "unreadable closed/", "      gone lost",
        "s sort  q quit",
      ])
    #expect(frame.lines(columns: 10, lines: 9).last?.text == "q quit")
    #expect(frame.lines(columns: 10, lines: 2).map(\.text) == ["lib/", "half@     "])
    #expect(
      frame.lines(columns: 20, lines: 9)[3].escaped()
        == "\u{1B}[0;7m   \u{1B}[0;2;7m>1.0 MB\u{1B}[0;7m \u{1B}[0;7mhalf@\u{1B}[0;7m    \u{1B}[0m")
  }

  @Test("has bars without colour where colours are not wanted")
  func colors() {
    var line = ScreenLine()
    line.append("█", .bar)
    line.append("name", .bold)
    #expect(line.escaped() == "\u{1B}[0;34m█\u{1B}[0;1mname\u{1B}[0m")
    #expect(line.escaped(isColored: false) == "\u{1B}[0m█\u{1B}[0;1mname\u{1B}[0m")
  }

  @Test("returns to its columns after an emoji whose width terminals disagree on")
  func returns() {
    var line = ScreenLine()
    line.append("日❤\u{FE0F}")
    line.append("by size", endingAt: 20, .dim)
    let blanks = String(repeating: " ", count: 9)
    #expect(
      line.escaped()
        == "\u{1B}[0m日❤\u{FE0F}\u{1B}[5G\u{1B}[0m\(blanks)\u{1B}[0;2mby size\u{1B}[0m")
  }

  @Test("writes sizes in eight columns, and counts with commas")
  func figures() {
    let sizes: [(UInt64, String)] = [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
      (999_949, "999.9 kB"), (999_950, "1.0 MB"), (123_456_789, "123.5 MB"),
      (999_950_000_000_000_000, "1.0 EB"), (.max, "18.4 EB"),
    ]
    for (bytes, text) in sizes { #expect(Figure.size(bytes) == text) }
    #expect([0, 999, 1000, 1_234_567].map(Figure.count) == ["0", "999", "1,000", "1,234,567"])
    #expect(Figure.bar(1, of: .max, columns: 10) == "▏")
    #expect(Figure.bar(.max, of: .max, columns: 3) == "███")
    #expect(Figure.bar(0, of: 5, columns: 3) == "" && Figure.bar(0, of: 0, columns: 3) == "")
  }

  private static let alphabets: [[UInt8]] = [
    Array("plain name.txt".utf8), Array("日本語ファイル".utf8), Array("e\u{301}\u{20DD}o\u{302}".utf8),
    Array("\u{1B}]0;x\u{7}\n\t\u{9B}".utf8), Array("😀👩\u{200D}👧🇩🇪❤\u{FE0F}".utf8),
    [0xFF, 0xC3, 0x28, 0xE6, 0x97], Array("\u{301}\u{202E}\u{200B}\\\u{200D}".utf8),
  ]

  private static func name(using random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...8, using: &random)).flatMap { _ in
      alphabets.randomElement(using: &random) ?? []
    }
  }

  private static func frame(rows: Int, using random: inout SeededGenerator) -> Frame {
    let size = { (random: inout SeededGenerator) in
      UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random)
    }
    var frame = Frame(folder: Path(name(using: &random)))
    frame.bytes = size(&random)
    frame.files = Int.random(in: 0...2_000_000_000, using: &random)
    frame.count = 100_000
    frame.due = Int.random(in: 0...100_000, using: &random)
    frame.largest = size(&random)
    frame.rows = (0..<rows).map { _ in
      let tally = Tally(bytes: size(&random), files: frame.files, unreadable: frame.due % 3)
      return Frame.Row(
        name: name(using: &random)[...], kind: .folder,
        phase: Bool.random(using: &random) ? .loaded(tally) : .loading(previous: nil))
    }
    frame.cursor = Int.random(in: 0...30, using: &random)
    if Bool.random(using: &random) { frame.message = VisibleText(name(using: &random)) }
    return frame
  }
}
