/// A run of text in one style, in a known number of columns.
struct Span: Equatable {
  enum Style: String { case plain = "0", bold = "0;1", dim = "0;2", bar = "0;34" }

  let text: String
  let columns: Int
  /// Whether all terminals give the text that many columns.
  let isAgreed: Bool
  let style: Style
}

/// A line of the screen.
struct ScreenLine: Equatable {
  private(set) var spans: [Span] = []
  var isHighlighted = false

  var columns: Int { spans.reduce(0) { $0 + $1.columns } }
  var text: String { spans.map(\.text).joined() }

  mutating func append(_ text: VisibleText, _ style: Span.Style = .plain) {
    spans.append(
      Span(text: text.text, columns: text.columns, isAgreed: text.isAgreed, style: style))
  }

  mutating func append(_ text: String, _ style: Span.Style = .plain) {
    append(VisibleText(text), style)
  }

  /// Fills the line up with blanks.
  mutating func pad(to columns: Int) {
    append(String(repeating: " ", count: max(0, columns - self.columns)))
  }

  /// Appends text that ends at a column.
  mutating func append(_ text: String, endingAt column: Int, _ style: Span.Style = .plain) {
    pad(to: column - text.count)
    append(text, style)
  }

  /// The text with the escape sequences for its styles.
  func escaped(isColored: Bool = true) -> String {
    var (escaped, column) = ("", 1)
    for span in spans {
      // A reversed bar would be a gap in its own colour.
      let isReversed = isHighlighted && span.style != .bar
      let style = isColored || span.style != .bar ? span.style : .plain
      escaped += "\u{1B}[\(style.rawValue)\(isReversed ? ";7" : "")m\(span.text)"
      column += span.columns
      // The rest of the line keeps its columns wherever the terminal has ended this span.
      if !span.isAgreed { escaped += "\u{1B}[\(column)G" }
    }
    return escaped + "\u{1B}[0m"
  }
}
