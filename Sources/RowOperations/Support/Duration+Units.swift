extension Duration {
  /// The whole duration in nanoseconds, clamped to what can be added up without overflow.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard abs(seconds) < .longestTime / 1_000_000_000 else {
      return seconds < 0 ? -.longestTime : .longestTime
    }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

extension Int64 {
  /// The longest time that the engine reckons with: 73 years in nanoseconds.
  ///
  /// A time on the clock and three of these add up without overflow.
  static var longestTime: Int64 { .max / 4 }
}
