extension Duration {
  /// Clamped, so that sums do not overflow.
  package var nanoseconds: Int64 {
    // Reading the components of a very long duration overflows.
    let longest = Duration.nanoseconds(Int64.longestTime)
    if self >= longest { return .longestTime }
    if self <= .zero - longest { return -.longestTime }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

extension Int64 {
  /// The longest time in the engine, 73 years in nanoseconds: a time on the clock and three of
  /// these do not overflow.
  static var longestTime: Int64 { .max / 4 }
}
