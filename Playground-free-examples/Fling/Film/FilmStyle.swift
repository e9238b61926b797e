/// The colours and shapes of a film.
///
/// Each look of a row has a shape of its own, for eyes that see no difference between its colours.
enum FilmStyle {
  /// Of a row, in the picture's units.
  static let rowWidth = 204.0
  /// How many shapes there are for the pictures of loaded rows.
  static let pictureCount = 4

  static let css = """
    .paper{fill:#fff}.ink{fill:#1f2328}.faint{fill:#59636e}.edge{fill:none;stroke:#d1d9e0}\
    .case{fill:#1f2328}.screen{fill:#f6f8fa}.veil{fill:#fff;fill-opacity:.72}.head{fill:#cf222e}\
    .area{fill:#d1242f;fill-opacity:.75}.w0{fill:#eaeef2}.w1{fill:#fff1b8}.w2{fill:#d4ebff}\
    .w3{fill:#d7f5de}.w4{fill:#ffe3e0}.t0{fill:none;stroke:#8c959f;stroke-width:1.5;\
    stroke-dasharray:3 3}.t1{fill:#e3b021}.t2{fill:#0969da}.t3{fill:#b6e8f7}.t4{fill:#cf222e}\
    .b0{fill:#d1d9e0}.b1{fill:#e0c463}.b2{fill:#8fc4fb}.b3{fill:#7fc796}.b4{fill:#ff8182}\
    .on{fill:#fff}.dot{fill:#4d3800}.ring{fill:none;stroke:#fff;stroke-width:3;\
    stroke-linecap:round}.sun{fill:#ffd33d}.far{fill:#57b36f}.near{fill:#1a7f37}\
    @media(prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#f0f6fc}.faint{fill:#9198a1}\
    .edge{stroke:#3d444d}.case{fill:#3d444d}.screen{fill:#010409}.veil{fill:#0d1117}\
    .head{fill:#ff7b72}.area{fill:#f85149}.w0{fill:#21262d}.w1{fill:#4a3a06}.w2{fill:#0c2f5e}\
    .w3{fill:#124322}.w4{fill:#5d0f12}.t0{stroke:#6e7681}.t1{fill:#e3b341}.t2{fill:#388bfd}\
    .t3{fill:#79c9e4}.b0{fill:#363c44}.b1{fill:#856a14}.b2{fill:#2361b0}.b3{fill:#2c7a45}\
    .b4{fill:#a1282a}}\
    @media(prefers-reduced-motion:reduce){*{animation:none!important}}
    """

  /// How far the looks of a row stand apart; a phone shows one and hides the others.
  static let step = 240.0

  /// A row in all looks, side by side, in the order of `RowLook`: one for each picture.
  static var definitions: [String] {
    (0..<pictureCount).map { picture in
      let looks = RowLook.allCases.map { look in
        let shape = card(look, width: rowWidth) + thumbnail(look, picture: picture)
        return "<g transform=\"translate(\(Int(step) * look.rawValue))\">\(shape)</g>"
      }
      return "<g id=\"r\(picture)\">\(looks.joined())</g>"
    }
  }

  private static func card(_ look: RowLook, width: Double) -> String {
    let number = look.rawValue
    // A loaded row has its title in place of the first line.
    let lines =
      look == .shown
      ? "<rect class=\"b3\" x=\"54\" y=\"29\" width=\"112\" height=\"5\" rx=\"2.5\"/>"
      : "<path class=\"b\(number)\" d=\"M54 13h84v7h-84zM54 28h112v6h-112z\"/>"
    return "<rect class=\"w\(number)\" x=\"6\" y=\"2.5\" width=\"\(Int(width) - 12)\" "
      + "height=\"41\" rx=\"8\"/>" + lines
  }

  /// A dashed frame, three dots, a ring, a picture, or an exclamation mark.
  static func thumbnail(_ look: RowLook, picture: Int) -> String {
    switch look {
    case .notWanted: frame("t0", inset: 1)
    case .waiting:
      frame("t1")
        + "<g class=\"dot\"><circle cx=\"21\" cy=\"23\" r=\"2.5\"/>"
        + "<circle cx=\"28\" cy=\"23\" r=\"2.5\"/><circle cx=\"35\" cy=\"23\" r=\"2.5\"/></g>"
    case .loading: frame("t2") + "<path class=\"ring\" d=\"M28 15a8 8 0 1 1-8 8\"/>"
    case .shown: frame("t3") + hills(picture)
    case .failed:
      frame("t4") + "<path class=\"on\" d=\"M26 14h4l-.7 11h-2.6zM26.2 28h3.6v4h-3.6z\"/>"
    }
  }

  private static func frame(_ style: String, inset: Int = 0) -> String {
    let size = 32 - 2 * inset
    return "<rect class=\"\(style)\" x=\"\(12 + inset)\" y=\"\(7 + inset)\" "
      + "width=\"\(size)\" height=\"\(size)\" rx=\"6\"/>"
  }

  /// A landscape in the frame of a thumbnail.
  private static func hills(_ picture: Int) -> String {
    let suns = [(36, 14), (20, 14), (28, 13), (34, 17)]
    let far = [
      "M12 30l9-9 8 8 5-4 10 9v-1", "M12 27l10 6 9-12 13 12", "M12 31l16-12 16 13",
      "M12 22l12 9 8-6 12 8",
    ]
    let near = [
      "M12 31q9-4 16 1t16-1v2a6 6 0 0 1-6 6h-20a6 6 0 0 1-6-6z",
      "M12 33q12-8 32-2v2a6 6 0 0 1-6 6h-20a6 6 0 0 1-6-6z",
      "M12 29q14 2 32 3v1a6 6 0 0 1-6 6h-20a6 6 0 0 1-6-6z",
      "M12 32q20 2 32-6v7a6 6 0 0 1-6 6h-20a6 6 0 0 1-6-6z",
    ]
    let sun = suns[picture % suns.count]
    return "<circle class=\"sun\" cx=\"\(sun.0)\" cy=\"\(sun.1)\" r=\"4\"/>"
      + "<path class=\"far\" d=\"\(far[picture % far.count])v4h-32z\"/>"
      + "<path class=\"near\" d=\"\(near[picture % near.count])\"/>"
  }
}
