/// Collects the animations of a film: each one once, however many elements move alike.
struct FilmSheet {
  /// A place of an element.
  enum Shift {
    case across(Double), down(Double)

    /// For a keyframe.
    fileprivate var css: String {
      switch self {
      case .across(let points): "translateX(\(Self.pixels(points)))"
      case .down(let points): "translateY(\(Self.pixels(points)))"
      }
    }

    /// For an attribute, which viewers without CSS transforms read too.
    fileprivate var attribute: String {
      switch self {
      case .across(let points): "translate(\(FilmTiming.short(points)))"
      case .down(let points): "translate(0 \(FilmTiming.short(points)))"
      }
    }

    private static func pixels(_ points: Double) -> String {
      points == 0 ? "0" : FilmTiming.short(points) + "px"
    }
  }

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

  /// The attributes of an element that stands at one place after the other.
  ///
  /// - Parameter shift: Where it is, for each value.
  mutating func motion<Value>(of track: FilmTrack<Value>, _ shift: (Value) -> Shift) -> String {
    let frames = track.keys.map {
      "\(timing.percent(tick: $0.tick)){transform:\(shift($0.value).css)}"
    }
    return attributes(frames, poster: track.value(at: poster).map(shift), style: "a")
  }

  /// The attributes of an element that moves along a path.
  mutating func motion(of path: FilmPath, _ shift: (Double) -> Shift) -> String {
    let frames = path.points.map { "\(timing.percent($0.time)){transform:\(shift($0.offset).css)}" }
    // It rests until the loop begins again.
    let last = path.points.last.map { ["100%{transform:\(shift($0.offset).css)}"] } ?? []
    let time = Double(poster) / Double(FilmStrip.ticksPerSecond)
    return attributes(frames + last, poster: shift(path.offset(at: time)), style: "a l")
  }

  private mutating func attributes(_ frames: [String], poster: Shift?, style: String) -> String {
    let key = frames.joined()
    let name = names[key] ?? "k" + String(names.count, radix: 36)
    if names.updateValue(name, forKey: key) == nil {
      css += "\n@keyframes \(name){\(key)}.\(name){animation-name:\(name)}"
    }
    let place = poster.map { " transform=\"\($0.attribute)\"" } ?? ""
    return "class=\"\(style) \(name)\"\(place)"
  }
}
