@testable import RowOperations

/// The rows around the screen of a list, or of a section of it that scrolls by itself, as the
/// engine's last decision holds them.
package struct NaiveWindow {
  let key: OrderWindow.Key
  /// The positions of the list, or of the section.
  let bounds: Range<Int>
  var shown: Range<Int>
  var held: Range<Int>
  /// The rows of the positions that were read.
  var rows: [Int: [Int]]
  /// The rows of the positions at the end of the last report.
  var rowsRead: [Int: [Int]]
  var isForward = true

  var list: Int { key.list }

  /// The position of a row that is nearest to the screen, the first of two.
  func position(of row: Int) -> Int? {
    position(of: row, in: rows)
  }

  func position(of row: Int, in rows: [Int: [Int]]) -> Int? {
    rows.keys.filter { rows[$0]?.contains(row) == true }
      .min { (distance(of: $0), $0) < (distance(of: $1), $1) }
  }

  func distance(of position: Int) -> Int {
    max(shown.lowerBound - position, position - shown.upperBound + 1, 0)
  }
}
