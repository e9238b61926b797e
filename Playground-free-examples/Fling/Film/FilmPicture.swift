/// Two runs as an animated SVG document: two phones side by side, a clock between them, and below
/// each of them how many of its rows are blank.
///
/// It has no script and loads nothing, so that it plays in an `<img>`. Readers who want no motion
/// see the moment of the largest difference, and so do viewers that play no animations.
struct FilmPicture {
  private static let width = 760.0
  private static let height = 566.0
  private static let screenHeight = 368.0
  private static let top = 70.0
  private static let bezel = 8.0
  private static let lineHeight = 40.0
  private static let chartHeight = 34.0

  private let strips: [FilmStrip]
  private let conditions: [String]
  private let timing: FilmTiming
  private let mostBlankRows: Int
  private var sheet: FilmSheet

  /// The document.
  ///
  /// - Parameter conditions: Under which the runs were recorded, in a few words a line.
  static func svg(_ recordings: [Recording], conditions: [String]) -> String {
    var picture = FilmPicture(recordings.map { FilmStrip($0) }, conditions)
    return picture.svg()
  }

  private init(_ strips: [FilmStrip], _ conditions: [String]) {
    self.strips = strips
    self.conditions = conditions
    let end = strips.map(\.end).max() ?? 0
    timing = FilmTiming(run: Double(end) / Double(FilmStrip.ticksPerSecond), pause: 1.5)
    mostBlankRows = strips.flatMap(\.blankRows.keys).map(\.value).max() ?? 0
    let poster =
      strips.count == 2 ? strips[0].tick(ofLargestDifferenceTo: strips[1]) : end
    sheet = FilmSheet(timing: timing, poster: poster)
  }

  private mutating func svg() -> String {
    var body: [String] = []
    for (index, strip) in strips.enumerated() {
      let left = index == 0 ? 40.0 : Self.width - 40 - FilmStyle.rowWidth - 2 * Self.bezel
      body += phone(strip, left: left + Self.bezel)
      body += figures(of: strip, left: left)
    }
    body += clock()
    body += legend()
    let size = "\(text(Self.width)) \(text(Self.height))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" \
      font-family="system-ui,-apple-system,'Segoe UI',Roboto,sans-serif" font-size="13">
      <title>One scroll, twice: \(strips.map(\.name).joined(separator: ", "))</title>
      <style>\(FilmStyle.css)
      .n{font-variant-numeric:tabular-nums}\(sheet.css)</style>
      <defs>\(FilmStyle.definitions.joined(separator: "\n"))
      <clipPath id="s"><rect width="\(text(FilmStyle.rowWidth))" \
      height="\(text(Self.screenHeight))" rx="22"/></clipPath></defs>
      <rect class="paper" width="\(text(Self.width))" height="\(text(Self.height))" rx="12"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: A phone

  private mutating func phone(_ strip: FilmStrip, left: Double) -> [String] {
    let width = FilmStyle.rowWidth
    let scale = Self.screenHeight / strip.viewport
    let scroll = sheet.motion(of: strip.path) { .down(-$0 * scale) }
    let middle = left + width / 2
    var lines = [
      label(strip.name, middle, 32, "ink", size: 19, weight: 600, anchor: "middle"),
      label(
        strip.rows.isEmpty ? "" : Self.captions[strip.name] ?? "", middle, 52, "faint",
        anchor: "middle"),
      """
      <rect class="case" x="\(text(left - Self.bezel))" y="\(text(Self.top - Self.bezel))" \
      width="\(text(width + 2 * Self.bezel))" height="\(text(Self.screenHeight + 2 * Self.bezel))" \
      rx="30"/>
      <g transform="translate(\(text(left)) \(text(Self.top)))"><g clip-path="url(#s)">\
      <rect class="screen" width="\(text(width))" height="\(text(Self.screenHeight))"/>\
      <g \(scroll)>
      """,
    ]
    for (number, track) in strip.rows.sorted(by: { $0.key < $1.key }) {
      let motion = sheet.motion(of: track) { .across(-FilmStyle.step * Double($0.rawValue)) }
      let y = Double(number) * strip.rowHeight * scale
      let x = FilmStyle.step * Double(RowLook.shown.rawValue) + 54
      let picture = number % FilmStyle.pictureCount
      lines.append(
        "<g \(motion)><use href=\"#r\(picture)\" y=\"\(text(y))\"/>"
          + "<text class=\"ink\" x=\"\(text(x))\" y=\"\(text(y + 22))\">Row \(number)</text></g>")
    }
    return lines + ["</g></g></g>"]
  }

  private static let captions = [
    "The plain recipe": "a queue, and a cancel per row",
    "RowOperations": "a DisplayTracker",
  ]

  // MARK: Below a phone

  private mutating func figures(of strip: FilmStrip, left: Double) -> [String] {
    let width = FilmStyle.rowWidth + 2 * Self.bezel
    let top = Self.top + Self.screenHeight + Self.bezel + 8
    let digits = Double(String(mostBlankRows).count)
    return [
      ticker(
        strip.blankRows, x: left, y: top, width: digits * 20, size: 30, style: "ink", anchor: "end"
      ) { "\($0)" },
      label("blank", left + digits * 20 + 6, top + 28, "ink"),
      ticker(
        strip.blankTenths, x: left, y: top + Self.lineHeight + Self.chartHeight - 10, width: width,
        size: 13, weight: 400, style: "faint", anchor: "end"
      ) { "\($0 / 10).\($0 % 10) s of blank rows in all" },
    ] + chart(strip, left: left, top: top + Self.lineHeight, width: width)
  }

  /// How many rows were blank at each time, under a veil as far as the film has not come.
  private mutating func chart(
    _ strip: FilmStrip, left: Double, top: Double, width: Double
  ) -> [String] {
    let step = width / Double(max(strip.end, 1))
    let unit = Self.chartHeight / Double(max(mostBlankRows, 1))
    var area = "M0 \(text(Self.chartHeight))"
    for key in strip.blankRows.keys {
      area += "H\(text(Double(key.tick) * step))"
      area += "V\(text(Self.chartHeight - Double(key.value) * unit))"
    }
    area += "H\(text(width))V\(text(Self.chartHeight))z"
    let points = [FilmPath.Point(time: 0, offset: 0), .init(time: timing.run, offset: width)]
    let veil = sheet.motion(of: FilmPath(points, tolerance: 0)) { .across($0) }
    return [
      """
      <svg x="\(text(left))" y="\(text(top))" width="\(text(width))" \
      height="\(text(Self.chartHeight))"><path class="area" d="\(area)"/>\
      <g \(veil)><rect class="veil" width="\(text(width))" \
      height="\(text(Self.chartHeight))"/><rect class="head" width="1.5" \
      height="\(text(Self.chartHeight))"/></g></svg>
      <path class="edge" d="M\(text(left)) \(text(top + Self.chartHeight))h\(text(width))"/>
      """
    ]
  }

  // MARK: Between the phones

  private mutating func clock() -> [String] {
    let ticksPerTenth = FilmStrip.ticksPerSecond / 10
    let end = strips.map(\.end).max() ?? 0
    var track = FilmTrack<Int>()
    for tick in stride(from: 0, through: end, by: ticksPerTenth) {
      track.append(tick / ticksPerTenth, at: tick)
    }
    return [
      ticker(
        track, x: Self.width / 2 - 60, y: Self.top + 20, width: 120, size: 34, style: "ink",
        anchor: "middle"
      ) { "\($0 / 10).\($0 % 10) s" }
    ]
  }

  private func legend() -> [String] {
    let seen = Set(strips.flatMap(\.rows.values).flatMap(\.keys).map(\.value.rawValue))
    let looks = RowLook.allCases.filter { seen.contains($0.rawValue) }
    let shapes = looks.enumerated().map { index, look in
      let y = Self.top + 90 + Double(index) * 44
      let shape = FilmStyle.thumbnail(look, picture: 0)
      let name = label(look.name, 54, 28, "ink")
      return
        "<g transform=\"translate(\(text(Self.width / 2 - 66)) \(text(y)))\">\(shape)\(name)</g>"
    }
    let bottom = Self.top + Self.screenHeight
    let notes = conditions.enumerated().map { index, note in
      let y = bottom - 18 * Double(conditions.count - 1 - index)
      return label(note, Self.width / 2, y, "faint", anchor: "middle")
    }
    return shapes + notes
  }

  // MARK: Parts

  /// A text that changes: all of its values below each other, behind a window of one line.
  private mutating func ticker(
    _ track: FilmTrack<Int>, x: Double, y: Double, width: Double, size: Int, weight: Int = 600,
    style: String, anchor: String, _ format: (Int) -> String
  ) -> String {
    let values = Set(track.keys.map(\.value)).sorted()
    let lines = Dictionary(uniqueKeysWithValues: zip(values, values.indices))
    let move = sheet.motion(of: track) { .down(-Double(lines[$0] ?? 0) * Self.lineHeight) }
    let start = anchor == "end" ? width : width / 2
    let texts = values.enumerated().map { line, value in
      "<text x=\"\(text(start))\" y=\"\(text(Double(line) * Self.lineHeight + 28))\">"
        + "\(format(value))</text>"
    }
    return """
      <svg x="\(text(x))" y="\(text(y))" width="\(text(width))" height="\(text(Self.lineHeight))" \
      class="\(style) n" font-size="\(size)" font-weight="\(weight)" text-anchor="\(anchor)">\
      <g \(move)>\(texts.joined())</g></svg>
      """
  }

  private func label(
    _ name: String, _ x: Double, _ y: Double, _ style: String, size: Int = 13, weight: Int = 400,
    anchor: String = "start"
  ) -> String {
    "<text class=\"\(style)\" x=\"\(text(x))\" y=\"\(text(y))\" font-size=\"\(size)\" "
      + "font-weight=\"\(weight)\" text-anchor=\"\(anchor)\">\(name)</text>"
  }

  private func text(_ number: Double) -> String { FilmTiming.short(number) }
}
