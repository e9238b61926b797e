import Foundation

/// A table with cells that are coloured by their distance from 1.
struct HeatMap: Sendable {
  let title: String
  let rows: [String]
  let columns: [String]
  /// The values by row, then by column.
  let values: [[Double]]
}

/// Draws maps beside each other, readable on a light and on a dark background.
struct PlotSheet {
  private static let width = 960.0
  private static let margin = 16.0

  private var y = 0.0
  private var elements: [String] = []

  private static let style = """
    .paper{fill:#fff} .ink{fill:#24292f} .faint{fill:#6e7781} \
    @media (prefers-color-scheme: dark){.paper{fill:#0d1117} .ink{fill:#e6edf3} .faint{fill:#8b949e}}
    """

  mutating func addHeading(_ text: String) {
    y += 40
    add(text, x: Self.margin, y: y, style: "ink", size: 15, weight: 600)
  }

  /// The sheet as an SVG document.
  var svg: String {
    let height = short(y + Self.margin)
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(short(Self.width)) \(height)" \
      font-family="system-ui, sans-serif" font-size="12">
      <style>\(Self.style)</style>
      <rect class="paper" width="\(short(Self.width))" height="\(height)" rx="8"/>
      """
    return ([head] + elements + ["</svg>", ""]).joined(separator: "\n")
  }

  /// A line of text.
  mutating func addText(_ text: String) {
    y += 20
    add(text, x: Self.margin, y: y, style: "faint")
    y += 6
  }

  // MARK: Maps

  /// Adds maps with the same rows beside each other.
  mutating func addMaps(_ maps: [HeatMap]) {
    guard let first = maps.first else { return }
    let (names, gap, line) = (200.0, 44.0, 19.0)
    let width =
      (Self.width - 2 * Self.margin - names) / Double(maps.count) - gap - 14
    let top = y + 124
    for (row, name) in first.rows.enumerated() {
      add(name, x: Self.margin, y: top + Double(row) * line + 14, style: "ink")
    }
    for (number, map) in maps.enumerated() {
      let left = Self.margin + names + gap + Double(number) * (width + gap)
      add(map.title, x: left, y: y + 22, style: "ink", weight: 600)
      let step = width / Double(map.columns.count)
      for (column, name) in map.columns.enumerated() {
        let x = left + (Double(column) + 0.5) * step
        addSlanted(name, x: x, y: top - 6)
        for (row, values) in map.values.enumerated() {
          addCell(
            values[column], x: left + Double(column) * step, y: top + Double(row) * line,
            width: step - 1, height: line - 1)
        }
      }
    }
    y = top + Double(first.rows.count) * line
  }

  private mutating func addSlanted(_ text: String, x: Double, y: Double) {
    elements.append(
      """
      <text class="ink" transform="translate(\(short(x)) \(short(y))) rotate(-45)">\(text)</text>
      """)
  }

  /// Adds a cell: darker far from 1, on a logarithmic scale up to a factor of 5.
  private mutating func addCell(
    _ value: Double, x: Double, y: Double, width: Double, height: Double
  ) {
    let strength = min(abs(log(value)) / log(5), 1)
    let color = value <= 1 ? "#1a7f37" : "#cf222e"
    elements.append(
      """
      <rect x="\(short(x))" y="\(short(y))" width="\(short(width))" height="\(short(height))" \
      fill="\(color)" fill-opacity="\(String(format: "%.2f", 0.08 + 0.72 * strength))"/>
      """)
    add(
      value < 10 ? String(Int((value * 100).rounded())) : ">999", x: x + width / 2, y: y + 13,
      style: "ink", size: 11,
      anchor: "middle")
  }

  // MARK: Elements

  private mutating func add(
    _ text: String, x: Double, y: Double, style: String, size: Int = 12, weight: Int = 400,
    anchor: String = "start"
  ) {
    elements.append(
      """
      <text class="\(style)" x="\(short(x))" y="\(short(y))" font-size="\(size)" \
      font-weight="\(weight)" text-anchor="\(anchor)">\(text)</text>
      """)
  }

  private func short(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(format: "%.1f", number)
  }
}
