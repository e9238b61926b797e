/// When things happen in the loop of a film: the run, then a pause.
struct FilmTiming: Equatable, Sendable {
  /// In seconds, both.
  let run: Double
  let pause: Double

  var loop: Double { run + pause }

  /// A moment of the run as a keyframe's percentage.
  func percent(_ time: Double) -> String {
    FilmTiming.short(min(time / loop * 100, 100), digits: 2) + "%"
  }

  func percent(tick: Int) -> String {
    percent(Double(tick) / Double(FilmStrip.ticksPerSecond))
  }

  /// A number with so many digits after its point, or fewer where they are zeros.
  static func short(_ number: Double, digits: Int = 1) -> String {
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    let scaled = Int((number * Double(unit)).rounded())
    let sign = scaled < 0 ? "-" : ""
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
    guard rest > 0 else { return sign + String(whole) }
    var decimals = String(String(UInt(unit) + rest).dropFirst())
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(sign)\(whole == 0 ? "" : String(whole)).\(decimals)"
  }
}
