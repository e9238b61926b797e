/// Collects the animations of a film: each one once, however many elements move alike.
struct FilmSheet {
  private let timing: FilmTiming
  /// At which tick a viewer that plays no animations stops.
  private let poster: Int
  private var names: [String: String] = [:]
  private(set) var css = ""

  init(timing: FilmTiming, poster: Int) {
    self.timing = timing
    self.poster = poster
    css =
      ".a{animation:\(FilmTiming.short(timing.loop, digits: 2))s step-end infinite}"
      + ".a.l{animation-timing-function:linear}"
  }

  /// The class of an element that stands at one place after the other.
  ///
  /// - Parameter transform: Where it is, for each value.
  mutating func style<Value>(
    for track: FilmTrack<Value>, _ transform: (Value) -> String
  ) -> String {
    let frames = track.keys.map {
      "\(timing.percent(tick: $0.tick)){transform:\(transform($0.value))}"
    }
    return add(frames, poster: track.value(at: poster).map(transform) ?? "none", style: "a")
  }

  /// The class of an element that moves along a path.
  mutating func style(for path: FilmPath, _ transform: (Double) -> String) -> String {
    let frames = path.points.map { "\(timing.percent($0.time)){transform:\(transform($0.offset))}" }
    // It rests until the loop begins again.
    let last = path.points.last.map { ["100%{transform:\(transform($0.offset))}"] } ?? []
    let time = Double(poster) / Double(FilmStrip.ticksPerSecond)
    return add(frames + last, poster: transform(path.offset(at: time)), style: "a l")
  }

  private mutating func add(_ frames: [String], poster: String, style: String) -> String {
    let key = frames.joined()
    if let name = names[key] { return "\(style) \(name)" }
    let name = "k" + String(names.count, radix: 36)
    names[key] = name
    css += "\n@keyframes \(name){\(key)}.\(name){animation-name:\(name);transform:\(poster)}"
    return "\(style) \(name)"
  }
}
