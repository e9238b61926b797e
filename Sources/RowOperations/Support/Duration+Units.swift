extension Duration {
  /// The duration in nanoseconds, clamped so that sums do not overflow.
  package var nanoseconds: Int64 {
    // Reading the components of a very long duration would overflow.
    let longest = Duration.nanoseconds(Int64.longestTime)
    if self >= longest { return .longestTime }
    if self <= .zero - longest { return -.longestTime }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

extension Int64 {
  /// The longest time in the engine: 73 years in nanoseconds.
  ///
  /// A time on the clock and three of these add up without overflow.
  package static var longestTime: Int64 { .max / 4 }
}
