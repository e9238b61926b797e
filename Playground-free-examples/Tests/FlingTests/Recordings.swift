@testable import fling

extension Recording {
  /// A list with rows of 100 points in a viewport of 200, at 10 frames a second: the offset and the
  /// looks of the rows on screen, as in "50 wls".
  init(name: String = "", _ script: [String]) {
    self.init(name: name, rowHeight: 100, viewport: 200)
    for (index, line) in script.enumerated() {
      let words = line.split(separator: " ")
      let offset = Double(words[0]) ?? 0
      append(
        Frame(
          time: Double(index) / 10, offset: offset, firstRow: Int(offset / 100),
          looks: words[1].compactMap(RowLook.init)))
    }
  }
}

extension RowLook {
  /// `.` not wanted, `w` waits, `l` loads, `s` shows, `x` failed.
  init?(_ letter: Character) {
    guard let index = Array(".wlsx").firstIndex(of: letter) else { return nil }
    self.init(rawValue: index)
  }
}
