extension Clock where Duration == Swift.Duration {
  /// Works on a clock of unknown type and on older SDKs.
  func pause(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: min(duration, .longestWait)), tolerance: nil)
  }
}

extension Duration {
  /// 2^60 nanoseconds or 36 years; a longer wait has no end.
  package static var longestWait: Duration { .nanoseconds(1 << 60) }
}
