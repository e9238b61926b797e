import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("Names on a screen")
struct TextTests {
  /// A name, its text on the screen, and the columns that the text takes.
  private static let names: [(String, String, Int)] = [
    ("plain.txt", "plain.txt", 9), ("a\nb\tc\rd\r\n", #"a\nb\tc\rd\r\n"#, 14),
    (#"a\nb"#, #"a\\nb"#, 5), ("\u{1B}[31m", #"\u{1b}[31m"#, 10),
    ("\u{9B}1m\u{7F}", #"\u{9b}1m\u{7f}"#, 14), ("a\u{202E}b", #"a\u{202e}b"#, 10),
    ("\u{200B}\u{FEFF}", #"\u{200b}\u{feff}"#, 16), ("日本", "日本", 4), ("Ｆｗ", "Ｆｗ", 4),
    ("한글", "한글", 4), ("한", "한", 2), ("e\u{301}", "e\u{301}", 1),
    ("\u{301}x", "◌\u{301}x", 2), ("\n\u{301}", "\\n◌\u{301}", 3), ("", "", 0),
    ("\u{2028}\u{E000}", #"\u{2028}\u{e000}"#, 16), ("😀", "😀", 2), ("🇩🇪🇫🇷", "🇩🇪🇫🇷", 4),
  ]

  /// Emoji of several scalars, each two columns wide.
  static let emoji = [
    "❤\u{FE0F}", "👋🏽", "☝🏿", "1\u{FE0F}\u{20E3}", "#\u{FE0F}\u{20E3}", "👩\u{200D}👧",
    "👩🏽\u{200D}🚀", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "🏳\u{FE0F}\u{200D}🌈", "🏳\u{200D}🌈",
    "❤\u{FE0F}\u{200D}🔥", "👩\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👨",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  ]

  /// Joiners, selectors and tags where they belong to nothing visible.
  private static let strays: [(String, String)] = [
    ("a\u{200D}b", #"a\u{200d}b"#), ("👩\u{200D}", #"👩\u{200d}"#), ("\u{200D}👩", #"\u{200d}👩"#),
    ("a\u{FE0F}", #"a\u{fe0f}"#), ("👩\u{200D}\u{200D}👧", #"👩\u{200d}\u{200d}👧"#),
    ("❤\u{FE0F}\u{FE0F}", #"❤\u{fe0f}\u{fe0f}"#), ("👩\u{200D}a", #"👩\u{200d}a"#),
    ("🏴\u{E0067}\u{E007F}", #"🏴\u{e0067}\u{e007f}"#), ("日\u{200C}本", #"日\u{200c}本"#),
    ("a\u{E0100}", #"a\u{e0100}"#), ("a\u{200D}\u{301}", "a\\u{200d}◌\u{301}"),
  ]

  @Test("show invisible and controlling characters as escapes")
  func escapes() {
    // Not as arguments of the test, which are printed raw.
    for (name, text, columns) in Self.names {
      let visible = VisibleText(name)
      #expect(visible.text.unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(visible.columns == columns && visible.isAgreed)
    }
    for (name, text) in Self.strays {
      #expect(VisibleText(name).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }

  @Test("show emoji of several scalars as they are, in two columns each")
  func emojiSequences() {
    for emoji in Self.emoji {
      let visible = VisibleText("a\(emoji)b")
      #expect(visible.text.unicodeScalars.elementsEqual("a\(emoji)b".unicodeScalars))
      #expect(visible.columns == 4 && !visible.isAgreed)
    }
  }

  @Test("keep selectors of Han characters and joiners of Indic ones")
  func shapes() {
    for (name, columns) in [
      ("葛\u{E0100}城", 4), ("❤\u{FE0E}", 1), ("क\u{94D}\u{200D}ष", 2), ("क\u{94D}\u{200C}ष", 2),
      ("नि", 2), ("ก\u{E33}", 2),
    ] {
      let visible = VisibleText(name)
      #expect(visible.text.unicodeScalars.elementsEqual(name.unicodeScalars))
      #expect(visible.columns == columns)
    }
  }

  @Test("show each byte that is not UTF-8")
  func notUTF8() {
    let name: [UInt8] = [0xFF, 0x61, 0xE6, 0x97, 0xC3, 0xA9, 0xED, 0xA0, 0x80, 0xC0, 0xAF, 0xE6]
    #expect(VisibleText(name).text == #"\xffa\xe6\x97é\xed\xa0\x80\xc0\xaf\xe6"#)
  }

  @Test("are as wide as the system's library says", .enabled(if: isLinux))
  func systemWidths() throws {
    let width = try SystemWidth()
    // Libraries older than Unicode 16 take these as narrow, and draw the last one over another.
    let doubtful = [0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D376, 0x1171E...0x1171E]
    var seen = 0
    // The planes above hold only characters for private use, and invisible tags.
    for value in UInt32(0)..<0x40000 {
      guard let scalar = Unicode.Scalar(value), let columns = scalar.columns,
        !doubtful.contains(where: { $0.contains(Int(value)) })
      else { continue }
      // The library does not know the characters of a newer Unicode.
      guard let expected = width.of(scalar) else { continue }
      seen += 1
      if columns != expected {
        Issue.record("U+\(String(value, radix: 16)): \(columns), not \(expected)")
      }
    }
    #expect(seen > 140_000)
  }

  @Test("are cut between characters, never inside one")
  func cuts() {
    let characters = Self.emoji + ["🇩🇪", "e\u{301}\u{302}", "한", "日", "क\u{94D}\u{200D}ष", "x"]
    let text = VisibleText(characters.joined())
    for limit in 1..<text.columns {
      let end = text.fitted(to: limit)
      let start = text.fitted(to: limit, keepingEnd: true)
      #expect(end.columns <= limit && start.columns <= limit)
      let (kept, last) = (end.text.dropLast(), start.text.dropFirst())
      #expect(kept.elementsEqual(characters.joined().prefix(kept.count)))
      #expect(last.elementsEqual(characters.joined().suffix(last.count)))
      // At most one wide character fits neither the room nor the column of the ellipsis.
      #expect(limit - end.columns <= 1 && limit - start.columns <= 1)
    }
  }

  @Test("are cut at either end")
  func fitting() {
    let text = VisibleText(Array("日e\u{301}\u{302}\nx".utf8))
    #expect(text.columns == 6)
    let ends = (0...6).map { text.fitted(to: $0).text }
    #expect(ends == ["", "…", "…", "日…", "日e\u{301}\u{302}…", "日e\u{301}\u{302}…", text.text])
    let starts = (0...6).map { text.fitted(to: $0, keepingEnd: true).text }
    #expect(
      starts == ["", "…", "…x", "…x", #"…\nx"#, "…e\u{301}\u{302}\\nx", text.text])
  }
}

/// The columns of characters according to the C library.
struct SystemWidth {
  private typealias Function = @convention(c) (wchar_t) -> Int32
  private let function: Function

  init() throws {
    function = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Function.self)
  }

  /// The columns of a scalar; `nil` if the library does not know it.
  func of(_ scalar: Unicode.Scalar) -> Int? {
    let before = uselocale(Self.locale)
    defer { uselocale(before) }
    let width = function(wchar_t(scalar.value))
    return width < 0 ? nil : Int(width)
  }

  /// The columns of a character: of all its scalars, or two for an emoji of several scalars.
  func of(_ character: Character) -> Int? {
    guard !TextTests.emoji.contains(String(character)) else { return 2 }
    return character.unicodeScalars.reduce(0) { sum, scalar in
      sum.flatMap { sum in of(scalar).map { sum + $0 } }
    }
  }

  /// Unsafe: a locale never changes.
  nonisolated(unsafe) private static let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
}
