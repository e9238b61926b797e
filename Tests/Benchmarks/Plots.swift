import Foundation

/// One line of a plot: a name, and a value for each place on the horizontal axis.
struct PlotLine: Sendable {
  let name: String
  let values: [Double]
}

/// A plot with named lines over named positions.
struct Plot: Sendable {
  let title: String
  let positions: [String]
  /// The names of the lines, in the order of their colours.
  let lines: [PlotLine]
  /// The least maximum of the vertical axis, which makes neighbouring plots comparable.
  var reach = 0.0
}

/// A table with cells that are coloured by their distance from 1.
struct HeatMap: Sendable {
  let title: String
  let rows: [String]
  let columns: [String]
  /// The values by row, then by column.
  let values: [[Double]]
}

/// Draws plots in a grid, readable on a light and on a dark background.
struct PlotSheet {
  private static let width = 960.0
  private static let margin = 16.0
  private static let plotHeight = 150.0
  private static let top = 34.0
  private static let bottom = 26.0
  private static let left = 54.0

  private var y = 0.0
  private var elements: [String] = []

  /// The colours of the lines, which also differ by dashes and marks.
  private static let style = """
    .paper{fill:#fff} .ink{fill:#24292f} .faint{fill:#6e7781} .grid{stroke:#d8dee4} \
    .line{fill:none;stroke-width:2} .c0{stroke:#0969da} .c1{stroke:#bc4c00} .c2{stroke:#1a7f37} \
    .c3{stroke:#8250df} .c1{stroke-dasharray:2 3} .c3{stroke-dasharray:7 4} .c2{stroke-width:3} \
    @media (prefers-color-scheme: dark){.paper{fill:#0d1117} .ink{fill:#e6edf3} .faint{fill:#8b949e} \
    .grid{stroke:#30363d} .c0{stroke:#58a6ff} .c1{stroke:#ffa657} .c2{stroke:#3fb950} .c3{stroke:#bc8cff}}
    """

  /// Adds a heading with the names and the colours of the lines.
  mutating func addHeading(_ text: String, names: [String]) {
    y += 40
    add(text, x: Self.margin, y: y, style: "ink", size: 15, weight: 600)
    guard !names.isEmpty else { return }
    y += 22
    var x = Self.margin
    for (color, name) in names.enumerated() {
      path("M\(short(x)) \(short(y - 4))h26", color: color)
      add(name, x: x + 32, y: y, style: "ink")
      x += 56 + 6.6 * Double(name.count)
    }
    y += 6
  }

  /// Adds plots beside each other.
  mutating func addRow(_ plots: [Plot]) {
    let width = (Self.width - 2 * Self.margin) / Double(plots.count)
    for (column, plot) in plots.enumerated() {
      draw(plot, x: Self.margin + Double(column) * width, width: width)
    }
    y += Self.top + Self.plotHeight + Self.bottom
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

  // MARK: One plot

  private mutating func draw(_ plot: Plot, x: Double, width: Double) {
    let highest = max(plot.lines.flatMap(\.values).max() ?? 0, plot.reach)
    let scale = Self.roundScale(atLeast: highest)
    let (left, right) = (x + Self.left, x + width - 18)
    let (top, bottom) = (y + Self.top, y + Self.top + Self.plotHeight)
    func height(_ value: Double) -> Double { bottom - value / scale * Self.plotHeight }
    func place(_ index: Int) -> Double {
      left + (right - left) * Double(index) / Double(max(plot.positions.count - 1, 1))
    }
    add(plot.title, x: left, y: top - 12, style: "ink", weight: 600)
    for step in 0...2 {
      let value = scale * Double(step) / 2
      elements.append(
        "<path class=\"grid\" d=\"M\(short(left)) \(short(height(value)))H\(short(right))\"/>")
      add(short(value), x: left - 6, y: height(value) + 4, style: "faint", anchor: "end")
    }
    for (index, name) in plot.positions.enumerated() {
      add(name, x: place(index), y: bottom + 16, style: "faint", anchor: "middle")
    }
    for (color, line) in plot.lines.enumerated() {
      let points = line.values.enumerated().map {
        "\(short(place($0.offset))) \(short(height($0.element)))"
      }
      path("M" + points.joined(separator: "L"), color: color)
    }
  }

  /// A step of 1, 2 or 5 times a power of ten.
  private static func roundScale(atLeast value: Double) -> Double {
    guard value > 0 else { return 1 }
    let power = pow(10, log10(value).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? value
  }

  // MARK: Elements

  private mutating func path(_ path: String, color: Int) {
    elements.append("<path class=\"line c\(color)\" d=\"\(path)\"/>")
  }

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
