import RowOperations

/// A run of text in one style, in a known number of columns.
struct Span: Equatable {
  enum Style: String { case plain = "0", bold = "0;1", dim = "0;2", bar = "0;34" }

  let text: String
  let columns: Int
  let style: Style
}

/// A line of the screen.
struct ScreenLine: Equatable {
  private(set) var spans: [Span] = []
  var isHighlighted = false

  var columns: Int { spans.reduce(0) { $0 + $1.columns } }
  var text: String { spans.map(\.text).joined() }

  mutating func append(_ text: VisibleText, _ style: Span.Style = .plain) {
    spans.append(Span(text: text.text, columns: text.columns, style: style))
  }

  mutating func append(_ text: String, _ style: Span.Style = .plain) {
    append(VisibleText(text), style)
  }

  /// Fills it up with blanks.
  mutating func pad(to columns: Int) {
    append(String(repeating: " ", count: max(0, columns - self.columns)))
  }

  /// Puts text at the right of so many columns, after what is there.
  mutating func append(_ text: String, endingAt column: Int, _ style: Span.Style = .plain) {
    pad(to: column - text.count)
    append(text, style)
  }

  /// As the terminal wants it.
  var escaped: String {
    let body = spans.map { span in
      // A reversed bar would be a gap in its own colour.
      let isReversed = isHighlighted && span.style != .bar
      return "\u{1B}[\(span.style.rawValue)\(isReversed ? ";7" : "")m\(span.text)"
    }
    return body.joined() + "\u{1B}[0m"
  }
}

/// All that is to be seen, as values.
struct Frame {
  struct Row {
    let name: ArraySlice<UInt8>
    let kind: Listing.Kind
    let phase: RowPhase<Tally>
  }

  var folder: Path
  var key = RowOrder.Key.size
  /// What the folder holds, as far as it is known.
  var bytes: UInt64 = 0
  var files = 0
  var unreadable = 0
  /// How many rows there are, and how many are still to be measured.
  var count = 0
  var due = 0
  /// The largest row's size.
  var largest: UInt64 = 0
  var rows: [Row] = []
  /// Which of the rows the cursor is on.
  var cursor = 0
  var message: VisibleText?

  /// How many rows a screen has room for.
  static func rowCount(lines: Int) -> Int { lines < 5 ? lines : lines - 3 }

  /// The lines of the screen, none of them wider than that.
  func lines(columns: Int, lines: Int) -> [ScreenLine] {
    let room = Self.rowCount(lines: lines)
    var body = rows.prefix(room).enumerated().map { line(of: $1, columns, hasCursor: $0 == cursor) }
    if rows.isEmpty, room > 0 { body.append(Self.line(VisibleText("(empty)"), columns, .dim)) }
    guard room < lines else { return body }
    body += Array(repeating: ScreenLine(), count: room - body.count)
    return [title(columns), Self.line(VisibleText(total), columns)] + body + [footer(columns)]
  }

  private static func line(
    _ text: VisibleText, _ columns: Int, _ style: Span.Style = .plain
  ) -> ScreenLine {
    var line = ScreenLine()
    line.append(text.fitted(to: columns), style)
    return line
  }

  private func title(_ columns: Int) -> ScreenLine {
    let order = key == .size ? "by size" : "by name"
    var line = ScreenLine()
    let room = columns > 2 * order.count ? columns - order.count - 1 : columns
    line.append(VisibleText(folder.bytes).fitted(to: room, keepingEnd: true), .bold)
    if room < columns { line.append(order, endingAt: columns, .dim) }
    return line
  }

  private var total: String {
    let files = "\(Figure.count(files)) \(files == 1 ? "file" : "files")"
    let progress =
      due > 0 ? " so far, \(Figure.count(count - due)) of \(Figure.count(count)) rows" : ""
    let trouble = unreadable > 0 ? ", \(Figure.count(unreadable)) unreadable" : ""
    return "\(Figure.size(bytes)) in \(files)\(progress)\(trouble)"
  }

  private func footer(_ columns: Int) -> ScreenLine {
    if let message { return Self.line(message, columns, .bold) }
    let keys = [
      "↑ ↓ PgUp PgDn Home End move  Enter open  Backspace up  s sort  r refresh  q quit",
      "↑ ↓ PgUp PgDn Home End  Enter  Backspace  s r q", "↑↓ ⇞⇟ ⇱⇲ ⏎ ⌫ s r q",
    ]
    let texts = keys.map { VisibleText($0) }
    return Self.line(texts.first { $0.columns <= columns } ?? texts[2], columns, .dim)
  }

  // MARK: Rows

  private func line(of row: Row, _ columns: Int, hasCursor: Bool) -> ScreenLine {
    var line = ScreenLine()
    let style: Span.Style = row.phase.isPending ? .dim : .plain
    if columns >= 16 { line.append(size(of: row.phase), endingAt: 10, style) }
    if columns >= 56 {
      let width = min(columns / 5, 30)
      line.append(" ")
      line.append(Figure.bar(row.phase.value?.bytes ?? 0, of: largest, columns: width), .bar)
      line.pad(to: 11 + width)
    }
    if columns >= 40 {
      line.append(files(in: row.phase), endingAt: line.columns + 12, style)
    }
    if columns >= 16 { line.append(columns < 40 ? " " : "  ") }
    let suffix = row.kind == .folder ? "/" : row.kind == .link ? "@" : ""
    let name = VisibleText(row.name + Array(suffix.utf8)).fitted(to: columns - line.columns)
    line.append(name, row.kind == .folder ? .bold : .plain)
    line.isHighlighted = hasCursor
    if hasCursor { line.pad(to: columns) }
    return line
  }

  private func size(of phase: RowPhase<Tally>) -> String {
    guard let tally = phase.value else {
      if case .loading = phase { return "…" }
      return "·"
    }
    switch tally.trouble {
    case .unreadable?: return "unreadable"
    case .gone?: return "gone"
    case nil: return (tally.unreadable > 0 ? ">" : "") + Figure.size(tally.bytes)
    }
  }

  private func files(in phase: RowPhase<Tally>) -> String {
    guard let tally = phase.value, tally.trouble == nil else { return "" }
    return Figure.count(tally.files)
  }
}

extension Browser {
  var frame: Frame {
    let listing = contents.listing
    return Frame(
      folder: listing.folder, key: contents.order.key, bytes: contents.bytes,
      files: contents.total.files, unreadable: contents.total.unreadable,
      count: listing.entries.count, due: contents.due.count, largest: contents.order.largest,
      rows: lines.map { Frame.Row(name: $0.path.name, kind: $0.kind, phase: $0.phase) },
      cursor: cursor - top, message: message)
  }
}
