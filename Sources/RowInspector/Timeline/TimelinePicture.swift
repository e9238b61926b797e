import Foundation

/// Draws runs one above the other, on the same scales.
struct TimelinePicture {
  private static let width = 960.0
  private static let plotHeight = 320.0
  private static let left = 76.0
  private static let right = 16.0
  private static let top = 56.0
  private static let gap = 34.0
  private static let legendHeight = 28.0
  private static let legendLine = 18.0

  private let runs: [(title: String, strips: TimelineStrips)]
  private let seconds: Double
  private let rows: RowScale
  /// In the order in which they were first seen; each has a colour.
  ///
  /// Those too short to be seen, and one that fills its loads, have none: they are drawn as
  /// loading.
  private let stages: [String]

  init(_ runs: [(title: String, strips: TimelineStrips)]) {
    self.runs = runs
    seconds = max(runs.map(\.strips.lastTime).max() ?? 0, 0.001)
    let seen = runs.flatMap { run in
      run.strips.strips.map(\.position)
        + run.strips.viewports.flatMap(\.rows).flatMap { [$0.lowerBound, $0.upperBound] }
    }
    rows = RowScale(seen, height: Self.plotHeight)
    let visible = (Self.width - Self.left - Self.right) / seconds
    stages = runs.map(\.strips).stages { $0 * visible >= 1 }
  }

  var svg: String {
    let legendTop = Double(runs.count) * (Self.top + Self.plotHeight + Self.gap)
    let legend = legend(top: legendTop)
    let height = legend.bottom + Self.legendHeight
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Self.width)) \(text(height))" \
      font-family="system-ui, sans-serif" font-size="12">
      """,
      "<style>\(Self.style)</style>",
      "<rect class=\"paper\" width=\"\(text(Self.width))\" height=\"\(text(height))\" rx=\"8\"/>",
    ]
    for (index, run) in runs.enumerated() {
      let top = Double(index) * (Self.top + Self.plotHeight + Self.gap) + Self.top
      lines += plot(run.strips, title: run.title, clip: "v\(index)", top: top)
    }
    lines += legend.lines
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Distinguished by lightness as well as by hue, on light and on dark paper.
  private static let style = """
    .paper{fill:#fff} .ink{fill:#24292f} .faint{fill:#6e7781} .grid{stroke:#d8dee4} .break{stroke:#8c959f;stroke-dasharray:3 5} \
    .viewport{fill:#d0d7de} .edge{stroke:#24292f;stroke-width:.9} .open{fill:none} \
    .waiting{fill:#eac54f} .ahead{fill:#eac54f;fill-opacity:.3} .loading{fill:#54aeff} .stage0{fill:#0969da} .stage1{fill:#8250df} \
    .stage2{fill:#bf3989} .stage3{fill:#1b7c83} .shown{fill:#2da44e;fill-opacity:.55} \
    .live{fill:#116329} \
    .applied{fill:#116329} .cancelled{fill:#e16f24} .failed{fill:#cf222e} \
    .note{stroke:#24292f;stroke-dasharray:2 2} .request{stroke:#24292f;fill:none} \
    .count{fill:#24292f;font-size:10px;stroke:#fff;stroke-width:3;paint-order:stroke} \
    @media (prefers-color-scheme: dark){.paper{fill:#0d1117} .ink{fill:#e6edf3} \
    .faint{fill:#8b949e} .grid{stroke:#30363d} .viewport{fill:#30363d} .edge{stroke:#e6edf3} \
    .waiting{fill:#9e7700} .ahead{fill:#9e7700} .note{stroke:#e6edf3} .request{stroke:#e6edf3} \
    .count{fill:#e6edf3;stroke:#0d1117} .loading{fill:#388bfd} .stage0{fill:#58a6ff} .stage1{fill:#bc8cff} \
    .stage2{fill:#f778ba} .stage3{fill:#39c5cf} .shown{fill:#2ea043} .live{fill:#aff5b4} .applied{fill:#7ee787} \
    .cancelled{fill:#ffa657} .failed{fill:#ff7b72}}
    """

  // MARK: One run

  private func plot(
    _ strips: TimelineStrips, title: String, clip: String, top: Double
  ) -> [String] {
    var lines = [
      "<text class=\"ink\" x=\"\(text(Self.left))\" y=\"\(text(top - 30))\" font-size=\"14\" "
        + "font-weight=\"600\">\(escaped(title))</text>"
    ]
    lines += axes(top: top)
    let viewport = viewportPath(strips, top: top)
    lines.append(path("viewport", viewport))
    // One path a style keeps the file small.
    func boxes(of kind: TimelineStrips.Strip.Kind, share: Double = 1) -> String {
      strips.strips.filter { $0.kind == kind }.map { strip in
        box(
          x(strip.start), y(strip.position, top: top) + thickness * (1 - share) / 2,
          max(x(strip.end) - x(strip.start), 0.5), thickness * share)
      }.joined()
    }
    lines.append(path(style(of: .shown), boxes(of: .shown)))
    // A line along the row.
    lines.append(path(style(of: .live), boxes(of: .live, share: 0.3)))
    // A row that waits ahead of the screen is not blank, and is drawn paler.
    lines.append(path("ahead", boxes(of: .waiting)))
    lines.append("<clipPath id=\"\(clip)\"><path d=\"\(viewport)\"/></clipPath>")
    lines.append(
      "<g clip-path=\"url(#\(clip))\">\(path(style(of: .waiting), boxes(of: .waiting)))</g>")
    for kind in [.loading] + stages.map({ TimelineStrips.Strip.Kind.stage($0) }) {
      lines.append(path(style(of: kind), boxes(of: kind)))
    }
    lines += brackets(strips, top: top)
    for kind in TimelineStrips.Mark.Kind.allCases {
      let boxes = strips.marks.filter { $0.kind == kind }.map { mark in
        box(x(mark.time) - 1, y(mark.position, top: top), 2, max(thickness, 3))
      }
      lines.append(path(style(of: kind), boxes.joined()))
    }
    lines.append(path("edge open", edges(strips, top: top)))
    return lines + notes(strips, top: top)
  }

  /// A bracket before the loads of each batch, with the number of its rows.
  private func brackets(_ strips: TimelineStrips, top: Double) -> [String] {
    // Those that start together and overlap stand side by side.
    var ends: [Double: [Int]] = [:]
    return strips.requests.filter { $0.loads.count > 1 }.flatMap { request -> [String] in
      let positions = request.loads.map(\.position)
      guard let first = positions.first, let last = positions.last else { return [] }
      var lanes = ends[request.start, default: []]
      let lane = lanes.firstIndex { $0 < first } ?? lanes.count
      if lane == lanes.count { lanes.append(last) } else { lanes[lane] = last }
      ends[request.start] = lanes
      return bracket(request, x: x(request.start) - 4 - 5 * Double(lane), top: top)
    }
  }

  private func bracket(_ request: TimelineRequest, x left: Double, top: Double) -> [String] {
    let heights = request.loads.map { y($0.position, top: top) + thickness / 2 }
    guard let first = heights.first, let last = heights.last else { return [] }
    // Strokes to thin rows would be a block.
    let strokes = rowHeight < 5 ? [first, last] : heights
    let d =
      "M\(text(left)) \(text(first))V\(text(last))"
      + strokes.map { "M\(text(left)) \(text($0))H\(text(x(request.start)))" }.joined()
    let words =
      "one request for \(request.loads.count) rows: \(request.rows), "
      + "\(short(request.end - request.start)) s"
    let path = "<path class=\"request\" d=\"\(d)\"><title>\(escaped(words))</title></path>"
    let count =
      "<text class=\"count\" x=\"\(text(left))\" y=\"\(text(first - 4))\" "
      + "text-anchor=\"middle\">\(request.loads.count)</text>"
    // The numbers of low brackets would cover each other.
    return last - first < 16 ? [path] : [path, count]
  }

  private func notes(_ strips: TimelineStrips, top: Double) -> [String] {
    strips.notes.flatMap { note in
      [
        path(
          "note",
          "M\(text(x(note.time))) \(text(top - 8))V\(text(top + Self.plotHeight))"),
        "<text class=\"ink\" x=\"\(text(x(note.time)))\" y=\"\(text(top - 12))\" "
          + "text-anchor=\"\(anchor(of: note))\">\(escaped(note.words))</text>",
      ]
    }
  }

  /// The words are beside the line if their middle would not fit there.
  private func anchor(of note: TimelineStrips.Note) -> String {
    // Half the width of the words, at about 7 points a letter.
    let half = Double(note.words.count) * 3.5
    if x(note.time) + half > Self.width { return "end" }
    return x(note.time) < half ? "start" : "middle"
  }

  private func axes(top: Double) -> [String] {
    var lines: [String] = []
    let bottom = top + Self.plotHeight
    for second in ticks(0...seconds, about: 6) {
      lines.append(line(x(second), top, x(second), bottom))
      lines.append(label(short(second) + " s", x(second), bottom + 16, "middle"))
    }
    for band in rows.bands {
      let range = Double(band.rows.lowerBound)...Double(band.rows.upperBound)
      let room = Int(Double(band.rows.count) * rows.rowHeight / 40)
      for row in room < 2 ? [range.lowerBound] : ticks(range, about: min(room, 6)) {
        let height = y(Int(row), top: top)
        lines.append(line(Self.left, height, Self.width - Self.right, height))
        lines.append(label("row " + short(row), Self.left - 8, height + 4, "end"))
      }
    }
    for band in rows.bands.dropFirst() {
      let height = top + band.top - RowScale.gap / 2
      lines.append(
        path("break", "M\(text(Self.left)) \(text(height))H\(text(Self.width - Self.right))"))
    }
    return lines
  }

  /// The rows on screen, from each change to the next.
  private func viewportPath(_ strips: TimelineStrips, top: Double) -> String {
    var path = ""
    let ends = strips.viewports.dropFirst().map(\.time) + [strips.lastTime]
    for (viewport, end) in zip(strips.viewports, ends) {
      for rows in viewport.rows {
        let upper = y(rows.lowerBound, top: top)
        let lower = y(rows.upperBound, top: top) + rowHeight
        path += box(x(viewport.time), upper, x(end) - x(viewport.time), lower - upper)
      }
    }
    return path
  }

  /// The first and the last row on screen as lines over all else, broken where the list jumps.
  private func edges(_ strips: TimelineStrips, top: Double) -> String {
    let ends = strips.viewports.dropFirst().map(\.time) + [strips.lastTime]
    return [(\ClosedRange<Int>.lowerBound, 0), (\.upperBound, rowHeight)].map { edge, below in
      var path = ""
      var isDrawing = false
      for (viewport, end) in zip(strips.viewports, ends) {
        guard let range = viewport.rows.first, viewport.rows.count == 1 else {
          isDrawing = false
          continue
        }
        let height = y(range[keyPath: edge], top: top) + below
        path += isDrawing ? "V\(text(height))" : "M\(text(x(viewport.time))) \(text(height))"
        path += "H\(text(x(end)))"
        isDrawing = true
      }
      return path
    }.joined()
  }

  // MARK: The legend

  /// The entries in as many lines as they need, and the top of the space below.
  private func legend(top: Double) -> (lines: [String], bottom: Double) {
    let kinds: [(TimelineStrips.Strip.Kind, String)] =
      [(.waiting, "waiting on screen"), (.loading, "loading")] + stages.map { (.stage($0), $0) }
      + [(.shown, "loaded on screen"), (.live, "live")]
    let hasBatches = runs.contains { $0.strips.requests.contains { $0.loads.count > 1 } }
    let waits = runs.contains { $0.strips.strips.contains { $0.kind == .waiting } }
    let entries =
      [("viewport edge", "on screen")] + (waits ? [("ahead", "waiting off screen")] : [])
      + kinds.filter { kind, _ in runs.contains { $0.strips.strips.contains { $0.kind == kind } } }
      .map { (style(of: $0), $1) }
      + (hasBatches ? [("request", "one request")] : [])
      + TimelineStrips.Mark.Kind.allCases
      .filter { kind in runs.contains { $0.strips.marks.contains { $0.kind == kind } } }
      .map { (style(of: $0), "\($0)") }
    var lines: [String] = []
    var (left, top) = (Self.left, top)
    for (style, name) in entries {
      let width = 42 + Double(name.count) * 7
      if left + width > Self.width { (left, top) = (Self.left, top + Self.legendLine) }
      let shape =
        style == "request"
        ? "M\(text(left + 12)) \(text(top + 12))h-4v10h4" : box(left, top + 12, 18, 10)
      lines.append(path(style, shape))
      lines.append(
        "<text class=\"ink\" x=\"\(text(left + 24))\" y=\"\(text(top + 21))\">\(escaped(name))</text>"
      )
      left += width
    }
    return (lines, top + Self.legendLine)
  }

  // MARK: Scales and styles

  private func x(_ time: Double) -> Double {
    Self.left + time / seconds * (Self.width - Self.left - Self.right)
  }

  private var rowHeight: Double { rows.rowHeight }

  /// Of a strip; thin enough not to cover the next row where there is room.
  private var thickness: Double { max(min(rowHeight * 0.8, 10), 1.2) }

  private func y(_ position: Int, top: Double) -> Double { top + (rows.top(of: position) ?? 0) }

  /// Round numbers.
  private func ticks(_ range: ClosedRange<Double>, about count: Int) -> [Double] {
    let span = max(range.upperBound - range.lowerBound, 0.001)
    let power = pow(10, log10(span / Double(count)).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * power }.first { span / $0 <= Double(count + 1) } ?? span
    return Array(
      stride(
        from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
  }

  private func style(of kind: TimelineStrips.Strip.Kind) -> String {
    switch kind {
    case .waiting: "waiting"
    case .loading: "loading"
    case .stage(let name): "stage\((stages.firstIndex(of: name) ?? 0) % 4)"
    case .shown: "shown"
    case .live: "live"
    }
  }

  private func style(of kind: TimelineStrips.Mark.Kind) -> String {
    switch kind {
    case .applied: "applied"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  // MARK: SVG

  private func path(_ style: String, _ d: String) -> String {
    "<path class=\"\(style)\" d=\"\(d)\"/>"
  }

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
    "M\(text(x)) \(text(y))h\(text(width))v\(text(height))h-\(text(width))z"
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    path("grid", "M\(text(x1)) \(text(y1))L\(text(x2)) \(text(y2))")
  }

  private func label(_ name: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text class=\"faint\" x=\"\(text(x))\" y=\"\(text(y))\" text-anchor=\"\(anchor)\">\(name)</text>"
  }

  private func text(_ number: Double) -> String { short((number * 10).rounded() / 10) }

  private func short(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String((number * 1000).rounded() / 1000)
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
