import Foundation

/// Draws runs one above the other, on the same scales: time across, rows down.
struct TimelinePicture {
  private static let width = 960.0
  private static let plotHeight = 320.0
  private static let left = 76.0
  private static let right = 16.0
  private static let top = 56.0
  private static let gap = 34.0
  private static let legendHeight = 46.0

  private let runs: [(title: String, timeline: Timeline)]
  private let seconds: Double
  private let rows: RowScale

  init(_ runs: [(title: String, timeline: Timeline)]) {
    self.runs = runs
    seconds = max(runs.map(\.timeline.lastTime).max() ?? 0, 0.001)
    let seen = runs.flatMap { run in
      run.timeline.strips.map(\.row)
        + run.timeline.viewports.compactMap(\.rows).flatMap { [$0.lowerBound, $0.upperBound] }
    }
    rows = RowScale(seen, height: Self.plotHeight)
  }

  /// An SVG document for light and dark surroundings.
  var svg: String {
    let legendTop = Double(runs.count) * (Self.top + Self.plotHeight + Self.gap)
    let height = text(legendTop + Self.legendHeight)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Self.width)) \(height)" \
      font-family="system-ui, sans-serif" font-size="12">
      """,
      "<style>\(Self.style)</style>",
      "<rect class=\"paper\" width=\"\(text(Self.width))\" height=\"\(height)\" rx=\"8\"/>",
    ]
    for (index, run) in runs.enumerated() {
      let top = Double(index) * (Self.top + Self.plotHeight + Self.gap) + Self.top
      lines += plot(run.timeline, title: run.title, clip: "v\(index)", top: top)
    }
    return (lines + legend(top: legendTop) + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Distinguished by lightness as well as by hue, on light and on dark paper.
  private static let style = """
    .paper{fill:#fff} .ink{fill:#24292f} .faint{fill:#6e7781} .grid{stroke:#d8dee4} \
    .break{stroke:#8c959f;stroke-dasharray:3 5} .viewport{fill:#d0d7de} \
    .edge{stroke:#24292f;stroke-width:.9} .open{fill:none} .waiting{fill:#eac54f} \
    .ahead{fill:#eac54f;fill-opacity:.3} .loading{fill:#54aeff} \
    .shown{fill:#2da44e;fill-opacity:.55} .applied{fill:#116329} .cancelled{fill:#e16f24} \
    .failed{fill:#cf222e} .note{stroke:#24292f;stroke-dasharray:2 2} \
    @media (prefers-color-scheme: dark){.paper{fill:#0d1117} .ink{fill:#e6edf3} \
    .faint{fill:#8b949e} .grid{stroke:#30363d} .viewport{fill:#30363d} .edge{stroke:#e6edf3} \
    .waiting{fill:#9e7700} .ahead{fill:#9e7700} .note{stroke:#e6edf3} .loading{fill:#388bfd} \
    .shown{fill:#2ea043} .applied{fill:#7ee787} .cancelled{fill:#ffa657} .failed{fill:#ff7b72}}
    """

  // MARK: One run

  private func plot(
    _ timeline: Timeline, title: String, clip: String, top: Double
  ) -> [String] {
    let viewport = viewportPath(timeline, top: top)
    // One path a style keeps the file small.
    func strips(_ kind: Timeline.Strip.Kind) -> String {
      timeline.strips.filter { $0.kind == kind }.map { strip in
        box(
          x(strip.start), y(strip.row, top: top), max(x(strip.end) - x(strip.start), 0.5),
          thickness)
      }.joined()
    }
    let marks = Timeline.Mark.Kind.allCases.map { kind in
      let boxes = timeline.marks.filter { $0.kind == kind }.map { mark in
        box(x(mark.time) - 1, y(mark.row, top: top), 2, max(thickness, 3))
      }
      return path("\(kind)", boxes.joined())
    }
    return [
      "<text class=\"ink\" x=\"\(text(Self.left))\" y=\"\(text(top - 30))\" font-size=\"14\" "
        + "font-weight=\"600\">\(title)</text>"
    ] + axes(top: top) + [
      path("viewport", viewport),
      path("shown", strips(.shown)),
      // A row that waits ahead of the screen is not blank, and is drawn paler.
      path("ahead", strips(.waiting)),
      "<clipPath id=\"\(clip)\"><path d=\"\(viewport)\"/></clipPath>",
      "<g clip-path=\"url(#\(clip))\">\(path("waiting", strips(.waiting)))</g>",
      path("loading", strips(.loading)),
    ] + marks + [path("edge open", edges(timeline, top: top))] + notes(timeline, top: top)
  }

  private func notes(_ timeline: Timeline, top: Double) -> [String] {
    timeline.notes.flatMap { note in
      let x = x(note.time)
      // Half the width of the words, at about 7 points a letter.
      let half = Double(note.words.count) * 3.5
      let anchor = x + half > Self.width ? "end" : x < half ? "start" : "middle"
      return [
        path("note", "M\(text(x)) \(text(top - 8))V\(text(top + Self.plotHeight))"),
        "<text class=\"ink\" x=\"\(text(x))\" y=\"\(text(top - 12))\" "
          + "text-anchor=\"\(anchor)\">\(note.words)</text>",
      ]
    }
  }

  private func axes(top: Double) -> [String] {
    var lines: [String] = []
    let bottom = top + Self.plotHeight
    for second in ticks(0...seconds, about: 6) {
      lines.append(path("grid", "M\(text(x(second))) \(text(top))V\(text(bottom))"))
      lines.append(label("\(short(second)) s", x(second), bottom + 16, "middle"))
    }
    let right = text(Self.width - Self.right)
    for band in rows.bands {
      let range = Double(band.rows.lowerBound)...Double(band.rows.upperBound)
      let room = Int(Double(band.rows.count) * rows.rowHeight / 40)
      for row in room < 2 ? [range.lowerBound] : ticks(range, about: min(room, 6)) {
        let height = y(Int(row), top: top)
        lines.append(path("grid", "M\(text(Self.left)) \(text(height))H\(right)"))
        lines.append(label("row \(short(row))", Self.left - 8, height + 4, "end"))
      }
    }
    for band in rows.bands.dropFirst() {
      let height = top + band.top - RowScale.gap / 2
      lines.append(path("break", "M\(text(Self.left)) \(text(height))H\(right)"))
    }
    return lines
  }

  /// The rows on screen, from each change to the next.
  private func viewportPath(_ timeline: Timeline, top: Double) -> String {
    let ends = timeline.viewports.dropFirst().map(\.time) + [timeline.lastTime]
    return zip(timeline.viewports, ends).map { viewport, end in
      guard let rows = viewport.rows else { return "" }
      let upper = y(rows.lowerBound, top: top)
      let lower = y(rows.upperBound, top: top) + self.rows.rowHeight
      return box(x(viewport.time), upper, x(end) - x(viewport.time), lower - upper)
    }.joined()
  }

  /// The first and the last row on screen as lines over all else, broken where the list jumps.
  private func edges(_ timeline: Timeline, top: Double) -> String {
    let ends = timeline.viewports.dropFirst().map(\.time) + [timeline.lastTime]
    return [(\ClosedRange<Int>.lowerBound, 0), (\.upperBound, rows.rowHeight)].map { edge, below in
      var (path, last): (String, ClosedRange<Int>?) = ("", nil)
      for (viewport, end) in zip(timeline.viewports, ends) {
        defer { last = viewport.rows }
        guard let rows = viewport.rows else { continue }
        let height = text(y(rows[keyPath: edge], top: top) + below)
        let isDrawing = last?.overlaps(rows) == true
        path += isDrawing ? "V\(height)" : "M\(text(x(viewport.time))) \(height)"
        path += "H\(text(x(end)))"
      }
      return path
    }.joined()
  }

  /// What is in the picture, in one line.
  private func legend(top: Double) -> [String] {
    func has(_ kind: Timeline.Strip.Kind) -> Bool {
      runs.contains { $0.timeline.strips.contains { $0.kind == kind } }
    }
    let marks = Timeline.Mark.Kind.allCases.filter { kind in
      runs.contains { $0.timeline.marks.contains { $0.kind == kind } }
    }
    let entries =
      [("viewport edge", "on screen")]
      + (has(.waiting)
        ? [("ahead", "waiting off screen"), ("waiting", "waiting on screen")] : [])
      + (has(.loading) ? [("loading", "loading")] : [])
      + (has(.shown) ? [("shown", "loaded on screen")] : []) + marks.map { ("\($0)", "\($0)") }
    var left = Self.left
    return entries.flatMap { style, name in
      defer { left += 42 + Double(name.count) * 7 }
      return [
        path(style, box(left, top + 12, 18, 10)),
        "<text class=\"ink\" x=\"\(text(left + 24))\" y=\"\(text(top + 21))\">\(name)</text>",
      ]
    }
  }

  // MARK: Scales

  private func x(_ time: Double) -> Double {
    Self.left + time / seconds * (Self.width - Self.left - Self.right)
  }

  private func y(_ row: Int, top: Double) -> Double { top + (rows.top(of: row) ?? 0) }

  /// Of a strip; thin enough not to cover the next row where there is room.
  private var thickness: Double { max(min(rows.rowHeight * 0.8, 10), 1.2) }

  /// Round numbers.
  private func ticks(_ range: ClosedRange<Double>, about count: Int) -> [Double] {
    let span = max(range.upperBound - range.lowerBound, 0.001)
    let power = pow(10, log10(span / Double(count)).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * power }.first { span / $0 <= Double(count + 1) } ?? span
    return Array(
      stride(
        from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
  }

  // MARK: SVG

  private func path(_ style: String, _ d: String) -> String {
    "<path class=\"\(style)\" d=\"\(d)\"/>"
  }

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
    "M\(text(x)) \(text(y))h\(text(width))v\(text(height))h-\(text(width))z"
  }

  private func label(_ name: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text class=\"faint\" x=\"\(text(x))\" y=\"\(text(y))\" text-anchor=\"\(anchor)\">\(name)</text>"
  }

  private func text(_ number: Double) -> String { short((number * 10).rounded() / 10) }

  private func short(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String((number * 1000).rounded() / 1000)
  }
}
