import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import disk_usage

@Suite("Names on a screen")
struct TextTests {
  /// A name, what is to be seen of it, and in how many columns.
  private static let names: [(String, String, Int)] = [
    ("plain.txt", "plain.txt", 9), ("a\nb\tc\rd", #"a\nb\tc\rd"#, 10), (#"a\nb"#, #"a\\nb"#, 5),
    ("\u{1B}[31m", #"\u{1b}[31m"#, 10), ("\u{9B}1m\u{7F}", #"\u{9b}1m\u{7f}"#, 14),
    ("a\u{202E}b", #"a\u{202e}b"#, 10), ("\u{200B}\u{FEFF}", #"\u{200b}\u{feff}"#, 16),
    ("日本", "日本", 4), ("Ｆｗ", "Ｆｗ", 4), ("한글", "한글", 4),
    ("한", "한", 2), ("e\u{301}", "e\u{301}", 1), ("\u{301}x", "◌\u{301}x", 2),
    ("🇩🇪", "🇩🇪", 2), ("😀", "😀", 2), ("❤\u{FE0F}", #"❤\u{fe0f}"#, 9),
    ("👩\u{200D}👧", #"👩\u{200d}👧"#, 12), ("\u{2028}\u{E000}", #"\u{2028}\u{e000}"#, 16),
    ("", "", 0),
  ]

  @Test("show what would be invisible, or do something")
  func escapes() {
    // Not as arguments of the test, which are printed as they are.
    for (name, text, columns) in Self.names {
      let visible = VisibleText(Array(name.utf8))
      #expect(visible.text.unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(visible.columns == columns)
    }
  }

  @Test("show bytes that are not UTF-8, each")
  func notUTF8() {
    let name: [UInt8] = [0xFF, 0x61, 0xE6, 0x97, 0xC3, 0xA9, 0xED, 0xA0, 0x80, 0xC0, 0xAF, 0xE6]
    #expect(VisibleText(name).text == #"\xffa\xe6\x97é\xed\xa0\x80\xc0\xaf\xe6"#)
  }

  @Test("are as wide as the system's library says", .enabled(if: isLinux))
  func systemWidths() throws {
    let width = try SystemWidth()
    // Narrow to libraries older than Unicode 16; a vowel sign that libraries draw over another.
    let doubtful = [0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D376, 0x1171E...0x1171E]
    var seen = 0
    // Beyond it there are no characters but those for private use, and tags, which are invisible.
    for value in UInt32(0)..<0x40000 {
      guard let scalar = Unicode.Scalar(value), let columns = scalar.columns,
        !doubtful.contains(where: { $0.contains(Int(value)) })
      else { continue }
      // It has not heard of those of a newer Unicode.
      guard let expected = width.of(scalar) else { continue }
      seen += 1
      if columns != expected {
        Issue.record("U+\(String(value, radix: 16)): \(columns), not \(expected)")
      }
    }
    #expect(seen > 140_000)
  }

  @Test("are cut at either end, between what belongs together")
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

/// How wide the C library takes characters to be.
struct SystemWidth {
  private typealias Function = @convention(c) (wchar_t) -> Int32
  private let function: Function

  init() throws {
    function = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Function.self)
  }

  /// `nil` if it does not know it.
  func of(_ scalar: Unicode.Scalar) -> Int? {
    let before = uselocale(Self.locale)
    defer { uselocale(before) }
    let width = function(wchar_t(scalar.value))
    return width < 0 ? nil : Int(width)
  }

  /// Unsafe: a locale never changes.
  nonisolated(unsafe) private static let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
}
