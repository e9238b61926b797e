extension Duration {
  /// The whole duration in nanoseconds, clamped to what can be added up without overflow.
  package var nanoseconds: Int64 {
    // A very long duration cannot even be taken to pieces.
    let longest = Duration.nanoseconds(Int64.longestTime)
    if self >= longest { return .longestTime }
    if self <= .zero - longest { return -.longestTime }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

extension Int64 {
  /// The longest time that the engine reckons with: 73 years in nanoseconds.
  ///
  /// A time on the clock and three of these add up without overflow.
  package static var longestTime: Int64 { .max / 4 }
}
