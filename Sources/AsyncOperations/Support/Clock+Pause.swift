extension Clock where Duration == Swift.Duration {
  /// Sleeps for a while, also on a clock whose type is not known and on older SDKs.
  func pause(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}
