import RowOperations

/// The contents of the screen, as values.
struct Frame {
  struct Row {
    let name: ArraySlice<UInt8>
    let kind: Listing.Kind
    let phase: RowPhase<Tally>
  }

  var folder: Path
  var key = RowOrder.Key.size
  /// The size of the folder so far.
  var bytes: UInt64 = 0
  var files = 0
  var unreadable = 0
  /// Whether the folder is not there any more.
  var isGone = false
  /// How many rows the folder has, and how many of them are not measured yet.
  var count = 0
  var due = 0
  /// The largest row's size.
  var largest: UInt64 = 0
  var rows: [Row] = []
  /// The index of the row with the cursor.
  var cursor = 0
  var message: VisibleText?

  /// How many rows fit on a screen.
  static func rowCount(lines: Int) -> Int { lines < 5 ? lines : lines - 3 }

  /// The lines of the screen, none wider than the columns.
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
    if isGone { return "This folder is not there any more." }
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
      "↑ ↓ Enter Backspace  s sort  r refresh  q quit", "s sort  r refresh  q quit",
      "s sort  q quit", "q quit",
    ]
    let texts = keys.map { VisibleText($0) }
    let text = texts.first { $0.columns <= columns } ?? texts[keys.count - 1]
    return Self.line(text, columns, .dim)
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
      isGone: isFolderGone,
      count: listing.entries.count, due: contents.due.count, largest: contents.order.largest,
      rows: lines.map { Frame.Row(name: $0.path.name, kind: $0.kind, phase: $0.phase) },
      cursor: cursor - top, message: message)
  }
}
