import Foundation

/// The lists of several runs side by side at the newest moment of the last run, as lines of text.
struct WatchFrame {
  /// Of all runs, also those to come.
  let names: [String]
  /// The last of them still runs; earlier ones are replayed beside it.
  let recordings: [Recording]

  /// A text of one row's look, or of none.
  private struct Span {
    var text = ""
    var look: RowLook?

    /// In so many columns, as the terminal reads it.
    func drawn(_ width: Int, _ isColored: Bool) -> String {
      let fitted = text.padding(toLength: width, withPad: " ", startingAt: 0)
      guard isColored, let look else { return fitted }
      return "\u{1B}[\(look.color)m\(fitted)\u{1B}[0m"
    }
  }

  /// The lines of the screen: no more of them, and none of them wider.
  func lines(columns: Int, lines: Int, isColored: Bool) -> [String] {
    guard lines > 0, let live = recordings.last else { return [] }
    guard columns >= 24, lines > 3 else { return [String("too small".prefix(columns))] }
    let now = live.frames.last?.time ?? 0
    let width = (columns - 2 * (names.count - 1)) / max(names.count, 1)
    let rowsOnScreen = max(Int(live.viewport / live.rowHeight), 1)
    let linesPerRow = max((lines - 3) / rowsOnScreen, 1)
    let room = min(lines - 3, rowsOnScreen * linesPerRow)
    let panels = names.indices.map { index in
      [Span(text: names[index])]
        + panel(recordings.indices.contains(index) ? recordings[index] : nil, at: now, room) {
          Self.line($0, of: $1, live.rowHeight, linesPerRow, width)
        }
    }
    return (0..<room + 2).map { line in
      panels.map { $0[line].drawn(width, isColored) }.joined(separator: "  ")
    } + [legend(at: now, columns, isColored)]
  }

  /// The lines of a list, and its figures below them.
  private func panel(
    _ recording: Recording?, at now: Double, _ room: Int,
    line: (Int, Recording.Frame) -> Span
  ) -> [Span] {
    let blank = Array(repeating: Span(), count: room + 1)
    guard let recording else { return blank }
    guard !recording.frames.isEmpty else {
      return [Span(text: Recording.beforeFirstFrame)] + blank.dropFirst()
    }
    let index = recording.index(at: now)
    let frame = recording.frames[index]
    let figures =
      RowLook.blankText(recording.blankRows(in: frame))
      + String(format: ", %.1f s in all", recording.blankRowSeconds[index])
    return (0..<room).map { line($0, frame) } + [Span(text: figures)]
  }

  /// A line of a list: a row's number where the row begins, then its look.
  private static func line(
    _ line: Int, of frame: Recording.Frame, _ rowHeight: Double, _ linesPerRow: Int, _ width: Int
  ) -> Span {
    let position = frame.offset / rowHeight * Double(linesPerRow)
    let (row, part) = (Int(position.rounded()) + line).quotientAndRemainder(dividingBy: linesPerRow)
    guard frame.looks.indices.contains(row - frame.firstRow) else { return Span() }
    let look = frame.looks[row - frame.firstRow]
    let number = part == 0 ? String(row) : ""
    let label = String(repeating: " ", count: max(6 - number.count, 0)) + number + " "
    // Tall rows have a gap below them.
    let isGap = linesPerRow > 2 && part == linesPerRow - 1
    return Span(
      text: label + (isGap ? "" : String(repeating: look.glyph, count: max(width - 7, 0))),
      look: look)
  }

  /// As many of the looks as fit.
  private func legend(at time: Double, _ columns: Int, _ isColored: Bool) -> String {
    var line = String(format: "%.1f s  q quit", time)
    var room = columns - line.count
    for look in RowLook.allCases where room >= look.name.count + 5 {
      let glyphs = Span(text: look.glyph + look.glyph, look: look).drawn(2, isColored)
      line += "  \(glyphs) \(look.name)"
      room -= look.name.count + 5
    }
    return line
  }
}

extension RowLook {
  fileprivate var color: Int {
    switch self {
    case .notWanted: 90
    case .waiting: 33
    case .loading: 94
    case .shown: 32
    case .failed: 31
    }
  }

  /// Of different density, for screens without colours.
  fileprivate var glyph: String {
    switch self {
    case .notWanted: "·"
    case .waiting: "░"
    case .loading: "▒"
    case .shown: "█"
    case .failed: "x"
    }
  }
}
