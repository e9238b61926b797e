import Foundation

/// A run of text on the screen, of one row's look or of none.
struct WatchSpan: Equatable {
  let text: String
  var look: RowLook?

  /// As the terminal reads it.
  func escaped(isColored: Bool) -> String {
    guard isColored, let look else { return text }
    let color =
      switch look {
      case .notWanted: 90
      case .waiting: 33
      case .loading: 94
      case .shown: 32
      case .failed: 31
      }
    return "\u{1B}[\(color)m\(text)\u{1B}[0m"
  }
}

/// A line of the screen.
struct WatchLine: Equatable {
  var spans: [WatchSpan] = []

  var text: String { spans.map(\.text).joined() }

  func escaped(isColored: Bool) -> String {
    spans.map { $0.escaped(isColored: isColored) }.joined()
  }
}

/// The lists of several runs side by side at the newest moment of the last run, as values.
struct WatchFrame {
  /// The last of them still runs; earlier ones are replayed beside it.
  private let recordings: [Recording]
  /// Of all runs, also those to come.
  private let names: [String]

  init(names: [String], recordings: [Recording]) {
    self.names = names
    self.recordings = recordings
  }

  /// The lines of the screen: no more of them, and none of them wider.
  func lines(columns: Int, lines: Int) -> [WatchLine] {
    guard columns > 0, lines > 0, let live = recordings.last else { return [] }
    let now = live.frames.last?.time ?? 0
    let width = max((columns - 2 * (names.count - 1)) / max(names.count, 1), 0)
    let frames = recordings.map { $0.frames.isEmpty ? nil : $0.frames[$0.index(at: now)] }
    let room = max(lines - 3, 0)
    let rowsOnScreen = max(Int(live.viewport / live.rowHeight), 1)
    let linesPerRow = max(room / rowsOnScreen, 1)

    var result = [Self.beside(names.map { [WatchSpan(text: $0)] }, width)]
    let listLines = min(room, rowsOnScreen * linesPerRow)
    let lists = frames.map { frame in
      (0..<listLines).map { line in
        frame.flatMap { Line(line, of: $0, live.rowHeight, linesPerRow) }
      }
    }
    for line in 0..<listLines {
      let panels = lists.indices.map { index in
        let isLoading = line == 0 && frames[index] == nil
        return isLoading
          ? [WatchSpan(text: Recording.beforeFirstFrame)]
          : lists[index][line].map { [$0.span(width)] } ?? []
      }
      result.append(Self.beside(panels, width))
    }
    let figures = recordings.indices.map { index in
      [WatchSpan(text: Self.figures(of: recordings[index], frames[index], lists[index]))]
    }
    result.append(Self.beside(figures, width))
    result.append(Self.fitted(legend(at: now), columns))
    return result.prefix(lines).map { Self.fitted($0.spans, columns) }
  }

  /// A line of a list, which shows a part of a row.
  private struct Line {
    let row: Int
    let look: RowLook
    private let isFirst: Bool
    /// Tall rows have a gap below them.
    private let isGap: Bool

    /// - Returns: `nil` if there is no row.
    init?(_ line: Int, of frame: Recording.Frame, _ rowHeight: Double, _ linesPerRow: Int) {
      let position = frame.offset / rowHeight * Double(linesPerRow)
      let place = Int(position.rounded()) + line
      let (row, part) = place.quotientAndRemainder(dividingBy: linesPerRow)
      guard frame.looks.indices.contains(row - frame.firstRow) else { return nil }
      self.row = row
      look = frame.looks[row - frame.firstRow]
      isFirst = part == 0
      isGap = linesPerRow > 2 && part == linesPerRow - 1
    }

    var showsBlankRow: Bool { look.isBlank && !isGap }

    /// The row's number where the row begins, then its look.
    func span(_ width: Int) -> WatchSpan {
      let number = isFirst ? String(row) : ""
      let label = String(repeating: " ", count: max(6 - number.count, 0)) + number + " "
      let body = String(repeating: isGap ? " " : look.glyph, count: max(width - label.count, 0))
      return WatchSpan(text: label + body, look: look)
    }
  }

  /// The number of blank rows among those that the lines show, and the blank time so far.
  private static func figures(
    of recording: Recording, _ frame: Recording.Frame?, _ list: [Line?]
  ) -> String {
    guard let frame else { return "" }
    let blankRows = Set(list.compactMap { $0 }.filter(\.showsBlankRow).map(\.row))
    let blankTime = recording.blankRowSeconds[recording.index(at: frame.time)]
    return "\(RowLook.blankText(blankRows.count)), " + String(format: "%.1f s in all", blankTime)
  }

  private func legend(at time: Double) -> [WatchSpan] {
    [WatchSpan(text: String(format: "%.1f s  q quit", time))]
      + RowLook.allCases.flatMap { look in
        [
          WatchSpan(text: "  "), WatchSpan(text: look.glyph + look.glyph, look: look),
          WatchSpan(text: " " + look.name),
        ]
      }
  }

  // MARK: Widths

  private static func beside(_ panels: [[WatchSpan]], _ width: Int) -> WatchLine {
    var line = WatchLine()
    for (index, panel) in panels.enumerated() {
      let fitted = Self.fitted(panel, width)
      line.spans += fitted.spans
      guard index < panels.count - 1 else { break }
      line.spans.append(
        WatchSpan(text: String(repeating: " ", count: width - fitted.text.count + 2)))
    }
    return line
  }

  /// As much of it as there is room for.
  private static func fitted(_ spans: [WatchSpan], _ columns: Int) -> WatchLine {
    var line = WatchLine()
    var room = columns
    for span in spans where room > 0 {
      let text = String(span.text.prefix(room))
      line.spans.append(WatchSpan(text: text, look: span.look))
      room -= text.count
    }
    return line
  }
}

extension RowLook {
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
