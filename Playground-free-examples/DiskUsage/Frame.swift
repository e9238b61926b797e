import Console
import Foundation
import RowOperations

extension Browser {
  /// The lines of the screen.
  func frame(columns: Int, lines count: Int) -> [String] {
    let total = folder.entries.compactMap { sizes[$0.path] }
    let due = rows.count { !measured.contains($0.path) }
    let progress = due == 0 ? "" : " so far, \(rows.count - due) of \(rows.count) rows measured"
    let summary =
      "\(Figure.size(total.reduce(0) { $0 + $1.bytes })) in "
      + "\(total.reduce(0) { $0 + $1.files }) files\(progress)"
    let largest = rows.compactMap { sizes[$0.path]?.bytes }.max() ?? 0
    var body = lines.enumerated().map { index, line in
      self.line(line, columns, largest, isUnderCursor: top + index == cursor)
    }
    if rows.isEmpty { body = ["(empty)"] }
    guard count >= 5 else { return Array(body.prefix(count)) }
    body = body.prefix(count - 3) + Array(repeating: "", count: max(count - 3 - body.count, 0))
    let keys = "↑ ↓ Enter Backspace  s sort  r refresh  q quit"
    return
      [
        Figure.fitted("\(folder.path)  by \(isBySize ? "size" : "name")", columns),
        Figure.fitted(summary, columns),
      ] + body + ["\u{1B}[2m\(Figure.fitted(message ?? keys, columns))\u{1B}[0m"]
  }

  /// The line of a row: its size, a bar where there is room, and its name.
  private func line(
    _ line: Line, _ columns: Int, _ largest: Int, isUnderCursor: Bool
  ) -> String {
    let size = Figure.padded(Figure.size(of: line.phase), 11)
    let width = columns < 56 ? 0 : min(columns / 5, 30)
    let share = Double(line.phase.value?.bytes ?? 0) / Double(max(largest, 1))
    let bar = Figure.bar(share, columns: width)
    let name = Figure.fitted(
      "  \(line.entry.name)\(line.entry.isFolder ? "/" : "")", columns - 12 - width)
    let reverse = isUnderCursor ? "7" : "27"
    let dim = line.phase.isPending ? "2" : "22"
    let blue = Screen.isColored ? "34" : "39"
    let bold = line.entry.isFolder ? "1" : "22"
    return "\u{1B}[\(reverse);\(dim)m\(size)\u{1B}[27;22;\(blue)m \(bar)"
      + "\u{1B}[39;\(reverse);\(bold)m\(name)\u{1B}[0m"
  }
}

/// Figures and names as people read them in a terminal.
enum Figure {
  /// A size in at most 8 columns.
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var (value, units) = (Double(bytes) / 1000, ["kB", "MB", "GB", "TB", "PB", "EB"][...])
    while value >= 999.95 {
      value /= 1000
      units.removeFirst()
    }
    return String(format: "%.1f ", value) + (units.first ?? "")
  }

  /// The size of a row; one of which a part was unreadable is larger.
  static func size(of phase: RowPhase<Tally>) -> String {
    if let tally = phase.value { return (tally.unreadable > 0 ? ">" : "") + size(tally.bytes) }
    guard let error = phase.error else { return phase.isPending ? "…" : "·" }
    return (error as? SystemError)?.number == ENOENT ? "gone" : "unreadable"
  }

  static func bar(_ share: Double, columns: Int) -> String {
    let eighths = Int((share * Double(columns * 8)).rounded(.up))
    let tip = eighths % 8 > 0 ? String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1]) : ""
    let bar = String(repeating: "█", count: eighths / 8) + tip
    return bar.padding(toLength: columns, withPad: " ", startingAt: 0)
  }

  /// A text that ends at a column.
  static func padded(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(columns - text.count, 0)) + text
  }

  /// As much of a text as fits, without characters that would control the terminal.
  static func fitted(_ text: String, _ columns: Int) -> String {
    let visible = text.map { character in
      character.unicodeScalars.contains {
        [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
      } ? "?" : character
    }
    guard visible.count > columns else { return String(visible) }
    return columns > 0 ? String(visible.prefix(columns - 1)) + "…" : ""
  }
}
