extension Clock where Duration == Swift.Duration {
  /// Sleeps for a duration, also on a clock of unknown type and on older SDKs.
  func pause(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}
