import Foundation

/// A cell, and where it lies in the grid's viewport, in points.
struct PlacedCell {
  let cell: Cell
  let frame: CGRect
}

/// The places of the grid's rows, measured from the cells on screen.
struct GridLayout {
  /// The left edges of the columns.
  private let columns: [Int]
  /// How far the first line lies below the top of the content.
  private let top: Double
  /// The distance between two lines, which exceeds the height that a cell requests.
  private let pitch: Double

  /// - Parameter offset: How far the list is scrolled.
  init?(_ cells: [PlacedCell], offset: Double) {
    let lines = Set(cells.map { $0.frame.minY }).sorted()
    guard let first = lines.first, let last = lines.last, let height = cells.first?.frame.height
    else { return nil }
    columns = Set(cells.map { Int($0.frame.minX.rounded()) }).sorted()
    pitch = lines.count > 1 ? (last - first) / Double(lines.count - 1) : height
    top = (first + offset).truncatingRemainder(dividingBy: pitch)
  }

  /// The position of the row that belongs where a cell lies.
  func position(of placed: PlacedCell, offset: Double) -> Int? {
    guard let column = columns.firstIndex(of: Int(placed.frame.minX.rounded())) else { return nil }
    let line = ((placed.frame.minY + offset - top) / pitch).rounded()
    return Int(line) * columns.count + column
  }

  /// The rows on screen at an offset.
  func rows(at offset: Double, page: Double, of count: Int) -> Range<Int> {
    let lineCount = (count + columns.count - 1) / columns.count
    let furthest = max(Double(lineCount) * pitch + top - page, 0)
    let start = min(max(offset, 0), furthest) - top
    func row(_ line: Double) -> Int { min(max(Int(line), 0) * columns.count, count) }
    return row((start / pitch).rounded(.down))..<row(((start + page) / pitch).rounded(.up))
  }
}
