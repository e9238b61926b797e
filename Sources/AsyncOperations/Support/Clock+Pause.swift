extension Clock where Duration == Swift.Duration {
  /// Sleeps for a duration, also on a clock of unknown type and on older SDKs.
  func pause(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: min(duration, .longestWait)), tolerance: nil)
  }
}

extension Duration {
  /// The longest wait, 2^60 nanoseconds or 36 years; a longer one has no end.
  package static var longestWait: Duration { .nanoseconds(1 << 60) }
}
